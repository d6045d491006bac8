import { confirmed } from '../outcome.ts'
import { findRelevant, type Match } from './relevance.ts'
import type { FoundItem, ShopProvider, ShopQuery } from './shop-provider.ts'

/** One of the three invented shops; `shopIndex` selects its part of the catalogue. */
export function createLocalShop(name: string, shopIndex: number): ShopProvider {
  return {
    leavesProcess: false,
    search: async (query) => confirmed(search(query, { name, shopIndex })),
    links: async (productIds) =>
      confirmed({
        productUrls: productIds.map((id) => `https://${localLinkHost(shopIndex)}/${encodeURIComponent(id)}`),
        disclosure: '链接可能包含推广信息。',
      }),
    close: async () => {},
  }
}

const localLinkHost = (shopIndex: number) => `item.shop-${'abc'[shopIndex]}.example`
const maxQuotedChars = 40

function search(
  { query, maxPriceCents = Number.MAX_SAFE_INTEGER, sort, limit }: ShopQuery,
  shop: { name: string; shopIndex: number },
): FoundItem[] {
  const byPrice = (a: Match, b: Match) => a.product.priceCents - b.product.priceCents
  const byRelevance = (a: Match, b: Match) => b.relevance - a.relevance
  const [first, second] = sort === 'price_asc' ? [byPrice, byRelevance] : [byRelevance, byPrice]
  return findRelevant(query)
    .filter(({ product }) => product.shopIndex === shop.shopIndex && product.priceCents <= maxPriceCents)
    .sort((a, b) => first(a, b) || second(a, b) || (a.product.productId < b.product.productId ? -1 : 1))
    .slice(0, limit)
    .map((match) => foundItem(match, { query, provider: shop.name }))
}

function foundItem(
  { product, relevance, field }: Match,
  { query, provider }: { query: string; provider: string },
): FoundItem {
  const { productId, title, priceCents, availability, highlights } = product
  return {
    relevance,
    item: {
      itemRef: { provider, productId },
      title,
      priceCents,
      currency: 'CNY',
      availability,
      highlights: [...highlights],
      reason: reasonOf(field, query),
      testOnly: true,
    },
  }
}

const fieldNames = {
  title: { zh: '标题', en: 'Title' },
  keywords: { zh: '类目', en: 'Category' },
  highlights: { zh: '卖点', en: 'Highlights' },
} as const

function reasonOf(field: Match['field'], query: string): string {
  const chars = Array.from(query.toWellFormed().replace(/\s+/gu, ' ').trim())
  const quoted = chars.length <= maxQuotedChars ? chars.join('') : `${chars.slice(0, maxQuotedChars).join('')}…`
  const { zh, en } = fieldNames[field]
  return /\p{sc=Han}/u.test(quoted) ? `${zh}与“${quoted}”相符` : `${en} matches “${quoted}”`
}
