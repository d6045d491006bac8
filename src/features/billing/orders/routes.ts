import { tokenDigest } from '../../../base/signatures.ts'
import { Refusal } from '../../../contract/errors.ts'
import type { PageParameters } from '../../../contract/paging.ts'
import type { CreateOrderRequest } from '../../../contract/schemas/account.ts'
import { endpoint, ok, pathParameter, type ViewDeps, view } from '../../../http/endpoint.ts'
import { requireIdempotencyKey } from '../../../http/guards.ts'
import type { Call, Route } from '../../../http/route.ts'
import type { Orders } from './orders.ts'

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
export function orderListRoutes({ orders, ...deps }: ViewDeps & { readonly orders: Orders }): Route[] {
  const { operation, guards } = deps
  const [order, cancel] = [operation('console.orders.read'), operation('console.orders.cancel')]
  return [
    view<PageParameters>(deps, 'console.orders.list', async ({ session, query }) =>
      ok(await orders.page(session.projectId, query)),
    ),
    view(deps, order.id, async ({ session, call }) =>
      ok(await orders.read(session.projectId, pathParameter(order, call, 'orderId'))),
    ),
    endpoint(cancel, async (call, read) => {
      const { projectId } = await guards.sensitiveWrite(call)
      await read(call)
      return ok(await orders.cancel(projectId, pathParameter(cancel, call, 'orderId')))
    }),
  ]
}
