import type { Item } from '../../../contract/schemas/products.ts'
import { shopA } from './shop-a.ts'
import { shopB } from './shop-b.ts'
import { shopC } from './shop-c.ts'

export interface Product extends Pick<Item, 'title' | 'priceCents' | 'availability' | 'highlights'> {
  readonly productId: string
  /** Further words that find it; never shown. */
  readonly keywords: string
  /** Which of the three shops has it. */
  readonly place: number
}

/** The invented goods of the local shops. No real product, brand or price. */
export const catalogue: readonly Product[] = [shopA, shopB, shopC].flatMap((table, place) =>
  table
    .trim()
    .split('\n')
    .map((line) => productOf(line, place)),
)

function productOf(line: string, place: number): Product {
  const [productId, title, price, availability, highlights, keywords] = line.split(' | ') as [
    string,
    string,
    string,
    Item['availability'],
    string,
    string,
  ]
  return {
    productId,
    title,
    priceCents: Number(price),
    availability,
    highlights: highlights.split('、'),
    keywords,
    place,
  }
}
