import { expect, it } from 'vitest'
import { Gateway, type WebhookEvent } from '../../sdk/src/index.ts'
import { compile } from '../../src/contract/validate.ts'
import { WebhookEvent as EventSchema } from '../../src/features/notifications/webhooks/contract.ts'
import { startGateway } from '../../testkit/gateway/gateway.ts'
import { PayingCustomer } from '../../testkit/gateway/paying-customer.ts'
import { startReceiver } from '../../testkit/webhooks/receiver.ts'

/** Compiles only because `type` decides what `data` is. */
function creditsIn(event: WebhookEvent): number | null {
  return event.type === 'order.credited' ? event.data.credits : null
}

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
