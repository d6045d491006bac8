import type { ChargeState } from '../../../../ledger/commands.ts'
import { chargeColumns } from '../../../../storage/charge-columns.ts'
import type { Reader } from '../../../../storage/engine.ts'
import { flag, pick, type RowOf, rowMapper } from '../../../../storage/row-mapper.ts'
import type { Range } from '../differences.ts'

const charges = rowMapper('charges', {
  ...pick(chargeColumns, 'chargeId', 'projectId', 'operation', 'credits', 'state', 'reservedAt', 'endedAt'),
  isKeyFree: flag('idempotency_digest IS NULL'),
})

export interface ChargeWithEntries extends RowOf<typeof charges.columns> {
  /** Its first entries were archived, and its last one was not. */
  readonly isStartArchived: boolean
  /** The status of the media job that it pays for. */
  readonly job: string | null
  readonly status: number | null
  readonly decision: string | null
  readonly trail: ChargeTrail
}

export interface ChargeTrail {
  readonly reserve: number
  readonly review: number
  readonly settle: number
  readonly release: number
  readonly credit: number
  readonly grant: number
  readonly withdraw: number
  readonly reservedSeq: number | null
  readonly reviewedSeq: number | null
  readonly endedSeq: number | null
  readonly leastAmount: number | null
  readonly mostAmount: number | null
  /** The projects of the entries; both the same unless something is wrong. */
  readonly firstProjectId: string | null
  readonly lastProjectId: string | null
}

export const lastChargeId = async (tx: Reader): Promise<string | null> =>
  (await tx.get<{ last: string | null }>('SELECT MAX(charge_id) AS last FROM charges'))!.last

/**
 * Charges with ids after `after` up to `until`, in id order. The other tables are read by the same range and joined here: PostgreSQL does
 * not apply a range across a join and would read each table from its start for every page.
 */
export async function chargePage(tx: Reader, { after, until }: Range, limit: number): Promise<ChargeWithEntries[]> {
  const order = 'WHERE charge_id > $1 AND charge_id <= $2 ORDER BY charge_id LIMIT $3'
  const rows = await charges.all(tx, order, [after, until, limit])
  const range = [after, rows.at(-1)?.chargeId ?? after]
  const responses = byCharge(await tx.all<{ chargeId: string; status: number }>(selectResponses, range))
  const decisions = byCharge(await tx.all<{ chargeId: string; decision: string }>(selectDecisions, range))
  const jobs = byCharge(await tx.all<{ chargeId: string; status: string }>(selectJobs, range))
  const trails = byCharge(await tx.all<ChargeTrail & { chargeId: string }>(selectTrails, range))
  const isUnreserved = ({ chargeId }: { chargeId: string }) => (trails.get(chargeId)?.reserve ?? 0) === 0
  const archivedUntil = await archiveEnds(tx, new Set(rows.filter(isUnreserved).map((row) => row.projectId)))
  return rows.map((row) => ({
    ...row,
    isStartArchived: isUnreserved(row) && hasEnded(row) && row.reservedAt <= (archivedUntil.get(row.projectId) ?? -1),
    job: jobs.get(row.chargeId)?.status ?? null,
    status: responses.get(row.chargeId)?.status ?? null,
    decision: decisions.get(row.chargeId)?.decision ?? null,
    trail: trails.get(row.chargeId) ?? noTrail,
  }))
}

const hasEnded = ({ state }: { state: ChargeState }) => state === 'settled' || state === 'released'

async function archiveEnds(tx: Reader, projectIds: ReadonlySet<string>) {
  const ends = new Map<string, number>()
  for (const projectId of projectIds) {
    const sql = 'SELECT archived_until AS "at" FROM closing_balances WHERE project_id = $1'
    const row = await tx.get<{ at: number }>(sql, [projectId])
    if (row) ends.set(projectId, row.at)
  }
  return ends
}

export const reservedClosings = (tx: Reader) =>
  tx.all<{ projectId: string; reserved: number }>(
    'SELECT project_id AS "projectId", reserved FROM closing_balances WHERE reserved > 0 ORDER BY project_id',
  )

/** The same of one project on one snapshot, with the credits of the charges and refunds whose start was archived. */
export async function archivedStarts(tx: Reader, projectId: string): Promise<{ reserved: number; credits: number }> {
  const row = await tx.get<{ reserved: number; credits: number }>(
    `SELECT k.reserved, (
      SELECT COALESCE(SUM(c.credits), 0) FROM charges c
      WHERE c.project_id = k.project_id AND c.state IN ('settled', 'released') AND c.reserved_at <= k.archived_until
        AND NOT EXISTS (SELECT 1 FROM ledger_entries e WHERE e.charge_id = c.charge_id AND e.kind = 'reserve')) + (
      SELECT COALESCE(SUM(f.credits), 0) FROM payment_refunds f WHERE f.project_id = k.project_id
        AND f.hold_entry_id <= k.last_entry_id AND (f.end_entry_id IS NULL OR f.end_entry_id > k.last_entry_id)) AS credits
    FROM closing_balances k WHERE k.project_id = $1`,
    [projectId],
  )
  return row ?? { reserved: 0, credits: 0 }
}

const byCharge = <R extends { chargeId: string }>(rows: readonly R[]) => new Map(rows.map((row) => [row.chargeId, row]))

const selectResponses = `SELECT charge_id AS "chargeId", status FROM charge_responses WHERE charge_id > $1 AND charge_id <= $2`

const selectDecisions = `SELECT charge_id AS "chargeId", decision FROM review_decisions
  WHERE charge_id > $1 AND charge_id <= $2`

const selectJobs = `SELECT charge_id AS "chargeId", status FROM media_jobs WHERE charge_id > $1 AND charge_id <= $2`

const count = (kind: string) => `SUM(CASE WHEN kind = '${kind}' THEN 1 ELSE 0 END) AS "${kind}"`

const selectTrails = `SELECT charge_id AS "chargeId", ${count('reserve')}, ${count('review')}, ${count('settle')},
    ${count('release')}, ${count('credit')}, ${count('grant')}, ${count('withdraw')},
    MAX(CASE WHEN kind = 'reserve' THEN seq END) AS "reservedSeq",
    MAX(CASE WHEN kind = 'review' THEN seq END) AS "reviewedSeq",
    MAX(CASE WHEN kind IN ('settle', 'release') THEN seq END) AS "endedSeq",
    MIN(amount) AS "leastAmount", MAX(amount) AS "mostAmount",
    MIN(project_id) AS "firstProjectId", MAX(project_id) AS "lastProjectId"
  FROM ledger_entries WHERE charge_id > $1 AND charge_id <= $2 GROUP BY charge_id`

const noTrail: ChargeTrail = {
  reserve: 0,
  review: 0,
  settle: 0,
  release: 0,
  credit: 0,
  grant: 0,
  withdraw: 0,
  reservedSeq: null,
  reviewedSeq: null,
  endedSeq: null,
  leastAmount: null,
  mostAmount: null,
  firstProjectId: null,
  lastProjectId: null,
}
