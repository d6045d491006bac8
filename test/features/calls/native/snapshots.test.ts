import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BillableOperation, billableOperations } from '../../../../src/contract/prices.ts'
import type { ItemRef } from '../../../../src/contract/schemas/products.ts'
import { expectRefusal } from '../../../../testkit/gateway/contract-check.ts'
import { type Gateway, startGateway, TestClock } from '../../../../testkit/gateway/gateway.ts'
import { PayingCustomer } from '../../../../testkit/gateway/paying-customer.ts'
import { goodProvider, goodResponse, shownBy } from '../../../../testkit/providers/good-provider.ts'
import { agentOperations, byAgent, operationRows } from '../../../../testkit/providers/operation-rows.ts'
import { behaves, startUpstream, type Upstream } from '../../../../testkit/providers/upstream.ts'
import { type Database, httpEngines, migratedDatabase } from '../../../../testkit/store/engines.ts'

const [first, second] = shownBy('shop_provider_a')

/** Every operation that reads what a search showed, and an agent that runs each of them. */
type Reader = [name: string, operation: BillableOperation, request: (items: ItemRef[]) => object]
const readers = billableOperations.flatMap((operation): Reader[] => {
  const { reading } = operationRows[operation]
  if (operation === 'agent.run' || !reading) return []
  const tools = agentOperations.filter((tool) => operation === `pick.${tool}`)
  return [
    [operation, operation, reading],
    ...tools.map((tool): Reader => [`agent.run ${tool}`, 'agent.run', (items) => byAgent(tool, reading(items))]),
  ]
})

describe.each(httpEngines)('items that searches showed, on %s', (engine) => {
  const clock = new TestClock()
  let upstream: Upstream
  let database: Database
  let gateway: Gateway

  const start = (file: object = config(upstream)) => startGateway({ database, clock: clock.read, file })
  const restart = async (file?: object) => {
    await gateway.stop()
    gateway = await start(file)
  }

  beforeAll(async () => {
    upstream = await startUpstream(goodProvider)
    database = await migratedDatabase(engine)
    gateway = await start()
  })
  afterAll(async () => {
    await gateway.stop()
    await database.remove()
    await upstream.close()
  })

  const search = async (customer: PayingCustomer, query = '杯') => {
    const response = await customer.call('pick.search', { query, provider: 'shop_provider_a' })
    expect(response.status).toBe(200)
    return response
  }

  it.each(readers)('%s reads nothing that was shown only to another project', async (_, operation, request) => {
    const [owner, stranger] = [await PayingCustomer.join(gateway), await PayingCustomer.join(gateway)]
    await search(owner)
    const forwarded = upstream.calls.length
    const ask = (refs: ItemRef[]) => stranger.call(operation, request(refs))
    expectRefusal(operation, await ask([first!, second!]), 'PROVIDER_CAPABILITY_UNSUPPORTED')
    expect(await stranger.credits()).toEqual({ available: 10_000, reserved: 0 })
    expect(upstream.calls).toHaveLength(forwarded)
    expect((await owner.call(operation, request([first!, second!]))).status).toBe(200)
  })

  it.each(readers)(
    '%s reads nothing that no search returned: another shop, another letter case',
    async (_, operation, request) => {
      const customer = await PayingCustomer.join(gateway)
      await search(customer)
      const strange = [
        { provider: 'shop_provider_b', productId: 'p-1' },
        { ...first!, productId: 'P-1' },
        { ...first!, productId: 'p-1\u0000' },
        { ...first!, productId: 'p-\ud800' },
        { ...first!, productId: "p-1' OR '1'='1" },
      ]
      for (const ref of strange) {
        expectRefusal(
          operation,
          await customer.call(operation, request([ref, first!])),
          'PROVIDER_CAPABILITY_UNSUPPORTED',
        )
      }
      expect(await customer.credits()).toEqual({ available: 9_998, reserved: 0 })
    },
  )

  it('after a restart every operation reads what was shown before and replays what was stored', async () => {
    const customer = await PayingCustomer.join(gateway)
    await search(customer)
    const requests = readers.map(([, operation, request]) => ({ operation, request: request([first!, second!]) }))
    const keys = requests.map(() => customer.newKey())
    const askAll = (at: PayingCustomer, keyOf: (place: number) => string) =>
      Promise.all(requests.map(({ operation, request }, place) => at.call(operation, request, keyOf(place))))
    const before = await askAll(customer, (place) => keys[place]!)
    await restart()
    const returned = customer.at(gateway)
    const fresh = await askAll(returned, () => returned.newKey())
    expect(fresh.map(({ status }) => status)).toEqual(readers.map(() => 200))
    expect(fresh.map(({ body }) => body.data)).toEqual(before.map(({ body }) => body.data))
    const replays = await askAll(returned, (place) => keys[place]!)
    expect(replays.map(({ text }) => text)).toEqual(before.map(({ text }) => text))
    expect(replays.every(({ headers }) => headers['idempotent-replayed'] === 'true')).toBe(true)
  })

  it.each(readers)(
    '%s reads an item until the end of its snapshotDays and not after',
    async (_, operation, request) => {
      const customer = await PayingCustomer.join(gateway)
      await search(customer)
      clock.advanceSeconds(2 * 86_400 - 1)
      expect((await customer.call(operation, request([first!, second!]))).status).toBe(200)
      clock.advanceSeconds(1)
      const late = await customer.call(operation, request([first!, second!]))
      expectRefusal(operation, late, 'PROVIDER_CAPABILITY_UNSUPPORTED')
    },
  )

  it('an item is read as it was last shown', async () => {
    const customer = await PayingCustomer.join(gateway)
    await search(customer)
    upstream.program((wire, call) => {
      const { items } = goodResponse(call) as { items: object[] }
      behaves.respond(200, { items: items.map((item) => ({ ...item, priceCents: 1 })) })(wire, call)
    })
    await search(customer, 'the same items for less')
    upstream.program(goodProvider)
    const { body } = await customer.call('pick.compare', { itemRefs: [first, second] })
    expect(body.data.items.map((item: { priceCents: number }) => item.priceCents)).toEqual([1, 1])
  })

  it('items of a shop are not read once the gateway shows local fixtures', async () => {
    const customer = await PayingCustomer.join(gateway)
    await search(customer)
    await restart({})
    const filter = () => customer.at(gateway).call('pick.filter', { itemRefs: [first] })
    expectRefusal('pick.filter', await filter(), 'PROVIDER_CAPABILITY_UNSUPPORTED')
    await restart()
    expect((await filter()).status).toBe(200)
  })

  describe('the cache of searches', () => {
    const request = { query: '保温杯', provider: 'shop_provider_a', limit: 2 }

    it.each(['pick.search', 'shopping.search'] as const)(
      '%s serves a repeated search without a provider, for the full price',
      async (operation) => {
        const customer = await PayingCustomer.join(gateway)
        const original = await customer.call(operation, request)
        expect(original.body.usage).toEqual({ providerCalls: 1, resultCount: 2 })
        const forwarded = upstream.calls.length
        const repeated = await customer.call(operation, { ...request, sort: 'relevance' })
        expect(repeated.body.usage).toEqual({ providerCalls: 0, resultCount: 2 })
        expect(repeated.body.data).toEqual(original.body.data)
        expect(upstream.calls).toHaveLength(forwarded)
        expect(await customer.credits()).toEqual({ available: 10_000 - 4, reserved: 0 })
      },
    )

    it('the cache of searches forgets a search after cacheSeconds', async () => {
      const customer = await PayingCustomer.join(gateway)
      const callsOf = async () => (await customer.call('pick.search', request)).body.usage.providerCalls
      expect(await callsOf()).toBe(1)
      clock.advanceSeconds(59)
      expect(await callsOf()).toBe(0)
      clock.advanceSeconds(1)
      expect(await callsOf()).toBe(1)
    })

    it('the cache of searches never gives one project the results of another', async () => {
      const [one, other] = [await PayingCustomer.join(gateway), await PayingCustomer.join(gateway)]
      await one.call('pick.search', request)
      const forwarded = upstream.calls.length
      const response = await other.call('pick.search', request)
      expect(response.body.usage.providerCalls).toBe(1)
      expect(upstream.calls).toHaveLength(forwarded + 1)
    })

    it('the cache of searches does not cache a search in which a shop failed', async () => {
      const customer = await PayingCustomer.join(gateway)
      const both = { query: '杯', providers: ['shop_provider_a', 'shop_provider_b'] }
      upstream.program((wire, call) => (call.path.startsWith('/b') ? behaves.respond(500) : goodProvider)(wire, call))
      const partial = await customer.call('pick.search', both)
      expect(
        partial.body.data.items.every((item: { itemRef: object }) => JSON.stringify(item.itemRef).includes('_a')),
      ).toBe(true)
      expect(partial.body.usage).toEqual({ providerCalls: 2, resultCount: 3 })
      upstream.program(goodProvider)
      expect((await customer.call('pick.search', both)).body.usage.providerCalls).toBe(2)
      expect((await customer.call('pick.search', both)).body.usage.providerCalls).toBe(0)
    })
  })
})

function config({ url }: Upstream): object {
  const shop = (path: string) => ({ baseUrl: `${url}/${path}`, linkHosts: ['item.shop.example'] })
  const providers = { shop_provider_a: shop('a'), shop_provider_b: shop('b'), shop_provider_c: shop('c') }
  return { shopping: { mode: 'pick-http', snapshotDays: 2, cacheSeconds: 60, providers } }
}
