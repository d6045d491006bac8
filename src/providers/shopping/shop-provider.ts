import type { Item } from '../../contract/schemas/products.ts'
import type { Outcome } from '../outcome.ts'
import type { UpstreamSettings } from '../upstream.ts'

export interface ShopProvider {
  readonly leavesProcess: boolean
  /** Whether an operator took it out of service. */
  readonly isOut?: () => boolean
  /** At most `limit` items, best first. */
  search(query: ShopQuery, ...call: ShopCall): Promise<Outcome<readonly FoundItem[]>>
  /** One link for each product, in the given order; all or none. */
  links(productIds: readonly string[], ...call: ShopCall): Promise<Outcome<ShopLinks>>
  close(): Promise<void>
}

/** `onSending` is called just before the first byte can leave the process. */
export type ShopCall = [projectId: string, requestId?: string, onSending?: () => void]

export interface ShopQuery {
  readonly query: string
  readonly maxPriceCents: number | undefined
  readonly sort: 'price_asc' | 'relevance'
  readonly limit: number
}

export interface FoundItem {
  readonly item: Item
  /** Higher is better. Comparable between shops of the same mode. */
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
