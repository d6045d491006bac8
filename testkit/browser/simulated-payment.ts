import { expect, vi } from 'vitest'
import { sessionWriter } from './console-steps.ts'
import type { SiteVisit } from './set-up-console.ts'

let orders = 0

/** An order of the signed-in payer at the simulated provider, whose page pays it and makes faults. */
export async function simulatedPayment({ context, origin }: Pick<SiteVisit, 'context' | 'origin'>, amountFen: number) {
  orders += 1
  const order = { amountFen, method: 'simulated' }
  const key = { 'idempotency-key': `order ${orders}` }
  const write = sessionWriter(context, origin)
  const { paymentId, orderId, qrText } = await write('/v1/console/payments', order, key)
  const isShown = async (shown: object) =>
    expect(await (await context.request.get(`${origin}/v1/console/orders/${orderId}`)).json()).toMatchObject(shown)
  return {
    paymentId: paymentId!,
    send: (form: Record<string, string>) => context.request.post(qrText!, { form, headers: { origin } }),
    /** Until the payer's order is like this. */
    until: (shown: object) => vi.waitFor(() => isShown(shown), { timeout: 20_000, interval: 100 }),
  }
}

/** Pays another amount, which an operator has to credit or refund. */
export async function payOther(visit: Pick<SiteVisit, 'context' | 'origin'>, amountFen: number): Promise<string> {
  const { paymentId, send, until } = await simulatedPayment(visit, amountFen)
  await send({ action: 'pay_other' })
  await until({ state: 'in_review' })
  return paymentId
}

/** Pays twice; the second payment has to be refunded. */
export async function payTwice(visit: Pick<SiteVisit, 'context' | 'origin'>, amountFen: number): Promise<string> {
  const { paymentId, send, until } = await simulatedPayment(visit, amountFen)
  await send({ action: 'pay' })
  await until({ state: 'credited', extraPayments: [] })
  await send({ action: 'pay' })
  await until({ state: 'credited', extraPayments: [{ amountFen, refundedFen: 0 }] })
  return paymentId
}
