import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { look } from '../../../testkit/gateway/console-contract.ts'
import { type Gateway, startGateway } from '../../../testkit/gateway/gateway.ts'
import { PayingCustomer } from '../../../testkit/gateway/paying-customer.ts'
import { engines } from '../../../testkit/store/engines.ts'

describe.each(engines)('search in the console on %s', (engine) => {
  let gateway: Gateway
  let owner: PayingCustomer
  let other: PayingCustomer
  beforeAll(async () => {
    gateway = await startGateway({ engine })
    owner = await PayingCustomer.join(gateway)
    other = await PayingCustomer.join(gateway)
  })
  afterAll(() => gateway.stop())

  const search = async (customer: PayingCustomer, q: string) =>
    (await look(customer.browser, 'console.search', `?q=${encodeURIComponent(q)}`)).items

  test('search in the console finds each thing of the project by its id or its beginning, and nothing of another project', async () => {
    const headers = (await owner.call('model.chat', { prompt: 'hello' })).headers
    const chargeId = String(headers['x-charge-id'])
    const requestId = String(headers['x-request-id'])
    const [order] = (await owner.browser.get('/v1/console/orders')).body.items
    const [event] = (await look(owner.browser, 'console.events.list')).items
    const [key] = (await look(owner.browser, 'console.keys.list')).items
    const job = await gateway.call(owner.apiKey, '/v1/media/jobs', 'a job', { prompt: 'a cat', seconds: 2 })
    const payment = { amountFen: 20_000, method: 'simulated' }
    const paid = await owner.browser.post('/v1/console/payments', payment, { 'idempotency-key': 'paid' })
    for (const [id, kind] of [
      [chargeId, 'charge'],
      [requestId, 'request'],
      [order.orderId, 'order'],
      [event.id, 'event'],
      [key.keyId, 'key'],
      [job.body.jobId, 'job'],
      [paid.body.paymentId, 'payment'],
    ]) {
      expect(await search(owner, id)).toMatchObject([{ kind, id }])
      expect(await search(other, id)).toEqual([])
      for (const beginning of [id.slice(0, 6), id.slice(0, 17), id.slice(0, -1)]) {
        expect(await search(owner, beginning)).toContainEqual(expect.objectContaining({ kind, id }))
        expect(await search(other, beginning)).not.toContainEqual(expect.objectContaining({ id }))
      }
    }
    expect(await search(owner, paid.body.paymentId)).toMatchObject([{ name: paid.body.orderId }])
    expect(await search(owner, requestId)).toMatchObject([{ chargeId, name: 'model.chat' }])
  })

  test('search in the console finds keys by a part of their name, whatever its case, and no more than 20', async () => {
    for (let n = 0; n < 25; n += 1) {
      const body = { name: `Shop 助手 ${n}`, scopes: ['models:invoke'] }
      await owner.browser.post('/v1/console/keys', body, { 'idempotency-key': `key ${n}` })
    }
    expect(await search(owner, 'shop 助手 24')).toMatchObject([{ kind: 'key', name: 'Shop 助手 24' }])
    expect(await search(owner, '助手')).toHaveLength(20)
    expect(await search(owner, 'nothing of that name')).toEqual([])
    expect(await search(owner, "%' OR 1=1 --")).toEqual([])
  })

  test('search in the console takes only a text of 2 to 64 characters, and is in the document of the console alone', async () => {
    for (const q of ['x', 'x'.repeat(65)])
      expect((await owner.browser.get(`/v1/console/search?q=${q}`)).status).toBe(400)
    expect((await gateway.send('GET', '/v1/console/search?q=chg_1')).status).toBe(401)
    expect((await gateway.send('GET', '/openapi.json')).text).not.toContain('/console/search')
    expect((await gateway.send('GET', '/console/openapi.json')).text).toContain('/console/search')
  })
})
