import type { ChargeState } from '../ledger/commands.ts'
import type { Reader } from './engine.ts'

/** One charge with everything that hangs on it. */
export interface ChargeBooks {
  readonly chargeId: string
  readonly projectId: string
  readonly credits: number
  readonly state: ChargeState
  readonly endedAt: number | null
  readonly isKeyFree: boolean
  /** Status of the stored answer. */
  readonly status: number | null
  readonly decision: string | null
  readonly trail: ChargeTrail
}

/** The entries of one charge, counted; of each kind the place of the last one. */
export interface ChargeTrail {
  readonly reserve: number
  readonly review: number
  readonly settle: number
  readonly release: number
  readonly credit: number
  readonly reservedSeq: number | null
  readonly reviewedSeq: number | null
  readonly endedSeq: number | null
  readonly leastAmount: number | null
  readonly mostAmount: number | null
  /** Entries in the ledger of another project. */
  readonly strays: number
}

/** Charges in the order of their ids, past `after`. */
export async function chargePage(tx: Reader, after: string, limit: number): Promise<ChargeBooks[]> {
  const rows = await tx.all<Omit<ChargeBooks, 'isKeyFree' | 'trail'> & { isKeyFree: number }>(
    `SELECT c.charge_id AS "chargeId", c.project_id AS "projectId", c.credits, c.state, c.ended_at AS "endedAt",
      c.idempotency_digest IS NULL AS "isKeyFree", r.status, d.decision
    FROM charges c LEFT JOIN charge_results r ON r.charge_id = c.charge_id
      LEFT JOIN review_decisions d ON d.charge_id = c.charge_id
    WHERE c.charge_id > $1 ORDER BY c.charge_id LIMIT $2`,
    [after, limit],
  )
  const trails = await tx.all<ChargeTrail & { chargeId: string }>(selectTrails, [after, rows.at(-1)?.chargeId ?? after])
  const byCharge = new Map(trails.map((trail) => [trail.chargeId, trail]))
  return rows.map((row) => ({
    ...row,
    isKeyFree: row.isKeyFree === 1,
    trail: byCharge.get(row.chargeId) ?? noTrail,
  }))
}

const count = (kind: string) => `SUM(CASE WHEN e.kind = '${kind}' THEN 1 ELSE 0 END) AS "${kind}"`

const selectTrails = `SELECT e.charge_id AS "chargeId", ${count('reserve')}, ${count('review')}, ${count('settle')},
    ${count('release')}, ${count('credit')},
    MAX(CASE WHEN e.kind = 'reserve' THEN e.seq END) AS "reservedSeq",
    MAX(CASE WHEN e.kind = 'review' THEN e.seq END) AS "reviewedSeq",
    MAX(CASE WHEN e.kind IN ('settle', 'release') THEN e.seq END) AS "endedSeq",
    MIN(e.amount) AS "leastAmount", MAX(e.amount) AS "mostAmount",
    SUM(CASE WHEN e.project_id <> c.project_id THEN 1 ELSE 0 END) AS strays
  FROM ledger_entries e JOIN charges c ON c.charge_id = e.charge_id
  WHERE e.charge_id > $1 AND e.charge_id <= $2 GROUP BY e.charge_id`

const noTrail: ChargeTrail = {
  reserve: 0,
  review: 0,
  settle: 0,
  release: 0,
  credit: 0,
  reservedSeq: null,
  reviewedSeq: null,
  endedSeq: null,
  leastAmount: null,
  mostAmount: null,
  strays: 0,
}
