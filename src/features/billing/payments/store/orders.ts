import type { OrderState } from '../../../../ledger/commands.ts'
import { lockBalance } from '../../../../storage/balance-rows.ts'
import type { Engine, Writer } from '../../../../storage/engine.ts'
import { from, integer, orNull, type RowOf, rowMapper, text } from '../../../../storage/row-mapper.ts'
import type { PaymentState } from '../contract.ts'

const orders = rowMapper('orders', {
  orderId: text(),
  projectId: text(),
  amountFen: integer(),
  creditAmount: integer(),
  pricingVersion: text(),
  state: text<Exclude<OrderState['state'], 'cancelled'>>(),
  createdAt: integer(),
  creditedAt: orNull(integer()),
  cancelledAt: orNull(integer()),
})
export const newOrders = rowMapper('orders', { ...orders.columns, idempotencyDigest: text() })
/** With the payment that pays the order, if there is one. */
const listed = rowMapper('orders o LEFT JOIN payments p ON p.order_id = o.order_id', {
  ...from('o', orders.columns),
  paymentId: orNull(text('p.payment_id')),
  paymentState: orNull(text<PaymentState>('p.state')),
  paymentExpiresAt: orNull(integer('p.expires_at')),
  paymentFen: orNull(integer('p.amount_fen')),
  paymentNote: orNull(text('p.note')),
  paidAt: orNull(integer('p.paid_at')),
  transactionId: orNull(text('p.transaction_id')),
  refundedFen: integer(`(SELECT CAST(COALESCE(SUM(f.amount_fen), 0) AS BIGINT) FROM payment_refunds f
    WHERE f.payment_id = p.payment_id AND f.state = 'refunded')`),
})

export type OrderRow = RowOf<typeof orders.columns>
export type ListedOrderRow = RowOf<typeof listed.columns>

/** Orders are listed by their time and, within one millisecond, by their id. */
export type OrderPosition = Pick<OrderState, 'createdAt' | 'orderId'>

const newestFirst = 'ORDER BY o.created_at DESC, o.order_id DESC LIMIT'
const byId = 'WHERE o.order_id = $2 AND o.project_id = $1'
/** Neither cancelled nor left unpaid since `$3`. */
const isOpenOrPaid = "o.cancelled_at IS NULL AND (o.state <> 'pending' OR o.created_at > $3 OR p.order_id IS NOT NULL)"

export const orderTable = (engine: Engine) => ({
  page: (projectId: string, before: OrderPosition | null, limit: number) => {
    const position = [before?.createdAt ?? Number.MAX_SAFE_INTEGER, before?.orderId ?? '']
    const rest = `WHERE o.project_id = $1 AND (o.created_at, o.order_id) < ($2, $3) ${newestFirst} $4`
    return engine.read((tx) => listed.all(tx, rest, [projectId, ...position, limit]))
  },
  order: (projectId: string, orderId: string) => engine.read((tx) => listed.get(tx, byId, [projectId, orderId])),
  /** Cancels an unpaid order without a payment, and returns the order as it is then. */
  cancel: (projectId: string, orderId: string, at: number) =>
    engine.write(async (tx) => {
      // Serializes this write with batches that credit the order.
      await lockBalance(tx, projectId)
      await tx.run(
        `UPDATE orders SET cancelled_at = $3 WHERE order_id = $2 AND project_id = $1 AND state = 'pending' AND cancelled_at IS NULL
          AND NOT EXISTS (SELECT 1 FROM payments WHERE payments.order_id = orders.order_id)`,
        [projectId, orderId, at],
      )
      return listed.get(tx, byId, [projectId, orderId])
    }),
  /** Whether a payment pays the order: then it cannot be confirmed by hand. */
  hasPayment: (projectId: string, orderId: string) =>
    engine.read(async (tx) => {
      const sql = 'SELECT 1 AS found FROM payments WHERE order_id = $2 AND project_id = $1'
      return (await tx.get(sql, [projectId, orderId])) !== undefined
    }),
  /** The newest that are paid or can still be. */
  recent: (projectId: string, limit: number, unpaidSince: number) =>
    engine.read((tx) =>
      listed.all(tx, `WHERE o.project_id = $1 AND ${isOpenOrPaid} ${newestFirst} $2`, [projectId, limit, unpaidSince]),
    ),
  /** Inserts the order, or returns the one that already has this Idempotency-Key. */
  insertOrFind: (row: Omit<OrderRow, 'cancelledAt'> & { readonly idempotencyDigest: string }) =>
    engine.write(async (tx: Writer) => {
      await newOrders.insert(tx, row, 'ON CONFLICT (project_id, idempotency_digest) DO NOTHING')
      const params = [row.projectId, row.idempotencyDigest]
      return (await orders.get(tx, 'WHERE project_id = $1 AND idempotency_digest = $2', params))!
    }),
})
