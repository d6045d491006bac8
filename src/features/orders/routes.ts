import { tokenDigest } from '../../base/signatures.ts'
import { Refusal } from '../../contract/errors.ts'
import type { PageParameters } from '../../contract/paging.ts'
import type { CreateOrderRequest } from '../../contract/schemas/account.ts'
import { endpoint, ok, pathParameter, type ViewDeps, view } from '../../http/endpoint.ts'
import { requireIdempotencyKey } from '../../http/guards.ts'
import type { Call, Route } from '../../http/route.ts'
import { type Orders, orderPage, publicOrder } from './orders.ts'
import type { OrderStore } from './store.ts'

export function orderRoutes({ operation, guards, orders }: ViewDeps & { readonly orders: Orders }): Route[] {
  async function requirePayment(call: Call): Promise<string> {
    const { projectId } = await guards.sensitiveWrite(call)
    if (!orders.isOpen) throw new Refusal('SIMULATED_PAYMENT_DISABLED')
    return projectId
  }

  const confirm = operation('orders.confirm')
  return [
    endpoint<CreateOrderRequest>(operation('orders.create'), async (call, read) => {
      const projectId = await requirePayment(call)
      await call.readJson()
      const idempotencyDigest = tokenDigest('idempotency', requireIdempotencyKey(call))
      const { amountFen } = await read(call)
      return { status: 201, body: await orders.create(projectId, amountFen, idempotencyDigest) }
    }),
    endpoint(confirm, async (call, read) => {
      const projectId = await requirePayment(call)
      await read(call)
      return ok(await orders.confirm(projectId, pathParameter(confirm, call, 'orderId')))
    }),
  ]
}

/** The orders of a project, for its console. */
export function orderListRoutes({ store, ...deps }: ViewDeps & { readonly store: OrderStore }): Route[] {
  const order = deps.operation('console.orders.read')
  return [
    view<PageParameters>(deps, 'console.orders.list', async ({ session, query }) =>
      ok(await orderPage(store, session.projectId, query)),
    ),
    view(deps, order.id, async ({ session, call }) => {
      const row = await store.order(session.projectId, pathParameter(order, call, 'orderId'))
      if (!row) throw new Refusal('ORDER_NOT_FOUND')
      return ok(publicOrder(row))
    }),
  ]
}
