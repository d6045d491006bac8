import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { billableOperations } from '../../../src/contract/prices.ts'
import type { Item, ItemRef } from '../../../src/contract/schemas/products.ts'
import { recommend } from '../../../src/relay/operations/pick.ts'
import { operationRows } from '../../../testkit/providers/operation-rows.ts'
import {
  httpShopping,
  resultOf,
  type StartedOperations,
  startOperations,
} from '../../../testkit/providers/operations.ts'
import { providerNames } from '../../../testkit/providers/provider-names.ts'
import { behaves, startUpstream, type Upstream } from '../../../testkit/providers/upstream.ts'

const [a, b, c] = providerNames.shops as [string, string, string]
const unsupported = { kind: 'refused', code: 'PROVIDER_CAPABILITY_UNSUPPORTED', sent: false }
const bottleA = { provider: a, productId: 'a-1001' }
const bottleB = { provider: b, productId: 'b-2044' }
const bottleC = { provider: c, productId: 'c-3022' }

let gateway: StartedOperations
beforeEach(async () => {
  gateway = startOperations()
  await gateway.perform('pick.search', { query: '保温杯' })
})
afterEach(() => gateway.close())

const idsOf = (items: readonly { itemRef: ItemRef }[]) => items.map(({ itemRef }) => itemRef.productId)

describe('items that no search showed to the project', () => {
  const unseen = { provider: a, productId: 'a-1002' }
  it.each(billableOperations.filter((operation) => operationRows[operation].reading))(
    'items that no search showed to the project cannot be read by %s',
    async (operation) => {
      const request = operationRows[operation].reading!([unseen, bottleA])
      expect(await gateway.perform(operation, request)).toEqual(unsupported)
    },
  )

  it.each([
    ['of another project', bottleA, 'prj_2'],
    ['of another shop', { provider: b, productId: 'a-1001' }, 'prj_1'],
    ['in another letter case', { provider: a, productId: 'A-1001' }, 'prj_1'],
    ['with a NUL', { provider: a, productId: 'a-1001\0' }, 'prj_1'],
    ['with half a surrogate pair', { provider: a, productId: 'a-1001\ud800' }, 'prj_1'],
  ])('items that no search showed to the project include items %s', async (_, ref, projectId) => {
    expect(await gateway.perform('pick.filter', { itemRefs: [ref] }, projectId)).toEqual(unsupported)
  })

  it('items that no search showed to the project include items of the other mode, so that modes never mix', async () => {
    await using http = startOperations({
      shopping: httpShopping([null, null, null]),
      snapshots: { find: async () => gateway.shown.get('prj_1')! },
    })
    expect(await http.perform('pick.filter', { itemRefs: [bottleA] })).toEqual(unsupported)
  })
})

it('white space around a productId is stripped, in the response too', async () => {
  const itemRef = { provider: a, productId: ' \ta-1001\u3000' }
  expect(resultOf(await gateway.perform('pick.filter', { itemRefs: [itemRef] })).data.items[0]!.itemRef).toEqual(
    bottleA,
  )
  expect(resultOf(await gateway.perform('pick.prepurchase_review', { itemRef })).data.itemRef).toEqual(bottleA)
  expect(resultOf(await gateway.perform('pick.links', { itemRefs: [itemRef] })).data.items[0]!.itemRef).toEqual(bottleA)
})

describe('pick.filter', () => {
  it('pick.filter keeps items up to the maximum price, in the order of the request', async () => {
    const itemRefs = [bottleC, bottleB, bottleA]
    const { data, usage } = resultOf(
      await gateway.perform('pick.filter', { itemRefs, criteria: { maxPriceCents: 4900 } }),
    )
    expect(idsOf(data.items)).toEqual(['b-2044', 'a-1001'])
    expect(data.criteria).toEqual({ maxPriceCents: 4900 })
    expect(usage).toEqual({})
  })

  it('pick.filter keeps everything without criteria, and nothing at a price of 0', async () => {
    const all = resultOf(await gateway.perform('pick.filter', { itemRefs: [bottleA, bottleB] })).data
    expect([idsOf(all.items), all.criteria]).toEqual([['a-1001', 'b-2044'], {}])
    const none = await gateway.perform('pick.filter', { itemRefs: [bottleA], criteria: { maxPriceCents: 0 } })
    expect(resultOf(none).data.items).toEqual([])
  })
})

it('pick.compare puts the items side by side by the three dimensions', async () => {
  const { data } = resultOf(await gateway.perform('pick.compare', { itemRefs: [bottleC, bottleA] }))
  expect(idsOf(data.items)).toEqual(['c-3022', 'a-1001'])
  expect(data.dimensions).toEqual(['priceCents', 'availability', 'highlights'])
})

describe('pick.recommend', () => {
  it('pick.recommend is balanced by default and names its method', async () => {
    const { data } = resultOf(await gateway.perform('pick.recommend', { itemRefs: [bottleA, bottleB, bottleC] }))
    expect(data).toMatchObject({ preferences: { priority: 'balanced' }, method: 'deterministic-local-rule' })
    expect(idsOf(data.items)).toEqual(['b-2044', 'a-1001', 'c-3022'])
  })

  it('pick.recommend treats empty preferences as the default', async () => {
    const request = { itemRefs: [bottleA], preferences: {} }
    expect(resultOf(await gateway.perform('pick.recommend', request)).data.preferences).toEqual({
      priority: 'balanced',
    })
  })

  const item = (productId: string, priceCents: number, changes: Partial<Item> = {}): Item => ({
    itemRef: { provider: a, productId },
    title: productId,
    priceCents,
    currency: 'CNY',
    availability: 'available',
    highlights: [],
    reason: 'x',
    testOnly: true,
    ...changes,
  })

  it('pick.recommend ranks the cheapest first by price, available or not', () => {
    const items = [item('dear', 900), item('gone', 100, { availability: 'unavailable' }), item('cheap', 100)]
    expect(idsOf(recommend(items, 'price'))).toEqual(['cheap', 'gone', 'dear'])
  })

  it('pick.recommend ranks, when balanced, an available item above a cheaper one that is not', () => {
    const items = [item('gone', 100, { availability: 'unavailable' }), item('dear', 900)]
    expect(idsOf(recommend(items, 'balanced'))).toEqual(['dear', 'gone'])
  })

  it('pick.recommend lets, when balanced, highlights outweigh a small difference in price', () => {
    const items = [item('bare', 100), item('described', 110, { highlights: ['1', '2', '3'] })]
    expect(idsOf(recommend(items, 'balanced'))).toEqual(['described', 'bare'])
  })

  it('pick.recommend ranks the same items the same way, however they are listed', () => {
    const some = fc.record({
      price: fc.constantFrom(0, 100, 101, Number.MAX_SAFE_INTEGER),
      availability: fc.constantFrom('available', 'unavailable', 'unknown'),
      highlights: fc.array(fc.constant('x'), { maxLength: 3 }),
    })
    fc.assert(
      fc.property(
        fc.array(some, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('price', 'balanced'),
        (list, priority) => {
          const items = list.map(({ price, ...rest }, i) => item(`p-${i}`, price, rest as Partial<Item>))
          expect(recommend(items.toReversed(), priority)).toEqual(recommend(items, priority))
        },
      ),
    )
  })
})

describe('pick.prepurchase_review', () => {
  const review = async (itemRef: ItemRef, requirements?: string[]) =>
    resultOf(await gateway.perform('pick.prepurchase_review', { itemRef, ...(requirements && { requirements }) })).data

  it('pick.prepurchase_review knows the price and the stock of the last search, and lists the rest as unknown', async () => {
    const { checks, limitations, summary } = await review(bottleA)
    expect(checks.map(({ code, status }) => `${code} ${status}`)).toEqual([
      'price known',
      'availability known',
      'seller unknown',
      'shipping unknown',
      'after_sales unknown',
    ])
    expect(checks[0]!.message).toContain('49.00')
    expect(summary).toContain('2 项来自最近一次搜索，3 项需要')
    expect(limitations).toHaveLength(3)
  })

  it('pick.prepurchase_review counts a requirement as met only when the seller wrote those exact words', async () => {
    const { checks } = await review(bottleA, ['304不锈钢', '５００ＭＬ', '24 小时保温', ' ', '长'.repeat(500)])
    const status = Object.fromEntries(checks.map((check) => [check.code, check.status]))
    expect(status).toMatchObject({
      requirement_1: 'known',
      requirement_2: 'known',
      requirement_3: 'unknown',
      requirement_4: 'unknown',
      requirement_5: 'unknown',
    })
    expect(checks.find(({ code }) => code === 'requirement_3')!.message).toBe('无法从搜索结果确认：24 小时保温')
    expect(checks.every(({ message }) => message.length < 150)).toBe(true)
  })

  it('pick.prepurchase_review reports the stock as unknown when the shop did not state it', async () => {
    await gateway.perform('pick.search', { query: '测试样品' })
    const stock = async (ref: ItemRef) => (await review(ref)).checks.find(({ code }) => code === 'availability')!
    expect(await stock({ provider: b, productId: 'b-2024' })).toMatchObject({ status: 'unknown' })
    expect(await stock({ provider: c, productId: 'c-3024' })).toMatchObject({
      status: 'known',
      message: '上次搜索时无货',
    })
  })
})

describe('pick.links', () => {
  it('pick.links of local shops lead to fictional hosts, with a disclosure', async () => {
    const { data } = resultOf(await gateway.perform('pick.links', { itemRefs: [bottleC, bottleA] }))
    expect(data).toEqual({
      items: [
        { itemRef: bottleC, productUrl: 'https://item.shop-c.example/c-3022' },
        { itemRef: bottleA, productUrl: 'https://item.shop-a.example/a-1001' },
      ],
      disclosure: '链接可能包含推广信息。',
      mode: 'local-mock',
    })
  })

  describe('over HTTP', () => {
    let shops: Upstream[]
    let http: StartedOperations
    const ref = (provider: string, productId: string) => ({ provider, productId })
    const seen = [ref(a, 'x'), ref(b, 'y'), ref(a, 'z'), ref(c, 'off')].map(
      (itemRef): Item => ({
        itemRef,
        title: 't',
        priceCents: 1,
        currency: 'CNY',
        availability: 'unknown',
        highlights: [],
        reason: 'r',
        testOnly: false,
      }),
    )
    const links = (...ids: string[]) =>
      behaves.respond(200, {
        links: ids.map((productId) => ({ productId, productUrl: `https://item.shop.example/${productId}` })),
        disclosure: `推广 ${ids}`,
      })
    beforeEach(async () => {
      shops = await Promise.all([startUpstream(), startUpstream()])
      http = startOperations({
        shopping: httpShopping([shops[0]!.url, shops[1]!.url, null]),
        snapshots: { find: async () => seen },
      })
    })
    afterEach(async () => {
      await http.close()
      await Promise.all(shops.map((shop) => shop.close()))
    })
    const itemRefs = [ref(a, 'x'), ref(b, 'y'), ref(a, 'z')]

    it('pick.links over HTTP calls each shop once and returns links in the order of the request', async () => {
      shops[0]!.program(links('z', 'x'))
      shops[1]!.program(links('y'))
      const { data } = resultOf(await http.perform('pick.links', { itemRefs }))
      expect(data.items.map(({ productUrl }) => productUrl.at(-1))).toEqual(['x', 'y', 'z'])
      expect(data.disclosure).toBe('推广 z,x\n推广 y')
      expect(data.mode).toBe('pick-http')
      expect(shops.map(({ calls }) => calls.length)).toEqual([1, 1])
    })

    it('pick.links over HTTP returns no link when one shop fails', async () => {
      shops[0]!.program(links('x', 'z'))
      shops[1]!.program(behaves.respond(400))
      expect(await http.perform('pick.links', { itemRefs })).toMatchObject({
        code: 'PROVIDER_REQUEST_REJECTED',
        sent: true,
      })
      shops[1]!.program(behaves.reset())
      expect(await http.perform('pick.links', { itemRefs })).toMatchObject({ kind: 'uncertain' })
    })

    it('pick.links over HTTP counts a failure before sending as sent when another shop had responded', async () => {
      shops[0]!.program(links('x', 'z'))
      await shops[1]!.close()
      expect(await http.perform('pick.links', { itemRefs })).toMatchObject({ code: 'PROVIDER_UNAVAILABLE', sent: true })
      expect(await http.perform('pick.links', { itemRefs: [ref(b, 'y')] })).toMatchObject({ sent: false })
    })

    it('pick.links over HTTP returns no link when one is forbidden', async () => {
      shops[0]!.program(links('x', 'z'))
      shops[1]!.program(
        behaves.respond(200, { links: [{ productId: 'y', productUrl: 'https://evil.example/y' }], disclosure: 'd' }),
      )
      expect(await http.perform('pick.links', { itemRefs })).toMatchObject({
        code: 'PROVIDER_LINK_FORBIDDEN',
        sent: true,
      })
    })

    it('pick.links over HTTP calls no shop when one of them is disabled', async () => {
      const outcome = await http.perform('pick.links', { itemRefs: [ref(a, 'x'), ref(c, 'off')] })
      expect(outcome).toMatchObject({ code: 'PROVIDER_DISABLED', sent: false })
      expect(shops[0]!.connections()).toBe(0)
    })

    it('pick.links over HTTP lets recovery know that a call leaves the process', () => {
      expect(http.operations['pick.links'].prepare({ itemRefs }).leavesProcess).toBe(true)
      expect(gateway.operations['pick.links'].prepare({ itemRefs }).leavesProcess).toBe(false)
    })
  })
})
