import type { OrderState } from '../../ledger/commands.ts'
import type { Engine, Writer } from '../../storage/engine.ts'
import { integer, orNull, rowMapper, text } from '../../storage/row-mapper.ts'

const orders = rowMapper('orders', {
  orderId: text(),
  projectId: text(),
  amountFen: integer(),
  creditAmount: integer(),
  pricingVersion: text(),
  state: text<OrderState['state']>(),
  createdAt: integer(),
  creditedAt: orNull(integer()),
})
const newOrders = rowMapper('orders', { ...orders.columns, idempotencyDigest: text() })

/** Orders are listed by their time and, within one millisecond, by their id. */
export type OrderPosition = Pick<OrderState, 'createdAt' | 'orderId'>

export type OrderStore = ReturnType<typeof createOrderStore>

const newestFirst = 'ORDER BY created_at DESC, order_id DESC LIMIT'

export const createOrderStore = (engine: Engine) => ({
  orders: (projectId: string, before: OrderPosition | null, limit: number) => {
    const position = [before?.createdAt ?? Number.MAX_SAFE_INTEGER, before?.orderId ?? '']
    const rest = `WHERE project_id = $1 AND (created_at, order_id) < ($2, $3) ${newestFirst} $4`
    return engine.read((tx) => orders.all(tx, rest, [projectId, ...position, limit]))
  },
  order: (projectId: string, orderId: string) =>
    engine.read((tx) => orders.get(tx, 'WHERE order_id = $2 AND project_id = $1', [projectId, orderId])),
  /** Whether a payment pays the order: then it cannot be confirmed by hand. */
  hasPayment: (projectId: string, orderId: string) =>
    engine.read(async (tx) => {
      const sql = 'SELECT 1 AS found FROM payments WHERE order_id = $2 AND project_id = $1'
      return (await tx.get(sql, [projectId, orderId])) !== undefined
    }),
  recent: (projectId: string, limit: number) =>
    engine.read((tx) => orders.all(tx, `WHERE project_id = $1 ${newestFirst} $2`, [projectId, limit])),
  /** Inserts the order, or returns the one that already has this Idempotency-Key. */
  insertOrFind: (row: OrderState & { readonly idempotencyDigest: string }) =>
    engine.write(async (tx: Writer) => {
      await newOrders.insert(tx, row, 'ON CONFLICT (project_id, idempotency_digest) DO NOTHING')
      const params = [row.projectId, row.idempotencyDigest]
      return (await orders.get(tx, 'WHERE project_id = $1 AND idempotency_digest = $2', params))!
    }),
})
