import type { Reader } from './engine.ts'
import type { OpenedEngine } from './open-store.ts'
import { type Replication, readReplication } from './postgres/replication.ts'
import { compareSchema, knownVersion } from './schema/compatibility.ts'
import { readRecords } from './schema/migrate.ts'
import { migrations } from './schema/migrations.ts'
import { dialectOf } from './schema-dialect.ts'

/** What the operator's doctor shows about the store; none of its contents. */
export interface StoreFacts {
  /** Program and version. */
  readonly name: string
  readonly schema: {
    readonly version: number
    readonly name: string
    /** The newest version that this program knows. */
    readonly known: number
    /** Migrations of this program that the store does not have. */
    readonly missing: number
  }
  /** What an integrity check found; null if nothing, or if the store is PostgreSQL. */
  readonly damage: string | null
  /** Settings that decide durability; `isSafe` is false if a committed row could be lost. */
  readonly durability: readonly { readonly setting: string; readonly value: string; readonly isSafe: boolean }[]
  /** Null for SQLite. */
  readonly replication?: Replication | null
  /** The database server's clock; null for SQLite. */
  readonly clockMs: number | null
  /** Time of the newest charge; null if there is none. */
  readonly newestMs: number | null
}

export async function storeFacts(engine: OpenedEngine): Promise<StoreFacts> {
  const schema = await schemaFacts(engine)
  return engine.read(async (tx) => ({
    ...(engine.kind === 'sqlite' ? await sqliteFacts(tx) : await postgresFacts(tx)),
    schema,
    newestMs: await newestCharge(tx),
  }))
}

/** Null for SQLite, which has no standby. */
export const replicationOf = async (engine: OpenedEngine): Promise<Replication | null> =>
  engine.kind === 'sqlite' ? null : engine.read(readReplication)

type EngineFacts = Pick<StoreFacts, 'name' | 'damage' | 'durability' | 'clockMs' | 'replication'>

/** `synchronous` is per connection; `Connection.assertDurable` checked the writer's. */
async function sqliteFacts(tx: Reader): Promise<EngineFacts> {
  const { version } = (await tx.get<{ version: string }>('SELECT sqlite_version() AS version'))!
  const { journal_mode: journal } = (await tx.get<{ journal_mode: string }>('PRAGMA journal_mode'))!
  const { quick_check: finding } = (await tx.get<{ quick_check: string }>('PRAGMA quick_check(1)'))!
  return {
    name: `SQLite ${version}`,
    damage: finding === 'ok' ? null : finding.replaceAll(/\s+/g, ' '),
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
    replication: await readReplication(tx),
    clockMs: row.clockMs,
  }
}

async function schemaFacts(engine: OpenedEngine): Promise<StoreFacts['schema']> {
  const { newest, missing } = compareSchema(await readRecords(engine, dialectOf(engine)), migrations)
  const { version, name } = newest
  return { version, name, known: knownVersion(migrations), missing: missing.length }
}

/** Charge ids sort by time, so the primary key finds the newest. */
async function newestCharge(tx: Reader): Promise<number | null> {
  const row = await tx.get<{ at: number }>('SELECT reserved_at AS "at" FROM charges ORDER BY charge_id DESC LIMIT 1')
  return row?.at ?? null
}
