import type { Reader } from './engine.ts'
import type { OpenedEngine } from './open-store.ts'
import { migrations } from './schema/migrations.ts'

/** What an operator wants to know about the store, without anything that is in it. */
export interface StoreFacts {
  /** Program and version. */
  readonly name: string
  readonly schema: { readonly applied: number; readonly known: number; readonly newest: string }
  /** What a check of the whole file found wrong; null where all is well, or where a server keeps the store. */
  readonly damage: string | null
  /** Settings on which durability hangs; `isSafe` is false where a committed row could be lost. */
  readonly durability: readonly { readonly setting: string; readonly value: string; readonly isSafe: boolean }[]
  /** The database's clock; null where it is this machine's own. */
  readonly clockMs: number | null
  /** Time of the newest charge; null where there is none. */
  readonly newestMs: number | null
}

export async function storeFacts(engine: OpenedEngine): Promise<StoreFacts> {
  return engine.read(async (tx) => ({
    ...(engine.kind === 'sqlite' ? await sqliteFacts(tx) : await postgresFacts(tx)),
    schema: await schemaFacts(tx),
    newestMs: await newestCharge(tx),
  }))
}

type EngineFacts = Pick<StoreFacts, 'name' | 'damage' | 'durability' | 'clockMs'>

/** The writer's own settings were checked when the store was opened, which fails otherwise. */
async function sqliteFacts(tx: Reader): Promise<EngineFacts> {
  const { version } = (await tx.get<{ version: string }>('SELECT sqlite_version() AS version'))!
  const { journal_mode: journal } = (await tx.get<{ journal_mode: string }>('PRAGMA journal_mode'))!
  const { quick_check: verdict } = (await tx.get<{ quick_check: string }>('PRAGMA quick_check(1)'))!
  return {
    name: `SQLite ${version}`,
    damage: verdict === 'ok' ? null : verdict.replaceAll(/\s+/g, ' '),
    durability: [
      { setting: 'journal_mode', value: journal, isSafe: journal === 'wal' },
      { setting: 'synchronous', value: 'full', isSafe: true },
    ],
    clockMs: null,
  }
}

async function postgresFacts(tx: Reader): Promise<EngineFacts> {
  const row = (await tx.get<Record<'version' | 'fsync' | 'fullPages' | 'commits', string> & { clockMs: number }>(
    `SELECT current_setting('server_version') AS version, current_setting('fsync') AS fsync,
      current_setting('full_page_writes') AS "fullPages", current_setting('synchronous_commit') AS commits,
      (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS "clockMs"`,
  ))!
  return {
    name: `PostgreSQL ${row.version}`,
    damage: null,
    durability: [
      { setting: 'fsync', value: row.fsync, isSafe: row.fsync === 'on' },
      { setting: 'full_page_writes', value: row.fullPages, isSafe: row.fullPages === 'on' },
      { setting: 'synchronous_commit', value: row.commits, isSafe: /^(on|remote_apply)$/.test(row.commits) },
    ],
    clockMs: row.clockMs,
  }
}

async function schemaFacts(tx: Reader): Promise<StoreFacts['schema']> {
  const rows = await tx.all<{ name: string }>(
    "SELECT name FROM schema_migrations WHERE state = 'applied' ORDER BY version",
  )
  return { applied: rows.length, known: migrations.length, newest: rows.at(-1)?.name ?? 'none' }
}

/** Charge ids sort by time, so that the last one is found without reading the others. */
async function newestCharge(tx: Reader): Promise<number | null> {
  const row = await tx.get<{ at: number }>('SELECT reserved_at AS "at" FROM charges ORDER BY charge_id DESC LIMIT 1')
  return row?.at ?? null
}
