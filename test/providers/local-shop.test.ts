import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Item } from '../../src/contract/schemas/products.ts'
import { compile } from '../../src/contract/validate.ts'
import { catalogue } from '../../src/providers/shopping/catalogue.ts'
import { createLinkAllowList } from '../../src/providers/shopping/http.ts'
import { createLocalShop } from '../../src/providers/shopping/local.ts'
import type { FoundItem, ShopQuery } from '../../src/providers/shopping/shop-provider.ts'
import { eachRow } from '../../testkit/each-row.ts'
import { anyChar } from '../../testkit/http/any-char.ts'
import { providerNames } from '../../testkit/providers/provider-names.ts'

const shops = providerNames.shops.map((name, shopIndex) => createLocalShop(name, shopIndex))
const isItem = compile(Item(providerNames.shops))

async function search(
  query: string,
  options: Partial<ShopQuery> & { shopIndex?: number } = {},
): Promise<readonly FoundItem[]> {
  const { shopIndex = 0, ...rest } = options
  const outcome = await shops[shopIndex]!.search(
    { query, maxPriceCents: undefined, sort: 'relevance', limit: 3, ...rest },
    'prj_1',
  )
  if (outcome.kind !== 'confirmed') throw new Error(outcome.kind)
  return outcome.value
}
const ids = (found: readonly FoundItem[]) => found.map(({ item }) => item.itemRef.productId)

describe('the catalogue', () => {
  it('the catalogue has at least sixty products in three shops, each once', () => {
    expect(catalogue.length).toBeGreaterThanOrEqual(60)
    expect(new Set(catalogue.map(({ productId }) => productId)).size).toBe(catalogue.length)
    expect(new Set(catalogue.map(({ shopIndex }) => shopIndex))).toEqual(new Set([0, 1, 2]))
  })

  it('the catalogue spans prices from 1 to 10,000 yuan and all availabilities, in every shop', () => {
    const prices = catalogue.map(({ priceCents }) => priceCents)
    expect([Math.min(...prices), Math.max(...prices)]).toEqual([100, 1_000_000])
    for (const shopIndex of [0, 1, 2]) {
      const seen = catalogue
        .filter((product) => product.shopIndex === shopIndex)
        .map(({ availability }) => availability)
      expect(new Set(seen)).toEqual(new Set(['available', 'unavailable', 'unknown']))
    }
  })

  it('the catalogue finds every product by its title', () =>
    eachRow(
      catalogue,
      ({ title }) => title,
      async ({ title, shopIndex, productId }) => {
        const [first] = await search(title, { shopIndex })
        expect(first!.item.itemRef.productId).toBe(productId)
        expect(isItem(first!.item)).toEqual({ ok: true })
        expect(first!.item.testOnly).toBe(true)
      },
    ))
})

describe('a local search', () => {
  it('a local search finds Chinese words and Latin ones, in any width and case', async () => {
    expect(ids(await search('保温杯'))).toEqual(['a-1001'])
    expect(ids(await search('耳机', { shopIndex: 1 }))).toEqual(['b-2003', 'b-2002', 'b-2001'])
    expect(ids(await search('ＵＳＢ', { shopIndex: 1 }))).toContain('b-2015')
    expect(ids(await search('Headphones', { shopIndex: 1 }))).toContain('b-2002')
    expect(ids(await search('茶', { shopIndex: 2 }))).toEqual(['c-3002', 'c-3001'])
  })

  it('a local search finds nothing for what no shop sells', async () => {
    for (const shopIndex of [0, 1, 2]) {
      expect(await search('量子隐形传态', { shopIndex })).toEqual([])
      expect(await search('xyzzy', { shopIndex })).toEqual([])
      expect(await search('！？…', { shopIndex })).toEqual([])
    }
  })

  it('a local search ranks the product that has all the words above those that have some', async () => {
    expect(ids(await search('降噪蓝牙耳机', { shopIndex: 1 }))[0]).toBe('b-2001')
  })

  it('a local search respects the maximum price, inclusive', async () => {
    expect(ids(await search('咖啡', { maxPriceCents: 6800 }))).toEqual(['a-1004'])
    expect(ids(await search('咖啡', { maxPriceCents: 6799 }))).toEqual([])
  })

  it('a local search sorts by price when asked to', async () => {
    const found = await search('电脑', { shopIndex: 1, sort: 'price_asc' })
    const prices = found.map(({ item }) => item.priceCents)
    expect(prices).toEqual(prices.toSorted((a, b) => a - b))
    expect(found.length).toBe(3)
  })

  it('a local search gives a reason that quotes at most the start of the query', async () => {
    expect((await search('保温杯'))[0]!.item.reason).toBe('标题与“保温杯”相符')
    expect((await search('coffee'))[0]!.item.reason).toBe('Category matches “coffee”')
    const long = await search(`保温杯${' 保温杯'.repeat(10_000)}`)
    expect(isItem(long[0]!.item)).toEqual({ ok: true })
  })

  it('a local search returns valid items for any text, always the same, none over the limit or the maximum price', async () => {
    const word = fc.constantFrom('保温杯', '手机', '礼物', 'usb', '咖啡', '鞋', 'X', ' ', '\ud800', '😀')
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.array(word).map((words) => words.join('')),
          fc.string({ unit: anyChar }),
        ),
        fc.record({
          shopIndex: fc.integer({ min: 0, max: 2 }),
          limit: fc.integer({ min: 1, max: 3 }),
          sort: fc.constantFrom('price_asc', 'relevance'),
          maxPriceCents: fc.option(fc.nat(100_000), { nil: undefined }),
        }),
        async (query, options) => {
          const found = await search(query, options)
          expect(await search(query, options)).toEqual(found)
          expect(found.length).toBeLessThanOrEqual(options.limit)
          for (const { item } of found) {
            expect(isItem(item)).toEqual({ ok: true })
            expect(item.priceCents).toBeLessThanOrEqual(options.maxPriceCents ?? Infinity)
          }
        },
      ),
    )
  })
})

it('local links lead only to the fictional host of the shop', async () => {
  for (const [shopIndex, letter] of ['a', 'b', 'c'].entries()) {
    const outcome = await shops[shopIndex]!.links(['x 1/2', '杯'], 'prj_1')
    const urls = outcome.kind === 'confirmed' ? outcome.value.productUrls : []
    expect(urls).toHaveLength(2)
    expect(urls.every(createLinkAllowList([`item.shop-${letter}.example`]))).toBe(true)
  }
})
