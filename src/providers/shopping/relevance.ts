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
  const scores = new Map<Product, Record<Field, number>>()
  let most = 0
  for (const term of queryTerms(query)) {
    const places = postings.get(term) ?? []
    const rarity = Math.log(1 + catalogue.length / (1 + places.length))
    most += weights.title * rarity
    for (const { product, field } of places) {
      const score = scores.get(product) ?? { title: 0, keywords: 0, highlights: 0 }
      score[field] += weights[field] * rarity
      scores.set(product, score)
    }
  }
  const matches = [...scores].map(([product, score]): Match => {
    const relevance = Math.round((1e6 * (score.title + score.keywords + score.highlights)) / most)
    return { product, relevance, field: fields.reduce((best, name) => (score[name] > score[best] ? name : best)) }
  })
  const best = matches.reduce((max, { relevance }) => Math.max(max, relevance), 0)
  return matches.filter(({ relevance }) => relevance * 2 >= best)
}

const fields = Object.keys(weights) as Field[]

/** Where each term is found: once for a product, in the field that counts most. */
const postings = new Map<string, { product: Product; field: Field }[]>()
for (const product of catalogue) {
  const texts: Record<Field, string> = { ...product, highlights: product.highlights.join(' ') }
  const found = new Map<string, Field>()
  for (const field of fields.toReversed()) for (const term of storedTerms(texts[field])) found.set(term, field)
  for (const [term, field] of found) postings.set(term, [...(postings.get(term) ?? []), { product, field }])
}

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
