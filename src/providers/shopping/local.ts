import { confirmed } from '../outcome.ts'
import { catalogue, type Product } from './catalogue.ts'
import type { FoundItem, ShopProvider, ShopQuery } from './shop-provider.ts'

interface Match {
  readonly product: Product
  /** In millionths: 1,000,000 if every term is in the title. */
  readonly relevance: number
  readonly field: Field
}

type Field = keyof typeof weights

const weights = { title: 3, keywords: 2, highlights: 1 } as const
const maxTerms = 64
const maxQueryChars = 500

/** Products of all local shops that match the query, by the rules in docs/pick-rules.md. */
function findRelevant(query: string): readonly Match[] {
  const scores = new Map<Product, Record<Field, number>>()
  let maxScore = 0
  for (const term of queryTerms(query)) {
    const hits = postings.get(term) ?? []
    const rarity = Math.log(1 + catalogue.length / (1 + hits.length))
    maxScore += weights.title * rarity
    for (const { product, field } of hits) {
      const score = scores.get(product) ?? { title: 0, keywords: 0, highlights: 0 }
      score[field] += weights[field] * rarity
      scores.set(product, score)
    }
  }
  const matches = [...scores].map(([product, score]): Match => {
    const relevance = Math.round((1e6 * (score.title + score.keywords + score.highlights)) / maxScore)
    return { product, relevance, field: fields.reduce((best, name) => (score[name] > score[best] ? name : best)) }
  })
  const best = matches.reduce((max, { relevance }) => Math.max(max, relevance), 0)
  return matches.filter(({ relevance }) => relevance * 2 >= best)
}

const fields = Object.keys(weights) as Field[]

/** Inverted index: each term lists a product once, under the field with the highest weight. */
const postings = new Map<string, { product: Product; field: Field }[]>()
for (const product of catalogue) {
  const texts: Record<Field, string> = { ...product, highlights: product.highlights.join(' ') }
  const found = new Map<string, Field>()
  for (const field of fields.toReversed()) for (const term of indexTerms(texts[field])) found.set(term, field)
  for (const [term, field] of found) postings.set(term, [...(postings.get(term) ?? []), { product, field }])
}

/** Chinese is split into pairs of adjacent ideographs, which needs no dictionary. */
function queryTerms(query: string): string[] {
  const terms = tokenize(query.slice(0, maxQueryChars)).flatMap((run) => (isHan(run) ? pairs(run) : [run]))
  return [...new Set(terms)].slice(0, maxTerms)
}

/** Single ideographs too, for one-character queries. */
function indexTerms(text: string): Set<string> {
  return new Set(tokenize(text).flatMap((run) => (isHan(run) ? [...run, ...pairs(run)] : [run])))
}

function tokenize(text: string): string[] {
  const runs =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/\p{sc=Han}+|[[\p{L}\p{N}]--\p{sc=Han}]+/gv) ?? []
  return runs.map((run) => (isHan(run) || run.length < 4 ? run : run.replace(/s$/, '')))
}

function isHan(run: string): boolean {
  return /^\p{sc=Han}/u.test(run)
}

function pairs(run: string): string[] {
  const chars = Array.from(run)
  return chars.length === 1 ? chars : chars.slice(1).map((char, i) => chars[i]! + char)
}

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
