import { catalogue, type Product } from './catalogue/catalogue.ts'

export interface Match {
  readonly product: Product
  /** Millionths: 1,000,000 when every term is in the title. */
  readonly relevance: number
  /** The field that counted most. */
  readonly field: Field
}

type Field = keyof typeof weights

/** A term counts most where a shopper looks first. */
const weights = { title: 3, keywords: 2, highlights: 1 } as const
const maxTerms = 64
const maxQueryChars = 500

/** Products that answer the query, over all local shops; docs/pick-rules.md states the rule. */
export function findRelevant(query: string): readonly Match[] {
  const terms = queryTerms(query)
  const rarities = terms.map((term) => Math.log(1 + index.length / (1 + (frequencies.get(term) ?? 0))))
  const most = weights.title * rarities.reduce((sum, rarity) => sum + rarity, 0)
  const matches = index.flatMap((entry): Match[] => {
    const points: Record<Field, number> = { title: 0, keywords: 0, highlights: 0 }
    terms.forEach((term, i) => {
      const field = fields.find((name) => entry[name].has(term))
      if (field) points[field] += weights[field] * rarities[i]!
    })
    const relevance = Math.round((1e6 * (points.title + points.keywords + points.highlights)) / most)
    const field = fields.reduce((best, name) => (points[name] > points[best] ? name : best))
    return relevance > 0 ? [{ product: entry.product, relevance, field }] : []
  })
  const best = matches.reduce((max, { relevance }) => Math.max(max, relevance), 0)
  return matches.filter(({ relevance }) => relevance * 2 >= best)
}

const fields = Object.keys(weights) as Field[]

const index = catalogue.map((product) => ({
  product,
  title: storedTerms(product.title),
  keywords: storedTerms(product.keywords),
  highlights: storedTerms(product.highlights.join(' ')),
}))

const frequencies = new Map<string, number>()
for (const { title, keywords, highlights } of index)
  for (const term of new Set([...title, ...keywords, ...highlights]))
    frequencies.set(term, (frequencies.get(term) ?? 0) + 1)

/** Pairs of neighbouring ideographs stand for Chinese words, so that no dictionary decides what is found. */
function queryTerms(query: string): string[] {
  const terms = runsOf(query.slice(0, maxQueryChars)).flatMap((run) => (isHan(run) ? pairs(run) : [run]))
  return [...new Set(terms)].slice(0, maxTerms)
}

/** Single ideographs too, for queries of one. */
function storedTerms(text: string): Set<string> {
  return new Set(runsOf(text).flatMap((run) => (isHan(run) ? [...run, ...pairs(run)] : [run])))
}

function runsOf(text: string): string[] {
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
