import type { OrderState } from '../../ledger/commands.ts'
import type { Reader } from '../engine.ts'
import type { Range } from './range.ts'

/** An order with its credit lots. */
export interface OrderBooks {
  readonly orderId: string
  readonly projectId: string
  readonly creditAmount: number
  readonly state: OrderState['state']
  readonly lots: number
  readonly lotAmount: number
  /** Lots of this order that belong to another project. */
  readonly strays: number
}

/** The last order by id; null if there is none. */
export const lastOrderId = async (tx: Reader): Promise<string | null> =>
  (await tx.get<{ last: string | null }>('SELECT MAX(order_id) AS last FROM orders'))!.last

/** The first orders of a range, in id order. Lots are read by the same range, as in `chargePage`. */
export async function orderPage(tx: Reader, { after, until }: Range, limit: number): Promise<OrderBooks[]> {
  const rows = await tx.all<Omit<OrderBooks, 'lots' | 'lotAmount' | 'strays'>>(
    `SELECT order_id AS "orderId", project_id AS "projectId", credit_amount AS "creditAmount", state
    FROM orders WHERE order_id > $1 AND order_id <= $2 ORDER BY order_id LIMIT $3`,
    [after, until, limit],
  )
  const lots = await tx.all<{ orderId: string; projectId: string; amount: number }>(
    `SELECT order_id AS "orderId", project_id AS "projectId", amount FROM credit_lots
    WHERE order_id > $1 AND order_id <= $2`,
    [after, rows.at(-1)?.orderId ?? after],
  )
  const byOrder = Map.groupBy(lots, ({ orderId }) => orderId)
  return rows.map((row) => {
    const own = byOrder.get(row.orderId) ?? []
    return {
      ...row,
      lots: own.length,
      lotAmount: own.reduce((sum, { amount }) => sum + amount, 0),
      strays: own.filter(({ projectId }) => projectId !== row.projectId).length,
    }
  })
}

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
