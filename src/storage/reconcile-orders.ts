import type { OrderState } from '../ledger/commands.ts'
import type { Reader } from './engine.ts'

/** One order with the lots made of it. */
export interface OrderBooks {
  readonly orderId: string
  readonly projectId: string
  readonly creditAmount: number
  readonly state: OrderState['state']
  readonly lots: number
  readonly lotAmount: number
  /** Lots that another project holds. */
  readonly strays: number
}

/** Orders in the order of their ids, past `after`. */
export const orderPage = (tx: Reader, after: string, limit: number): Promise<OrderBooks[]> =>
  tx.all<OrderBooks>(
    `SELECT o.order_id AS "orderId", o.project_id AS "projectId", o.credit_amount AS "creditAmount", o.state,
      COUNT(l.lot_id) AS lots, COALESCE(SUM(l.amount), 0) AS "lotAmount",
      COALESCE(SUM(CASE WHEN l.project_id <> o.project_id THEN 1 ELSE 0 END), 0) AS strays
    FROM (SELECT order_id, project_id, credit_amount, state FROM orders WHERE order_id > $1 ORDER BY order_id LIMIT $2) o
      LEFT JOIN credit_lots l ON l.order_id = o.order_id
    GROUP BY o.order_id, o.project_id, o.credit_amount, o.state ORDER BY o.order_id`,
    [after, limit],
  )

export interface BookSize {
  readonly projects: number
  readonly charges: number
  readonly orders: number
  readonly entries: number
}

export const bookSize = async (tx: Reader): Promise<BookSize> =>
  (await tx.get<BookSize>(
    `SELECT (SELECT COUNT(*) FROM projects) AS projects, (SELECT COUNT(*) FROM charges) AS charges,
      (SELECT COUNT(*) FROM orders) AS orders, (SELECT COUNT(*) FROM ledger_entries) AS entries`,
  ))!
