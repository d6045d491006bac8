import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { businessExamples } from '../../../src/contract/examples.ts'
import type { RequestOf } from '../../../src/contract/schemas/business.ts'
import {
  httpShopping,
  resultOf,
  type StartedOperations,
  startOperations,
} from '../../../testkit/providers/operations.ts'
import { providerNames } from '../../../testkit/providers/provider-names.ts'
import {
  type Behaviour,
  behaves,
  closedPort,
  startUpstream,
  type Upstream,
} from '../../../testkit/providers/upstream.ts'

const [a, b, c] = providerNames.shops as [string, string, string]

describe('a search of the local shops', () => {
  it('a search of the local shops gives the documented result for the documented example', async () => {
    await using gateway = startOperations()
    const { request, result } = businessExamples(providerNames)['shopping.search']
    const outcome = await gateway.perform('shopping.search', request as RequestOf<'shopping.search'>)
    expect(resultOf(outcome)).toMatchObject(result)
  })

  it('a search of the local shops searches all shops for three items by relevance by default', async () => {
    await using gateway = startOperations()
    const { data, usage, snapshots } = resultOf(await gateway.perform('pick.search', { query: ' 保温杯 ' }))
    expect(data.query).toBe(' 保温杯 ')
    expect(data.items.map(({ itemRef }) => itemRef.provider)).toEqual([a, b, c])
    expect(data.mode).toBe('local-mock')
    expect(data.items.every(({ testOnly }) => testOnly)).toBe(true)
    expect(usage).toEqual({ providerCalls: 3, resultCount: 3 })
    expect(snapshots).toEqual(data.items)
  })

  it('a search of the local shops searches only the shops that are named', async () => {
    await using gateway = startOperations()
    const one = resultOf(await gateway.perform('pick.search', { query: '礼物', provider: c }))
    expect(one.usage.providerCalls).toBe(1)
    expect(new Set(one.data.items.map(({ itemRef }) => itemRef.provider))).toEqual(new Set([c]))
    const two = resultOf(await gateway.perform('pick.search', { query: '保温杯', providers: [c, a], limit: 2 }))
    expect(two.usage).toEqual({ providerCalls: 2, resultCount: 2 })
    expect(two.data.items.map(({ itemRef }) => itemRef.provider)).toEqual([a, c])
  })

  it('a search of the local shops returns an empty list when nothing matches', async () => {
    await using gateway = startOperations()
    const { data, usage } = resultOf(await gateway.perform('shopping.search', { query: 'xyzzy' }))
    expect(data.items).toEqual([])
    expect(usage).toEqual({ providerCalls: 3, resultCount: 0 })
  })

  it('a search of the local shops never leaves the process', async () => {
    await using gateway = startOperations()
    expect(gateway.operations['shopping.search'].prepare({ query: 'x' }).leavesProcess).toBe(false)
  })
})

describe('the search cache', () => {
  const calls = async (gateway: StartedOperations, request: RequestOf<'pick.search'>, projectId?: string) =>
    resultOf(await gateway.perform('pick.search', request, projectId)).usage.providerCalls

  it('the search cache serves a repeated search of the same project without a call, with the same items and the query as sent', async () => {
    await using gateway = startOperations()
    const first = resultOf(await gateway.perform('pick.search', { query: '耳机' }))
    const again = resultOf(await gateway.perform('pick.search', { query: ' 耳机', sort: 'relevance', limit: 3 }))
    expect(again.usage).toEqual({ providerCalls: 0, resultCount: 3 })
    expect(again.data).toEqual({ ...first.data, query: ' 耳机' })
    expect(again.snapshots).toEqual(first.snapshots)
  })

  it('the search cache is not shared between projects, operations or different searches', async () => {
    await using gateway = startOperations()
    expect(await calls(gateway, { query: '耳机' })).toBe(3)
    expect(await calls(gateway, { query: '耳机' }, 'prj_2')).toBe(3)
    expect(resultOf(await gateway.perform('shopping.search', { query: '耳机' })).usage.providerCalls).toBe(3)
    expect(await calls(gateway, { query: '耳机', limit: 2 })).toBe(3)
    expect(await calls(gateway, { query: '耳机', sort: 'price_asc' })).toBe(3)
    expect(await calls(gateway, { query: '耳机', filters: { maxPriceCents: 9999 } })).toBe(3)
    expect(await calls(gateway, { query: '耳机', provider: b })).toBe(1)
    expect(await calls(gateway, { query: '耳机', providers: [a, b, c] })).toBe(0)
  })

  it('the search cache expires after its time', async () => {
    await using gateway = startOperations()
    await calls(gateway, { query: '耳机' })
    gateway.time.now += 59_999
    expect(await calls(gateway, { query: '耳机' })).toBe(0)
    gateway.time.now += 1
    expect(await calls(gateway, { query: '耳机' })).toBe(3)
  })

  it('the search cache is off when its time is 0', async () => {
    await using gateway = startOperations({ shopping: { ...local, cacheSeconds: 0 } })
    expect([await calls(gateway, { query: '耳机' }), await calls(gateway, { query: '耳机' })]).toEqual([3, 3])
  })

  it('the search cache keeps only the latest searches of a project, as many as configured', async () => {
    await using gateway = startOperations({ shopping: { ...local, cachePerProject: 2 } })
    for (const query of ['一', '二', '三']) await calls(gateway, { query })
    expect(await calls(gateway, { query: '三' })).toBe(0)
    expect(await calls(gateway, { query: '二' })).toBe(0)
    expect(await calls(gateway, { query: '一' })).toBe(3)
  })

  const local = {
    mode: 'local-mock' as const,
    cacheSeconds: 60,
    cachePerProject: 100,
    providers: { [a]: null, [b]: null, [c]: null },
  }
})

describe('a search over HTTP', () => {
  let shops: Upstream[]
  let gateway: StartedOperations
  beforeEach(async () => {
    shops = await Promise.all([startUpstream(), startUpstream(), startUpstream()])
    gateway = startOperations({ shopping: httpShopping(shops.map(({ url }) => url)) })
  })
  afterEach(async () => {
    await gateway.close()
    await Promise.all(shops.map((shop) => shop.close()))
  })

  const items = (...prices: number[]): Behaviour =>
    behaves.respond(200, {
      items: prices.map((priceCents) => ({
        productId: `p-${priceCents}`,
        title: '保温杯',
        priceCents,
        currency: 'CNY',
        availability: 'available',
        highlights: [],
        reason: '相符',
      })),
    })
  const program = (...behaviours: Behaviour[]) => {
    for (const [place, behaviour] of behaviours.entries()) shops[place]!.program(behaviour)
  }
  const search = (request: Partial<RequestOf<'pick.search'>> = {}) =>
    gateway.perform('pick.search', { query: '杯', ...request })

  it('a search over HTTP puts the best of each shop first, in the configured order, however fast they respond', async () => {
    const slow: Behaviour = (wire, call) => setImmediate(() => setImmediate(() => items(300, 400)(wire, call)))
    program(slow, items(100, 200), items(500))
    const { data, usage } = resultOf(await search({ providers: [c, b, a] }))
    expect(data.items.map(({ itemRef, priceCents }) => [itemRef.provider, priceCents])).toEqual([
      [a, 300],
      [b, 100],
      [c, 500],
    ])
    expect(data.mode).toBe('pick-http')
    expect(data.items.some(({ testOnly }) => testOnly)).toBe(false)
    expect(usage).toEqual({ providerCalls: 3, resultCount: 3 })
  })

  it('a search over HTTP sorts by price over all shops', async () => {
    program(items(300, 100), items(200), items(100))
    const { data } = resultOf(await search({ sort: 'price_asc' }))
    expect(data.items.map(({ itemRef, priceCents }) => [itemRef.provider, priceCents])).toEqual([
      [c, 100],
      [a, 100],
      [b, 200],
    ])
  })

  it('a search over HTTP returns the other results when some shops fail, and does not cache them', async () => {
    program(behaves.reset(), items(200), behaves.respond(500))
    for (let time = 1; time <= 2; time += 1) {
      const { data, usage } = resultOf(await search())
      expect(data.items).toHaveLength(1)
      expect(usage).toEqual({ providerCalls: 3, resultCount: 1 })
    }
    expect(shops[1]!.calls).toHaveLength(2)
  })

  it('a search over HTTP caches a complete result', async () => {
    program(items(1), items(2), items(3))
    await search()
    expect(resultOf(await search()).usage.providerCalls).toBe(0)
    expect(shops.map(({ calls }) => calls.length)).toEqual([1, 1, 1])
  })

  it('a search over HTTP is uncertain when all shops fail and one of them is uncertain', async () => {
    program(behaves.respond(400), behaves.respond(500), behaves.reset())
    expect(await search()).toMatchObject({ kind: 'uncertain', sent: true })
  })

  it('a search over HTTP returns the first failure in the configured order when all shops fail with certainty', async () => {
    program(behaves.respond(429), behaves.redirect(302, '/'), behaves.respond(400))
    expect(await search()).toMatchObject({ kind: 'unavailable', code: 'PROVIDER_RATE_LIMITED', sent: true })
    expect(await search({ providers: [c, b] })).toMatchObject({ kind: 'refused', code: 'PROVIDER_REDIRECT_FORBIDDEN' })
  })

  it('a search over HTTP counts a failure as sent if any shop was sent something', async () => {
    await gateway.close()
    gateway = startOperations({
      shopping: httpShopping([`http://127.0.0.1:${await closedPort()}`, shops[1]!.url, null]),
    })
    program(items(), behaves.respond(400))
    expect(await search()).toMatchObject({ code: 'PROVIDER_UNAVAILABLE', sent: true })
    expect(await search({ provider: a })).toMatchObject({ code: 'PROVIDER_UNAVAILABLE', sent: false })
  })

  it('a search over HTTP skips disabled shops and still caches, and is refused as disabled when no other shop is named', async () => {
    await gateway.close()
    gateway = startOperations({ shopping: httpShopping([shops[0]!.url, null, null]) })
    program(items(100))
    expect(resultOf(await search()).usage).toEqual({ providerCalls: 1, resultCount: 1 })
    expect(resultOf(await search()).usage).toEqual({ providerCalls: 0, resultCount: 1 })
    const disabled = { kind: 'unavailable', code: 'PROVIDER_DISABLED', sent: false }
    expect(await search({ provider: b })).toEqual(disabled)
    expect(await search({ providers: [c, b] })).toEqual(disabled)
    const leaves = (request: object) =>
      gateway.operations['pick.search'].prepare({ query: 'x', ...request }).leavesProcess
    expect([leaves({}), leaves({ provider: b })]).toEqual([true, false])
  })

  it('a search over HTTP treats a configured shop that is switched off as disabled', async () => {
    await gateway.close()
    gateway = startOperations({ shopping: httpShopping([shops[0]!.url], { disabled: true }) })
    expect(await search()).toMatchObject({ code: 'PROVIDER_DISABLED', sent: false })
    expect(shops[0]!.connections()).toBe(0)
  })

  it('a search over HTTP refuses without a credential, and sends nothing', async () => {
    await gateway.close()
    gateway = startOperations({
      shopping: httpShopping([shops[0]!.url], { apiKeyEnv: 'NO_SUCH' }),
      credential: () => undefined,
    })
    expect(await search()).toMatchObject({ code: 'PROVIDER_AUTH_REQUIRED', sent: false })
    expect(shops[0]!.connections()).toBe(0)
  })
})
