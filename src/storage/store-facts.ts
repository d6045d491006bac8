import type { Engine, Reader } from './engine.ts'
import type { OpenedEngine } from './open-engine.ts'
import { dialectOf } from './open-store.ts'
import { leaseLengthMs } from './postgres/instance-rows.ts'
import { compareSchema, knownVersion, readRecords } from './schema/migrate.ts'
import { migrations } from './schema/migrations.ts'
import { databaseMs, placeholders } from './sql-text.ts'

/** What the operator's doctor shows about the store; none of its contents. */
export interface StoreFacts {
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
      ${databaseMs.postgres} AS "clockMs"`,
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

/**
 * The database server as it names itself, system identifier and timeline, and the ids of the database and of a table there. Any restore
 * changes one of them: of the server's files the first two, of a dump the last two. A failover changes only the timeline. Null for SQLite, and
 * for a server that accepts no writes.
 */
export async function serverIdentity(tx: Reader, kind: OpenedEngine['kind'], table: string): Promise<string | null> {
  if (kind === 'sqlite') return null
  return (await tx.get<{ server: string | null }>(selectIdentity, [table]))?.server ?? null
}

/** The timeline comes first in the name of a log file. */
const selectIdentity = `SELECT CASE WHEN pg_is_in_recovery() THEN NULL ELSE
  (SELECT system_identifier::text FROM pg_control_system()) || ' ' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) || ' ' ||
  (SELECT oid FROM pg_database WHERE datname = current_database()) || ' ' || CAST($1 AS regclass)::oid END AS server`

/** What a restored copy of the store can know about itself. */
export interface RestoreFacts {
  /** The newest of each kind of record: nothing of that kind that came later is in the copy. */
  readonly newest: readonly { readonly what: string; readonly atMs: number | null }[]
  /** Null for SQLite. */
  readonly server: ServerRestore | null
  readonly open: readonly OpenCharges[]
  /** Messages and media jobs that the first start takes up again. */
  readonly waiting: { readonly messages: number; readonly mediaJobs: number }
  readonly gaps: readonly ChainGap[]
  readonly gapCount: number
}

interface ServerRestore {
  readonly timeline: number
  /** The last commit that a recovery replayed; null if the server was not recovered since it was started. */
  readonly replayedUntilMs: number | null
  /** Only with track_commit_timestamp. */
  readonly lastCommitMs: number | null
}

/** Charges that had not ended, by state and age at the time of the newest record. */
interface OpenCharges {
  readonly state: 'reserved' | 'manual_review'
  readonly age: 'under a minute' | 'under an hour' | 'under a day' | 'older'
  /** Whether the calls leave the gateway: such a reserved charge goes to review, another is released. */
  readonly forwards: boolean
  readonly charges: number
  readonly credits: number
  readonly oldestMs: number
}

/** A project whose entries are not numbered without a gap up to the last one that its balance counts. */
interface ChainGap {
  readonly projectId: string
  readonly counted: number
  readonly found: number
  readonly firstSeq: number | null
  readonly lastSeq: number | null
}

/** Reads it on one snapshot. The look for gaps reads every ledger entry. */
export function restoreFacts(engine: OpenedEngine, gapLimit = 100): Promise<RestoreFacts> {
  return engine.read(async (tx) => {
    const newest = await newestRecords(tx, engine.kind === 'postgres')
    const gaps = await tx.all<ChainGap & { total: number }>(selectGaps, [gapLimit])
    return {
      newest,
      server: engine.kind === 'postgres' ? await serverRestore(tx) : null,
      open: await openCharges(tx, Math.max(0, ...newest.map(({ atMs }) => atMs ?? 0))),
      waiting: (await tx.get<RestoreFacts['waiting']>(countWaiting))!,
      gaps: gaps.map(({ total: _, ...gap }) => gap),
      gapCount: gaps[0]?.total ?? 0,
    }
  })
}

async function newestRecords(tx: Reader, hasLeases: boolean): Promise<RestoreFacts['newest']> {
  const found: { what: string; atMs: number | null }[] = []
  for (const [what, sql] of hasLeases ? [...newest, lease] : newest) {
    const row = await tx.get<{ at: number | null }>(sql)
    found.push({ what, atMs: row?.at ?? null })
  }
  return found
}

/** Ids of entries sort nearly by time. */
export const newestEntry =
  'SELECT MAX(e.entered_at) AS at FROM (SELECT entered_at FROM ledger_entries ORDER BY entry_id DESC LIMIT 1000) e'

/** Ids of charges sort by time. */
const newest: readonly (readonly [string, string])[] = [
  ['call admitted', 'SELECT reserved_at AS at FROM charges ORDER BY charge_id DESC LIMIT 1'],
  ['ledger entry', newestEntry],
  ['order created', 'SELECT MAX(created_at) AS at FROM orders'],
  ['order credited', 'SELECT MAX(credited_at) AS at FROM orders'],
  ['account registered', 'SELECT MAX(created_at) AS at FROM accounts'],
  ['key created', 'SELECT MAX(created_at) AS at FROM api_keys'],
  ['operator action', 'SELECT acted_at AS at FROM audit_entries ORDER BY seq DESC LIMIT 1'],
]

/** Gateways renew every few seconds, also without calls. */
const lease = ['lease renewed', `SELECT MAX(lease_until) - ${leaseLengthMs} AS at FROM instances`] as const

async function openCharges(tx: Reader, nowMs: number): Promise<OpenCharges[]> {
  const rows = await tx.all<Omit<OpenCharges, 'forwards'> & { forwards: number }>(selectOpen, [nowMs])
  return rows.map((row) => ({ ...row, forwards: row.forwards === 1 }))
}

const age = `CASE WHEN $1 - reserved_at < 60000 THEN 'under a minute' WHEN $1 - reserved_at < 3600000 THEN 'under an hour'
  WHEN $1 - reserved_at < 86400000 THEN 'under a day' ELSE 'older' END`

const selectOpen = `SELECT state, age, forwards, COUNT(*) AS charges, SUM(credits) AS credits, MIN(reserved_at) AS "oldestMs"
  FROM (
    SELECT state, ${age} AS age, leaves_process AS forwards, credits, reserved_at FROM reserved_charges
    UNION ALL
    SELECT state, ${age} AS age, leaves_process AS forwards, credits, reserved_at FROM reviewable_charges) o
  GROUP BY state, age, forwards ORDER BY state DESC, MIN(reserved_at) DESC`

const countWaiting = `SELECT (SELECT COUNT(*) FROM messages) AS messages,
  (SELECT COUNT(*) FROM media_jobs WHERE next_poll_at IS NOT NULL) AS "mediaJobs"`

/** Numbers that were archived are missing at the start of a ledger, which is no gap. */
const selectGaps = `SELECT b.project_id AS "projectId", b.entries AS counted, COALESCE(e.found, 0) AS found,
    e.first_seq AS "firstSeq", e.last_seq AS "lastSeq", COUNT(*) OVER () AS total
  FROM balances b LEFT JOIN (
    SELECT project_id, COUNT(*) AS found, MIN(seq) AS first_seq, MAX(seq) AS last_seq FROM ledger_entries GROUP BY project_id
  ) e ON e.project_id = b.project_id
    LEFT JOIN closing_balances k ON k.project_id = b.project_id
  WHERE b.entries > 0
    AND (e.found IS NULL OR e.last_seq <> b.entries OR e.found <> b.entries - COALESCE(k.entries, 0)
      OR e.first_seq <> COALESCE(k.entries, 0) + 1)
  ORDER BY b.project_id LIMIT $1`

const serverRestore = async (tx: Reader): Promise<ServerRestore> => (await tx.get<ServerRestore>(selectServer))!

const milliseconds = (timestamp: string) => `(extract(epoch FROM ${timestamp}) * 1000)::bigint`

const selectServer = `SELECT (SELECT timeline_id FROM pg_control_checkpoint()) AS timeline,
  ${milliseconds('pg_last_xact_replay_timestamp()')} AS "replayedUntilMs",
  CASE WHEN current_setting('track_commit_timestamp') = 'on'
    THEN (SELECT ${milliseconds('l.timestamp')} FROM pg_last_committed_xact() l) END AS "lastCommitMs"`

/** Those of the charges that the store does not have. */
export async function chargesNotStored(
  engine: Pick<Engine, 'read'>,
  chargeIds: readonly string[],
): Promise<Set<string>> {
  if (chargeIds.length === 0) return new Set()
  const found = `SELECT charge_id AS "chargeId" FROM charges WHERE charge_id IN (${placeholders(chargeIds)})`
  const rows = await engine.read((tx) => tx.all<{ chargeId: string }>(found, chargeIds))
  return new Set(chargeIds).difference(new Set(rows.map(({ chargeId }) => chargeId)))
}

/** What would survive the loss of the database's machine. */
interface Replication {
  /** Whether commits wait for a standby (`synchronous_standby_names`). */
  readonly isRequired: boolean
  /** Standbys that commits wait for and that are connected; null if the user may not see them. */
  readonly synchronous: number | null
  readonly standbys: number
  /** How far the slowest synchronous standby is behind; null if there is none. */
  readonly lagBytes: number | null
}

async function readReplication(tx: Reader): Promise<Replication> {
  const row = (await tx.get<
    Record<'isRequired' | 'synchronous' | 'hidden' | 'standbys', number> & Pick<Replication, 'lagBytes'>
  >(selectReplication))!
  const { isRequired, synchronous, hidden, standbys, lagBytes } = row
  return { isRequired: isRequired === 1, synchronous: hidden > 0 ? null : synchronous, standbys, lagBytes }
}

/** Only members of pg_monitor see the state of a standby. */
const selectReplication = `
  SELECT current_setting('synchronous_standby_names') <> '' AS "isRequired",
    count(pid) FILTER (WHERE sync_state IN ('sync', 'quorum')) AS synchronous,
    count(pid) FILTER (WHERE sync_state IS NULL) AS hidden,
    count(pid) AS standbys,
    max(CASE WHEN sync_state IN ('sync', 'quorum') AND NOT pg_is_in_recovery()
      THEN pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn) END) AS "lagBytes"
  FROM pg_stat_replication`
