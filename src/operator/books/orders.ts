import type { Read } from '../../storage/reconcile/range.ts'
import { lastOrderId, type OrderBooks, orderPage } from '../../storage/reconcile/reconcile-orders.ts'
import type { Difference, ReconcileContext } from './differences.ts'

/** I5: a credited order has exactly one lot, with its project and amount; any other order has none. */
export async function reconcileOrders(read: Read, { pageRows, count, differences }: ReconcileContext): Promise<void> {
  const until = (await read(lastOrderId)) ?? ''
  let after = ''
  for (;;) {
    const page = await read((tx) => orderPage(tx, { after, until }, pageRows))
    const last = page.at(-1)
    if (!last) return
    for (const order of page) differences.add(checkOrder(order))
    count('orders', page.length)
    after = last.orderId
  }
}

export function checkOrder(order: OrderBooks): Difference[] {
  const isCredited = order.state === 'credited'
  const facts: [string, number, number][] = [
    [`lots of an order that is ${order.state}`, isCredited ? 1 : 0, order.lots],
    ['credits of its lot', order.lots === 1 ? order.creditAmount : order.lotAmount, order.lotAmount],
    ['lots in another project', 0, order.strays],
  ]
  return facts
    .filter(([, expected, found]) => expected !== found)
    .map(([what, expected, found]) => ({
      invariant: 'I5',
      projectId: order.projectId,
      at: order.orderId,
      what,
      expected,
      found,
    }))
}
