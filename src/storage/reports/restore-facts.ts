import type { Reader } from '../engine.ts'
import type { OpenedEngine } from '../open-engine.ts'
import { leaseLengthMs } from '../postgres/instance-rows.ts'

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

export interface ServerRestore {
  readonly timeline: number
  /** The last commit that a recovery replayed; null if the server was not recovered since it was started. */
  readonly replayedUntilMs: number | null
  /** Only with track_commit_timestamp. */
  readonly lastCommitMs: number | null
}

/** Charges that had not ended, by state and age at the time of the newest record. */
export interface OpenCharges {
  readonly state: 'reserved' | 'manual_review'
  readonly age: 'under a minute' | 'under an hour' | 'under a day' | 'older'
  /** Whether the calls leave the gateway: such a reserved charge goes to review, another is released. */
  readonly forwards: boolean
  readonly charges: number
  readonly credits: number
  readonly oldestMs: number
}

/** A project whose entries are not numbered without a gap up to the last one that its balance counts. */
export interface ChainGap {
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
    const gaps = await tx.all<ChainGap>(selectGaps)
    return {
      newest,
      server: engine.kind === 'postgres' ? await serverRestore(tx) : null,
      open: await openCharges(tx, Math.max(0, ...newest.map(({ atMs }) => atMs ?? 0))),
      waiting: (await tx.get<RestoreFacts['waiting']>(countWaiting))!,
      gaps: gaps.slice(0, gapLimit),
      gapCount: gaps.length,
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

/** Gateways renew every few seconds, also when nobody calls. */
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
    e.first_seq AS "firstSeq", e.last_seq AS "lastSeq"
  FROM balances b LEFT JOIN (
    SELECT project_id, COUNT(*) AS found, MIN(seq) AS first_seq, MAX(seq) AS last_seq FROM ledger_entries GROUP BY project_id
  ) e ON e.project_id = b.project_id
    LEFT JOIN closing_balances k ON k.project_id = b.project_id
  WHERE b.entries > 0
    AND (e.found IS NULL OR e.last_seq <> b.entries OR e.found <> b.entries - COALESCE(k.entries, 0)
      OR e.first_seq <> COALESCE(k.entries, 0) + 1)
  ORDER BY b.project_id`

const serverRestore = async (tx: Reader): Promise<ServerRestore> => (await tx.get<ServerRestore>(selectServer))!

const milliseconds = (timestamp: string) => `(extract(epoch FROM ${timestamp}) * 1000)::bigint`

const selectServer = `SELECT (SELECT timeline_id FROM pg_control_checkpoint()) AS timeline,
  ${milliseconds('pg_last_xact_replay_timestamp()')} AS "replayedUntilMs",
  CASE WHEN current_setting('track_commit_timestamp') = 'on'
    THEN (SELECT ${milliseconds('l.timestamp')} FROM pg_last_committed_xact() l) END AS "lastCommitMs"`
