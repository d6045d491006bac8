import type { ReviewReader, ReviewRow } from '../../administration/ports.ts'
import type { ChargeState } from '../../ledger/commands.ts'
import type { Engine } from '../engine.ts'

export function createReviewStore(engine: Pick<Engine, 'read'>): ReviewReader {
  return {
    waiting: (after, limit) =>
      engine.read((tx) =>
        tx.all<ReviewRow>(
          // Materialized, because PostgreSQL might otherwise scan the entries of every charge to get the order.
          `WITH in_review AS MATERIALIZED (SELECT * FROM reviewable_charges)
          SELECT ${reviewColumns} FROM in_review c WHERE c.charge_id > $1 ORDER BY c.charge_id LIMIT $2`,
          [after, limit],
        ),
      ),
    find: (chargeId) =>
      engine.read(async (tx) => {
        const row = await tx.get<ReviewRow & { state: ChargeState } & DecisionColumns>(
          `SELECT ${reviewColumns}, c.state, d.decided_by AS "by", d.reason AS because, d.decided_at AS "at"
          FROM charges c LEFT JOIN review_decisions d ON d.charge_id = c.charge_id WHERE c.charge_id = $1`,
          [chargeId],
        )
        if (!row) return undefined
        const { by, because, at, ...charge } = row
        return { ...charge, decision: by === null ? null : { by, reason: because!, at: at! } }
      }),
  }
}

interface DecisionColumns {
  readonly by: string | null
  readonly because: string | null
  readonly at: number | null
}

const reviewColumns = `c.charge_id AS "chargeId", c.project_id AS "projectId", c.operation, c.credits,
  c.request_id AS "requestId", c.reserved_at AS "reservedAt", c.reason`
