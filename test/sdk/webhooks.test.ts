import { expect, it } from 'vitest'
import { Gateway, type WebhookEvent } from '../../sdk/src/index.ts'
import { eventRows } from '../../src/contract/event-types.ts'
import { compile } from '../../src/contract/validate.ts'
import { WebhookEvent as EventSchema } from '../../src/features/notifications/webhooks/contract.ts'
import { startGateway } from '../../testkit/gateway/gateway.ts'
import { PayingCustomer } from '../../testkit/gateway/paying-customer.ts'
import { startReceiver } from '../../testkit/webhooks/receiver.ts'

/** Compiles only because `type` decides what `data` is. */
function creditsIn(event: WebhookEvent): number | null {
  return event.type === 'order.credited' ? event.data.credits : null
}

/** Compiles only because the union has these types. */
function fenIn({ type, data }: WebhookEvent): number[] {
  if (type === 'payment.in_review') return [data.amountFen, data.paidFen]
  if (type === 'payment.paid_twice') return [data.paidFen]
  return type === 'payment.refunded' ? [data.refundedFen] : []
}

it.each([
  ['payment.in_review', [5000, 3000]],
  ['payment.paid_twice', [5000]],
  ['payment.refunded', [5000]],
] as const)('the union of the SDK has %s, with its amounts', (type, fen) => {
  const data = eventRows[type].example
  const event = {
    id: 'evt_0VVm9dE6005fG8xVa4Mh',
    type,
    at: '2026-09-03T08:30:00.000Z',
    projectId: 'prj_3fQ7sJ8wMa2P',
    data,
  }
  expect(compile(EventSchema)(event)).toEqual({ ok: true })
  expect(fenIn(event as WebhookEvent)).toEqual(fen)
})

it('a delivery of a gateway is the event that the type of the SDK promises', async () => {
  const [gateway, receiver] = await Promise.all([startGateway(), startReceiver()])
  const { browser, projectId } = await PayingCustomer.join(gateway, { amountFen: 0 })
  const hook = { url: `${receiver.origin}/hooks`, types: ['order.credited'] }
  const { webhookId, secret } = (await browser.post('/v1/console/webhooks', hook)).body
  const unwrapped = async (count: number): Promise<WebhookEvent> => {
    await expect.poll(() => receiver.requests.length).toBe(count)
    const { body, headers } = receiver.requests[count - 1]!
    return Gateway.webhooks.unwrap(body, headers, secret)
  }

  await browser.recharge(1000)
  const credited = await unwrapped(1)
  expect(creditsIn(credited)).toBe(100)
  expect(credited).toEqual({
    id: receiver.requests[0]!.headers['webhook-id'],
    type: 'order.credited',
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    projectId,
    data: { orderId: expect.stringMatching(/^ord_/), credits: 100, available: 100 },
  })
  await browser.post(`/v1/console/webhooks/${webhookId}/test`, {})
  const test = await unwrapped(2)
  expect(test).toMatchObject({ type: 'webhook.test', data: {} })
  const check = compile(EventSchema)
  expect([credited, test].map(check)).toEqual([{ ok: true }, { ok: true }])
  await gateway.stop()
  await receiver.close()
})
