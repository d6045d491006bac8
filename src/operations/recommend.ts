import type { Item } from '../contract/schemas/products.ts'

export type Priority = 'price' | 'balanced'

/** Sorts items best first, by the rules in docs/pick-rules.md. The result does not depend on the input order. */
export function recommend(items: readonly Item[], priority: Priority): Item[] {
  const cheapest = Math.min(...items.map(({ priceCents }) => priceCents))
  const byPriority =
    priority === 'price'
      ? (a: Item, b: Item) =>
          a.priceCents - b.priceCents || availabilityPoints[b.availability] - availabilityPoints[a.availability]
      : (a: Item, b: Item) => points(b, cheapest) - points(a, cheapest) || a.priceCents - b.priceCents
  return items.toSorted((a, b) => byPriority(a, b) || compareText(keyOf(a), keyOf(b)))
}

const availabilityPoints = { available: 50, unknown: 25, unavailable: 0 } as const
const pricePoints = 35
const highlightPoints = 5

/** Out of 100: availability (50), closeness to the cheapest price (35), highlights (5 each). */
function points({ availability, priceCents, highlights }: Item, cheapest: number): number {
  const price = priceCents === cheapest ? pricePoints : Math.floor(pricePoints * (cheapest / priceCents))
  return availabilityPoints[availability] + price + highlightPoints * highlights.length
}

const keyOf = ({ itemRef }: Item) => `${itemRef.provider} ${itemRef.productId}`
/** By code unit, so that the locale does not matter. */
const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
