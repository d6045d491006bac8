import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BillableOperation, prices } from '../../../../src/contract/prices.ts'
import { expectInContract } from '../../../../testkit/gateway/contract-check.ts'
import { type Gateway, startGateway, TestClock } from '../../../../testkit/gateway/gateway.ts'
import { PayingCustomer } from '../../../../testkit/gateway/paying-customer.ts'
import { httpEngines } from '../../../../testkit/store/engines.ts'

const a = { provider: 'shop_provider_a', productId: 'a-1001' }
const b = { provider: 'shop_provider_b', productId: 'b-2044' }
const c = { provider: 'shop_provider_c', productId: 'c-3022' }
const itemOf = (itemRef: object, title: string, priceCents: number, highlights: string[]) => ({
  itemRef,
  title,
  priceCents,
  currency: 'CNY',
  availability: 'available',
  highlights,
  reason: '标题与“保温杯”相符',
  testOnly: true,
})
const items = {
  a: itemOf(a, '不锈钢保温杯 500ml', 4900, ['304 不锈钢', '防漏杯盖']),
  b: itemOf(b, '便携保温杯 350ml', 3900, ['304 不锈钢', '防漏杯盖']),
  c: itemOf(c, '儿童保温杯 吸管款 400ml', 8900, ['316 不锈钢', '双盖可换']),
}
const mode = 'local-mock'

describe.each(httpEngines)('the billable operations on %s', (engine) => {
  const clock = new TestClock()
  let gateway: Gateway
  let customer: PayingCustomer

  beforeAll(async () => {
    gateway = await startGateway({ engine, clock: clock.read })
    customer = await PayingCustomer.join(gateway)
    // The read-only operations need items that a search has shown.
    await customer.call('pick.search', { query: '保温杯' })
  })
  afterAll(() => gateway.stop())

  /** A new call that matches the contract and costs exactly its price. */
  async function settled(operation: BillableOperation, request: object) {
    const before = await customer.credits()
    const response = await customer.call(operation, request)
    const price = prices[operation].credits
    expect(response).toMatchObject({ status: 200, body: { status: 'settled', operation, chargedCredits: price } })
    expectInContract(operation, response)
    expect(response.headers['idempotent-replayed']).toBeUndefined()
    expect(await customer.credits()).toEqual({ available: before.available - price, reserved: 0 })
    return { data: response.body.data, usage: response.body.usage }
  }

  it('model.chat uses the default provider and model, and its units add up', async () => {
    const { data, usage } = await settled('model.chat', { prompt: '你好' })
    expect(data).toEqual({
      provider: 'model_provider_a',
      model: 'local-small',
      output: expect.stringContaining('你好'),
    })
    expect(usage.inputUnits).toBeGreaterThan(0)
    expect(usage.totalUnits).toBe(usage.inputUnits + usage.outputUnits)
  })

  it('model.chat uses the provider and model that were named', async () => {
    const { data } = await settled('model.chat', { prompt: 'Hi', provider: 'model_provider_c', model: 'local-large' })
    expect(data).toMatchObject({ provider: 'model_provider_c', model: 'local-large' })
  })

  it.each(['shopping.search', 'pick.search'] as const)(
    '%s searches all shops when none is named',
    async (operation) => {
      // Not the query used above, which is in the cache.
      const { data, usage } = await settled(operation, { query: ' 保温杯', sort: 'price_asc', limit: 2 })
      expect(data).toEqual({ query: ' 保温杯', items: [items.b, items.a], mode })
      expect(usage).toEqual({ providerCalls: 3, resultCount: 2 })
    },
  )

  it.each(['shopping.search', 'pick.search'] as const)(
    '%s searches only the shops that are named',
    async (operation) => {
      const one = await settled(operation, { query: '保温杯', provider: 'shop_provider_c', limit: 1 })
      expect(one).toEqual({
        data: { query: '保温杯', items: [items.c], mode },
        usage: { providerCalls: 1, resultCount: 1 },
      })
      const request = {
        query: '保温杯',
        providers: ['shop_provider_b', 'shop_provider_a'],
        filters: { maxPriceCents: 4000 },
      }
      const two = await settled(operation, request)
      expect(two.data.items[0]).toEqual(items.b)
      expect(two.data.items.every((item: { priceCents: number }) => item.priceCents <= 4000)).toBe(true)
      expect(two.usage).toEqual({ providerCalls: 2, resultCount: two.data.items.length })
    },
  )

  it.each(['shopping.search', 'pick.search'] as const)(
    '%s is charged even when it finds nothing',
    async (operation) => {
      expect(await settled(operation, { query: 'zzzz qqqq', filters: { maxPriceCents: 0 } })).toEqual({
        data: { query: 'zzzz qqqq', items: [], mode },
        usage: { providerCalls: 3, resultCount: 0 },
      })
    },
  )

  it('pick.filter keeps the items that match the criteria, in the order of the request', async () => {
    expect(await settled('pick.filter', { itemRefs: [c, a, b], criteria: { maxPriceCents: 4900 } })).toEqual({
      data: { items: [items.a, items.b], criteria: { maxPriceCents: 4900 }, mode },
      usage: {},
    })
    expect(await settled('pick.filter', { itemRefs: [c] })).toEqual({
      data: { items: [items.c], criteria: {}, mode },
      usage: {},
    })
  })

  it('pick.filter finds an item whose id was sent with white space at its edges', async () => {
    const { data } = await settled('pick.filter', { itemRefs: [{ ...a, productId: ' a-1001\t' }] })
    expect(data.items).toEqual([items.a])
  })

  it('pick.compare puts the items side by side', async () => {
    expect(await settled('pick.compare', { itemRefs: [b, c] })).toEqual({
      data: { items: [items.b, items.c], dimensions: ['priceCents', 'availability', 'highlights'], mode },
      usage: {},
    })
  })

  it('pick.recommend ranks by a fixed rule, whatever the order of the items', async () => {
    const byPrice = {
      data: {
        items: [items.b, items.a, items.c],
        preferences: { priority: 'price' },
        method: 'deterministic-local-rule',
        mode,
      },
      usage: {},
    }
    const preferences = { priority: 'price' }
    expect(await settled('pick.recommend', { itemRefs: [a, b, c], preferences })).toEqual(byPrice)
    expect(await settled('pick.recommend', { itemRefs: [c, b, a], preferences })).toEqual(byPrice)
    const { data } = await settled('pick.recommend', { itemRefs: [c], preferences: {} })
    expect(data).toMatchObject({ items: [items.c], preferences: { priority: 'balanced' } })
  })

  it('pick.prepurchase_review says what is known and what is not', async () => {
    const { data, usage } = await settled('pick.prepurchase_review', { itemRef: a, requirements: ['304', '带茶漏'] })
    expect(data).toMatchObject({ itemRef: a, mode })
    expect(data.checks).toContainEqual(expect.objectContaining({ code: 'requirement_1', status: 'known' }))
    expect(data.checks).toContainEqual(expect.objectContaining({ code: 'requirement_2', status: 'unknown' }))
    expect(usage).toEqual({})
  })

  it('pick.links returns an https link for each item, and the disclosure', async () => {
    expect(await settled('pick.links', { itemRefs: [b, a] })).toEqual({
      data: {
        items: [
          { itemRef: b, productUrl: 'https://item.shop-b.example/b-2044' },
          { itemRef: a, productUrl: 'https://item.shop-a.example/a-1001' },
        ],
        disclosure: '链接可能包含推广信息。',
        mode,
      },
      usage: {},
    })
  })

  it.each([
    ['search', 'pick.search', { query: '保温杯', limit: 2 }],
    ['filter', 'pick.filter', { itemRefs: [a, b], criteria: { maxPriceCents: 4000 } }],
    ['compare', 'pick.compare', { itemRefs: [a, b] }],
    ['recommend', 'pick.recommend', { itemRefs: [a, b], preferences: { priority: 'price' } }],
    ['prepurchase_review', 'pick.prepurchase_review', { itemRef: a, requirements: ['304'] }],
  ] as const)('agent.run %s wraps the data of %s under its own price', async (operation, wrapped, payload) => {
    const { data: result } = await settled(wrapped, payload)
    expect(await settled('agent.run', { tool: 'pick.assist', arguments: { operation, payload } })).toEqual({
      data: { tool: 'pick.assist', result: { operation, result } },
      usage: { toolCalls: 1 },
    })
  })

  it('items that an agent found can be read by the pick operations', async () => {
    const payload = { query: '咖啡豆', provider: 'shop_provider_a', limit: 1 }
    const found = await settled('agent.run', { tool: 'pick.assist', arguments: { operation: 'search', payload } })
    const [item] = found.data.result.result.items
    const { data } = await settled('pick.filter', { itemRefs: [item.itemRef] })
    expect(data.items).toEqual([item])
  })

  it('items that shopping.search found can be read by the pick operations', async () => {
    const found = await settled('shopping.search', { query: '台灯', provider: 'shop_provider_a', limit: 1 })
    const [item] = found.data.items
    expect((await settled('pick.links', { itemRefs: [item.itemRef] })).data.items).toHaveLength(1)
  })

  it.each([
    ['model.chat', { prompt: '\u0000\ud800 \u2028 🧧' }],
    ['pick.search', { query: '\u0000\udfff 保温杯 🧧' }],
    ['agent.run', { tool: 'pick.assist', arguments: { operation: 'search', payload: { query: '杯\ud800' } } }],
    ['pick.prepurchase_review', { itemRef: a, requirements: ['\u0000', '\ud83e', '🧧'.repeat(300)] }],
  ] as const)('%s accepts any text that JSON can carry, and replays the same bytes', async (operation, request) => {
    const key = customer.newKey()
    const first = await customer.call(operation, request, key)
    expect(first.status).toBe(200)
    expectInContract(operation, first)
    const again = await customer.call(operation, request, key)
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(again.text).toBe(first.text)
  })
})
