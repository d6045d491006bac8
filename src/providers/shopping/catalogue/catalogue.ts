import type { Item } from '../../../contract/schemas/products.ts'
import { shopA } from './shop-a.ts'
import { shopB } from './shop-b.ts'
import { shopC } from './shop-c.ts'

export interface Product extends Pick<Item, 'title' | 'priceCents' | 'availability' | 'highlights'> {
  readonly productId: string
  /** Extra search terms; never shown. */
  readonly keywords: string
  readonly shopIndex: number
}

/** The invented products of the local shops: no real product, brand or price. */
export const catalogue: readonly Product[] = [shopA, shopB, shopC].flatMap((table, shopIndex) =>
  table
    .trim()
    .split('\n')
    .map((line) => productOf(line, shopIndex)),
)

function productOf(line: string, shopIndex: number): Product {
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
    shopIndex,
  }
}
