import { tokenDigest } from '../../../base/signatures.ts'
import { Refusal } from '../../../contract/errors.ts'
import type { PageParameters } from '../../../contract/paging.ts'
import type { CreateOrderRequest } from '../../../contract/schemas/account.ts'
import { endpoint, ok, pathParameter, type ViewDeps, viewRoute } from '../../../http/endpoint.ts'
import { requireIdempotencyKey } from '../../../http/guards.ts'
import type { Call, Route } from '../../../http/route.ts'
import type { CreatePaymentRequest } from './contract.ts'
import type { Orders } from './orders.ts'
import type { Payments } from './payments.ts'

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

export function orderListRoutes({ orders, ...deps }: ViewDeps & { readonly orders: Orders }): Route[] {
  const { operation, guards } = deps
  const [order, cancel] = [operation('console.orders.read'), operation('console.orders.cancel')]
  return [
    viewRoute<PageParameters>(deps, 'console.orders.list', async ({ session, query }) =>
      ok(await orders.page(session.projectId, query)),
    ),
    viewRoute(deps, order.id, async ({ session, call }) =>
      ok(await orders.read(session.projectId, pathParameter(order, call, 'orderId'))),
    ),
    endpoint(cancel, async (call, read) => {
      const { projectId } = await guards.sensitiveWrite(call)
      await read(call)
      return ok(await orders.cancel(projectId, pathParameter(cancel, call, 'orderId')))
    }),
  ]
}

export function paymentRoutes({ payments, ...deps }: ViewDeps & { readonly payments: Payments }): Route[] {
  const { operation, guards } = deps
  const one = operation('console.payments.read')

  function action(
    id: string,
    status: number,
    act: (projectId: string, paymentId: string) => Promise<object>,
    admit = guards.sensitiveWrite,
  ): Route {
    const row = operation(id)
    return endpoint<object>(row, async (call, read) => {
      const { projectId } = await admit(call)
      await read(call)
      return { status, body: await act(projectId, pathParameter(row, call, 'paymentId')) }
    })
  }

  return [
    viewRoute(deps, 'console.payments.methods', () => ok({ methods: payments.methods })),
    endpoint<CreatePaymentRequest>(operation('console.payments.create'), async (call, read) => {
      const { projectId } = await guards.sensitiveWrite(call)
      await call.readJson()
      const idempotencyDigest = tokenDigest('idempotency', requireIdempotencyKey(call))
      const { amountFen, method, display = 'qr' } = await read(call)
      const { address: clientAddress } = call.requester
      const payment = { projectId, amountFen, method, display, idempotencyDigest, clientAddress }
      return { status: 201, body: await payments.create(payment) }
    }),
    viewRoute<{ after?: string; limit: number }>(deps, 'console.payments.list', async ({ session, query }) =>
      ok(await payments.page(session.projectId, query.after, query.limit)),
    ),
    viewRoute(deps, one.id, async ({ session, call }) =>
      ok(await payments.read(session.projectId, pathParameter(one, call, 'paymentId'))),
    ),
    action('console.payments.check', 202, payments.check, guards.sessionWrite),
    action('console.payments.cancel', 200, payments.cancel),
  ]
}
