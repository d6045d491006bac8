import type { Item, Mode } from '../../contract/schemas/products.ts'
import type { Outcome } from '../outcome.ts'
import type { Credential, UpstreamSettings } from '../upstream.ts'
import { createHttpShop } from './http.ts'
import { createLocalShop } from './local.ts'

export interface ShopProvider {
  readonly leavesProcess: boolean
  /** At most `limit` items, best first. */
  search(query: ShopQuery, projectId: string): Promise<Outcome<readonly FoundItems[]>>
  /** A link for each product, in the given order, or none at all. */
  links(productIds: readonly string[], projectId: string): Promise<Outcome<ShopLinks>>
  close(): Promise<void>
}

export interface ShopQuery {
  readonly query: string
  readonly maxPriceCents: number | undefined
  readonly sort: 'price_asc' | 'relevance'
  readonly limit: number
}

export interface FoundItems {
  readonly item: Item
  /** Higher is better; comparable between the shops of one mode. */
  readonly relevance: number
}

export interface ShopLinks {
  readonly productUrls: readonly string[]
  readonly disclosure: string
}

export interface ShopSettings extends UpstreamSettings {
  readonly linkHosts: readonly string[]
  readonly disabled: boolean
}

/** The shops that can be asked, in the configured order; one that is disabled is null. One mode for all of them. */
export function createShopProviders(
  mode: Mode,
  settings: Readonly<Record<string, ShopSettings | null>>,
  credential: Credential,
): ReadonlyMap<string, ShopProvider | null> {
  const names = Object.keys(settings)
  const create = (name: string, place: number): ShopProvider | null => {
    const shop = settings[name]
    if (shop?.disabled) return null
    if (mode === 'local-mock') return createLocalShop(name, place)
    return shop ? createHttpShop(name, shop, credential) : null
  }
  return new Map(names.map((name, place) => [name, create(name, place)]))
}
