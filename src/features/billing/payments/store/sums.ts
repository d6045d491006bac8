import type { Engine } from '../../../../storage/engine.ts'
import { comparisonTable } from './comparisons.ts'
import { refundTable } from './refunds.ts'
import { uncreditedTable } from './uncredited.ts'

const sums = `SELECT
  (SELECT CAST(COALESCE(SUM(COALESCE(p.amount_fen, o.amount_fen)), 0) AS BIGINT) FROM orders o
    LEFT JOIN payments p ON p.order_id = o.order_id WHERE o.credited_at >= $1 AND o.credited_at < $2) AS "rechargedFen",
  (SELECT CAST(COALESCE(SUM(amount_fen), 0) AS BIGINT) FROM payment_refunds
    WHERE state = 'refunded' AND ended_at >= $1 AND ended_at < $2)
  + (SELECT CAST(COALESCE(SUM(amount_fen), 0) AS BIGINT) FROM uncredited_payments
    WHERE state = 'refunded' AND ended_at >= $1 AND ended_at < $2) AS "refundedFen"`

/** Money of all projects, for the overview of operators. */
export function createMoneySums(engine: Engine) {
  const uncredited = uncreditedTable(engine, () => {})
  return {
    /** What an operator has to decide. */
    open: async () => ({
      paymentsInReview: await uncredited.countOpen(),
      refundsInReview: (await refundTable(engine).countInReview()) + (await uncredited.countUnclear()),
      openDifferences: await comparisonTable(engine).countOpen(),
    }),
    /** Reads every order, so its callers keep it for a while. */
    between: (from: number, to: number) =>
      engine.read(async (tx) => (await tx.get<{ rechargedFen: number; refundedFen: number }>(sums, [from, to]))!),
  }
}

export type MoneySums = ReturnType<typeof createMoneySums>
