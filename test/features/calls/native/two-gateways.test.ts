import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectInContract, expectRefusal } from '../../../../testkit/gateway/contract-check.ts'
import { type Gateway, startGateway } from '../../../../testkit/gateway/gateway.ts'
import { PayingCustomer } from '../../../../testkit/gateway/paying-customer.ts'
import { goodProvider, linkHost, shownBy } from '../../../../testkit/providers/good-provider.ts'
import { behaves, closedPort, startUpstream, type Upstream } from '../../../../testkit/providers/upstream.ts'
import { type Database, migratedDatabase } from '../../../../testkit/store/engines.ts'

const request = { prompt: '你好', provider: 'model_provider_a' }

describe('two gateways on one database', () => {
  let upstream: Upstream
  let database: Database
  let gateways: Gateway[]
  /** The same customer at each of them. */
  let customers: PayingCustomer[]

  beforeAll(async () => {
    upstream = await startUpstream(goodProvider)
    database = await migratedDatabase('postgres')
    const model = { adapter: 'openai', baseUrl: upstream.url, models: { fast: 'upstream-fast' } }
    const file = {
      models: {
        providers: {
          model_provider_a: model,
          model_provider_b: { ...model, baseUrl: `http://127.0.0.1:${await closedPort()}` },
        },
      },
      shopping: { mode: 'pick-http', providers: { shop_provider_a: { baseUrl: upstream.url, linkHosts: [linkHost] } } },
    }
    gateways = [await startGateway({ database, file }), await startGateway({ database, file })]
    const customer = await PayingCustomer.join(gateways[0]!)
    customers = [customer, customer.at(gateways[1]!)]
  })
  afterAll(async () => {
    await Promise.all(gateways.map((gateway) => gateway.stop()))
    await database.remove()
    await upstream.close()
  })

  it('of many calls with the same key at two gateways one is charged and forwarded, and all get its response', async () => {
    for (let round = 0; round < 5; round += 1) {
      const key = customers[0]!.newKey()
      const before = await customers[0]!.credits()
      const arrived = upstream.calls.length
      const responses = await Promise.all(
        Array.from({ length: 16 }, (_, i) => customers[i % 2]!.call('model.chat', request, key)),
      )
      expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
      expect(responses[0]!.status).toBe(200)
      expect(responses.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1)
      expect(upstream.calls).toHaveLength(arrived + 1)
      expect(await customers[1]!.credits()).toEqual({ available: before.available - 3, reserved: 0 })
    }
  })

  it('a duplicate at one gateway waits for the call at the other, however it ends', async () => {
    const key = customers[0]!.newKey()
    upstream.program(behaves.hang())
    const arrived = upstream.calls.length
    const original = customers[0]!.call('model.chat', request, key)
    await upstream.received(arrived + 1)
    const duplicate = customers[1]!.call('model.chat', request, key)
    // Once a later request of the customer is served there, the duplicate is known to be waiting.
    await customers[1]!.credits()
    await upstream.dropConnections()
    upstream.program(goodProvider)
    const [first, second] = await Promise.all([original, duplicate])
    expect(first!.status).toBe(202)
    expectInContract('model.chat', first!)
    expect({ status: second!.status, text: second!.text }).toEqual({ status: 202, text: first!.text })
    expect(second!.headers['idempotent-replayed']).toBe('true')
    expect(upstream.calls).toHaveLength(arrived + 1)
  })

  it('a key freed at one gateway is free at the other', async () => {
    const key = customers[0]!.newKey()
    const unreachable = { ...request, provider: 'model_provider_b' }
    expectRefusal('model.chat', await customers[0]!.call('model.chat', unreachable, key), 'PROVIDER_UNAVAILABLE')
    const response = await customers[1]!.call('model.chat', request, key)
    expect(response.status).toBe(200)
    expect(response.headers['idempotent-replayed']).toBeUndefined()
    expectRefusal('model.chat', await customers[0]!.call('model.chat', unreachable, key), 'IDEMPOTENCY_CONFLICT')
  })

  it('items shown by one gateway can be read at the other', async () => {
    await customers[0]!.call('pick.search', { query: '杯' })
    expect((await customers[1]!.call('pick.links', { itemRefs: shownBy('shop_provider_a') })).status).toBe(200)
  })

  it('the last credits are spent once, although both gateways get calls', async () => {
    const poor = await PayingCustomer.join(gateways[0]!, { amountFen: 100 })
    const at = [poor, poor.at(gateways[1]!)]
    const responses = await Promise.all(Array.from({ length: 12 }, (_, i) => at[i % 2]!.call('model.chat', request)))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, ...Array(9).fill(402)])
    expect(await poor.credits()).toEqual({ available: 1, reserved: 0 })
  })
})
