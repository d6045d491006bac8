import type { Item } from '../contract/schemas/products.ts'

export type Priority = 'price' | 'balanced'

/** Orders items best first. The same items give the same order, however they were listed; docs/pick-rules.md. */
export function recommend(items: readonly Item[], priority: Priority): Item[] {
  const cheapest = Math.min(...items.map(({ priceCents }) => priceCents))
  const byPriority =
    priority === 'price'
      ? (a: Item, b: Item) => a.priceCents - b.priceCents || certainty[b.availability] - certainty[a.availability]
      : (a: Item, b: Item) => points(b, cheapest) - points(a, cheapest) || a.priceCents - b.priceCents
  return items.toSorted((a, b) => byPriority(a, b) || compareText(keyOf(a), keyOf(b)))
}

const certainty = { available: 50, unknown: 25, unavailable: 0 } as const
const pricePoints = 35
const highlightPoints = 5

/** Of 100: can it be bought (50), how near to the cheapest (35), how much is known of it (5 for each highlight). */
function points({ availability, priceCents, highlights }: Item, cheapest: number): number {
  const price = priceCents === cheapest ? pricePoints : Math.floor(pricePoints * (cheapest / priceCents))
  return certainty[availability] + price + highlightPoints * highlights.length
}

const keyOf = ({ itemRef }: Item) => `${itemRef.provider} ${itemRef.productId}`
/** By code unit, so that no locale changes the order. */
const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
