import { tokenDigest } from '../../base/signatures.ts'
import { Refusal } from '../../contract/errors.ts'
import type { Operation } from '../../contract/operation.ts'
import type { CreateOrderRequest } from '../../contract/schemas/account.ts'
import { endpoint, pathParameter } from '../../http/endpoint.ts'
import { type Guards, requireIdempotencyKey } from '../../http/guards.ts'
import type { Call, Route } from '../../http/route.ts'
import type { Orders } from './orders.ts'

export function orderRoutes({
  operation,
  guards,
  orders,
}: {
  operation: (id: string) => Operation
  guards: Guards
  orders: Orders
}): Route[] {
  async function requirePayment(call: Call): Promise<string> {
    const { projectId } = await guards.sessionWrite(call)
    if (!orders.isOpen) throw new Refusal('SIMULATED_PAYMENT_DISABLED')
    return projectId
  }

  const confirm = operation('orders.confirm')
  return [
    endpoint<CreateOrderRequest>(operation('orders.create'), async (call, read) => {
      const projectId = await requirePayment(call)
      await call.readJson()
      const idempotencyKey = requireIdempotencyKey(call)
      const { amountFen } = await read(call)
      return {
        status: 201,
        body: await orders.create(projectId, amountFen, tokenDigest('idempotency', idempotencyKey)),
      }
    }),
    endpoint(confirm, async (call, read) => {
      const projectId = await requirePayment(call)
      await read(call)
      return { status: 200, body: await orders.confirm(projectId, pathParameter(confirm, call, 'orderId')) }
    }),
  ]
}
