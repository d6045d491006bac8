import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createHttpShop } from '../../src/providers/shopping/http.ts'
import type { ShopProvider, ShopQuery, ShopSettings } from '../../src/providers/shopping/shop-provider.ts'
import { behaves, startUpstream, type Upstream } from '../../testkit/providers/upstream.ts'

let upstream: Upstream
let shop: ShopProvider
beforeEach(async () => {
  upstream = await startUpstream()
  shop = create()
})
afterEach(async () => {
  await shop.close()
  await upstream.close()
})

const settings = (): ShopSettings => ({
  baseUrl: `${upstream.url}/shop`,
  linkHosts: ['item.shop-a.example'],
  timeoutMs: 30_000,
  maxConcurrent: 8,
  disabled: false,
})
const create = () => createHttpShop('shop_a', settings(), () => undefined)
const search = (query: Partial<ShopQuery> = {}) =>
  shop.search({ query: '杯', maxPriceCents: undefined, sort: 'relevance', limit: 3, ...query }, 'prj_1')

const item = (changes: object = {}) => ({
  productId: 'p-1',
  title: '保温杯',
  priceCents: 4900,
  currency: 'CNY',
  availability: 'available',
  highlights: ['一', '二'],
  reason: '相符',
  ...changes,
})
const broken = { kind: 'refused', code: 'PROVIDER_CONTRACT_INVALID', sent: true }

describe('a search over HTTP', () => {
  it('a search over HTTP sends the query, the sort order and the limit, and filters only if there are any', async () => {
    upstream.program(behaves.respond(200, { items: [] }))
    await search()
    await search({ maxPriceCents: 0, sort: 'price_asc', limit: 1 })
    expect(upstream.calls.map(({ path, body }) => [path, JSON.parse(body)])).toEqual([
      ['/shop/search', { query: '杯', sort: 'relevance', limit: 3 }],
      ['/shop/search', { query: '杯', filters: { maxPriceCents: 0 }, sort: 'price_asc', limit: 1 }],
    ])
  })

  it('a search over HTTP sends the shop our request id, so that its records can be compared with ours', async () => {
    upstream.program(behaves.respond(200, {}))
    await shop.search({ query: '杯', maxPriceCents: undefined, sort: 'relevance', limit: 3 }, 'prj_1', 'req_1')
    await shop.links(['p-1'], 'prj_1', 'req_2')
    expect(upstream.calls.map(({ headers }) => headers['x-request-id'])).toEqual(['req_1', 'req_2'])
  })

  it("a search over HTTP returns the shop's items in its order, not marked as fixtures, without extra fields", async () => {
    upstream.program(
      behaves.respond(200, {
        items: [item({ cost: 'hidden', productId: ' p-1 ' }), item({ productId: 'p-2', availability: 'unknown' })],
        debug: true,
      }),
    )
    const { productId: _, ...fields } = item()
    expect(await search()).toEqual({
      kind: 'confirmed',
      value: [
        { item: { itemRef: { provider: 'shop_a', productId: 'p-1' }, ...fields, testOnly: false }, relevance: -0 },
        {
          item: {
            itemRef: { provider: 'shop_a', productId: 'p-2' },
            ...fields,
            availability: 'unknown',
            testOnly: false,
          },
          relevance: -1,
        },
      ],
    })
  })

  it('a search over HTTP drops items beyond the limit and highlights beyond three, valid or not', async () => {
    upstream.program(
      behaves.respond(200, { items: [item({ highlights: ['1', '2', '3', 4] }), item({ currency: 'USD' })] }),
    )
    expect(await search({ limit: 1 })).toMatchObject({
      kind: 'confirmed',
      value: [{ item: { highlights: ['1', '2', '3'] } }],
    })
  })

  it('a search over HTTP drops items over the maximum price and repeated products', async () => {
    upstream.program(
      behaves.respond(200, {
        items: [
          item({ productId: 'a', priceCents: 501 }),
          item({ productId: 'b', priceCents: 500 }),
          item({ productId: 'b', priceCents: 400 }),
        ],
      }),
    )
    expect(await search({ maxPriceCents: 500 })).toMatchObject({
      value: [{ item: { itemRef: { productId: 'b' }, priceCents: 500 } }],
    })
  })

  it.each([
    ['no items', {}],
    ['items that are no list', { items: {} }],
    ['an item that is null', { items: [null] }],
    ...Object.entries({
      productId: ['', '  ', 5, 'x'.repeat(501), 'a\0b', 'a\ud800'],
      title: ['', null, 'x'.repeat(501)],
      priceCents: [-1, 1.5, '4900', 2 ** 53, null],
      currency: ['USD', 'cny', '', null],
      availability: ['in_stock', '', true],
      highlights: ['x', [1], null],
      reason: ['', null, 'x'.repeat(501)],
    }).flatMap(([field, values]) => [
      ...values.map((value): [string, object] => [
        `${field} ${JSON.stringify(value).slice(0, 20)}`,
        { items: [item(), item({ [field]: value })] },
      ]),
      [`no ${field}`, { items: [Object.fromEntries(Object.entries(item()).filter(([name]) => name !== field))] }] as [
        string,
        object,
      ],
    ]),
  ])('a search over HTTP fails whole on %s', async (_, body) => {
    upstream.program(behaves.respond(200, JSON.stringify(body)))
    expect(await search()).toMatchObject(broken)
  })

  it('a search over HTTP accepts fields at the ends of their ranges', async () => {
    const longest = '杯'.repeat(500)
    upstream.program(
      behaves.respond(200, {
        items: [item({ productId: longest, title: longest, reason: longest, priceCents: 0, highlights: [] })],
      }),
    )
    expect((await search()).kind).toBe('confirmed')
  })

  it('a search over HTTP reports where the response is wrong, but nothing that the shop wrote', async () => {
    upstream.program(behaves.respond(200, { items: [item({ currency: 'private words' })] }))
    const outcome = await search()
    expect(outcome).toMatchObject({ detail: expect.stringContaining('/items/0/currency') })
    expect(JSON.stringify(outcome)).not.toContain('private words')
  })
})

describe('links over HTTP', () => {
  const link = (productId: string, productUrl = `https://item.shop-a.example/${productId}`) => ({
    productId,
    productUrl,
  })

  it('a request for links over HTTP names all products at once and returns links in their order', async () => {
    upstream.program(behaves.respond(200, { links: [link('b'), link('z'), link('a'), link('a')], disclosure: '推广' }))
    expect(await shop.links(['a', 'b'], 'prj_1')).toEqual({
      kind: 'confirmed',
      value: {
        productUrls: ['https://item.shop-a.example/a', 'https://item.shop-a.example/b'],
        disclosure: '推广',
      },
    })
    expect(upstream.calls.map(({ path, body }) => [path, JSON.parse(body)])).toEqual([
      ['/shop/links', { productIds: ['a', 'b'] }],
    ])
  })

  it('links over HTTP are all refused when one is forbidden', async () => {
    upstream.program(
      behaves.respond(200, { links: [link('a'), link('b', 'https://evil.example/b')], disclosure: '推广' }),
    )
    expect(await shop.links(['a', 'b'], 'prj_1')).toEqual({
      kind: 'refused',
      code: 'PROVIDER_LINK_FORBIDDEN',
      sent: true,
    })
  })

  it.each([
    ['a missing product', { links: [link('a')], disclosure: '推广' }],
    [
      'two links for a product',
      { links: [link('a'), link('b'), link('b', 'https://item.shop-a.example/c')], disclosure: '推广' },
    ],
    ['no disclosure', { links: [link('a'), link('b')] }],
    ['an empty disclosure', { links: [link('a'), link('b')], disclosure: '' }],
    ['a link that is no text', { links: [link('a'), { productId: 'b', productUrl: 1 }], disclosure: '推广' }],
    ['no links', { disclosure: '推广' }],
  ])('links over HTTP all fail on %s', async (_, body) => {
    upstream.program(behaves.respond(200, body))
    expect(await shop.links(['a', 'b'], 'prj_1')).toMatchObject(broken)
  })
})
