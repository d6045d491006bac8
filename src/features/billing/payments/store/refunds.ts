import { claimQueue } from '../../../../storage/claim-queue.ts'
import type { Engine, Reader, Writer } from '../../../../storage/engine.ts'
import { integer, orNull, type RowOf, rowMapper, text } from '../../../../storage/row-mapper.ts'

export type RefundStateName = 'waiting' | 'held' | 'pending' | 'refunded' | 'returned' | 'review'

const rows = rowMapper('payment_refunds', {
  refundId: text(),
  paymentId: text(),
  projectId: text(),
  lotId: text(),
  amountFen: integer(),
  credits: integer(),
  reference: text(),
  reason: text(),
  state: text<RefundStateName>(),
  requestedBy: text(),
  requestedAt: integer(),
  providerRefundId: orNull(text()),
  note: orNull(text()),
  failures: integer(),
  nextQueryAt: orNull(integer()),
  claimedBy: orNull(text()),
})
export type RefundRow = RowOf<typeof rows.columns>

const queue = claimQueue({ table: 'payment_refunds', id: 'refund_id', dueAt: 'next_query_at' })
export const adoptRefunds = queue.adopt
const claimDue = queue.claim({
  candidates: `SELECT refund_id FROM payment_refunds WHERE ${queue.isDue} ORDER BY next_query_at LIMIT $4`,
  set: 'claimed_by = $2, next_query_at = $3',
  returning: rows.list,
})

export const refundReads = (tx: Reader) => ({
  refundBy: (refundId: string) => rows.get(tx, 'WHERE refund_id = $1', [refundId]),
})

export const refundWrites = (tx: Reader & Writer) => ({
  refundOf: (paymentId: string, reference: string) =>
    rows.get(tx, 'WHERE payment_id = $1 AND reference = $2', [paymentId, reference]),
  /** Refunded and pending amounts of a payment. */
  refundedFen: async (paymentId: string) => {
    const sql = `SELECT COALESCE(SUM(amount_fen), 0) AS fen FROM payment_refunds WHERE payment_id = $1 AND state <> 'returned'`
    return (await tx.get<{ fen: number }>(sql, [paymentId]))!.fen
  },
  /** Null unless the payment is paid. */
  paidLot: async (paymentId: string) =>
    (await tx.get<{ projectId: string; lotId: string; amountFen: number }>(
      `SELECT p.project_id AS "projectId", l.lot_id AS "lotId", p.amount_fen AS "amountFen"
      FROM payments p JOIN credit_lots l ON l.order_id = p.order_id AND l.kind = 'paid'
      WHERE p.payment_id = $1 AND p.state = 'paid'`,
      [paymentId],
    )) ?? null,
  insertRefund: (
    row: Omit<RefundRow, 'state' | 'providerRefundId' | 'note' | 'failures' | 'nextQueryAt' | 'claimedBy'>,
  ) => rows.insert(tx, { ...row, state: 'waiting', failures: 0 }),
  /** Ends a refund whose credits were not held yet; false if they were. */
  dropRefund: async (refundId: string) =>
    (await rows.update(tx, { state: 'returned' }, "refund_id = $1 AND state = 'waiting'", [refundId])) === 1,
})

export const refundTable = (engine: Engine) => ({
  find: (refundId: string) => engine.read((tx) => rows.get(tx, 'WHERE refund_id = $1', [refundId])),
  ofPayment: (paymentId: string) =>
    engine.read((tx) => rows.all(tx, 'WHERE payment_id = $1 ORDER BY refund_id LIMIT 1000', [paymentId])),
  countInReview: () =>
    engine.read(async (tx) => {
      const sql = `SELECT COUNT(*) AS count FROM payment_refunds WHERE state = 'review'`
      return (await tx.get<{ count: number }>(sql))!.count
    }),
  hasDue: (now: number) => engine.read((tx) => queue.hasDue(tx, now)),
  claim: (by: string, now: number, until: number, limit: number): Promise<RefundRow[]> =>
    engine.write((tx) => tx.all<RefundRow>(claimDue, [now, by, until, limit])),
  change: (refundId: string, change: Partial<RefundRow>) =>
    engine.write((tx) =>
      rows.update(tx, { ...change, claimedBy: null }, "refund_id = $1 AND state IN ('held', 'pending')", [refundId]),
    ),
})
