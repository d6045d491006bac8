import { createHash } from 'node:crypto'
import type { RequestOf } from '../../contract/schemas/business.ts'
import { type Item, itemsLimit, type Mode } from '../../contract/schemas/products.ts'
import { confirmed, type FailedOutcome, failureOf, type Outcome } from '../../providers/outcome.ts'
import type { FoundItem, ShopProvider, ShopQuery } from '../../providers/shopping/shop-provider.ts'
import {
  allEnded,
  type BusinessOperation,
  type CallContext,
  noteSent,
  type OperationResult,
  operationBy,
} from './operation.ts'

/** Recent search results. A project sees only its own. */
interface SearchCache {
  get(projectId: string, search: object): readonly Item[] | undefined
  put(projectId: string, search: object, items: readonly Item[]): void
}

interface SearchCacheOptions {
  readonly cacheSeconds: number
  readonly cachePerProject?: number | undefined
  readonly clock: () => number
  /** Over all projects. Bounds the memory, at up to 20 kB an entry. */
  readonly maxEntries?: number
}

interface CachedSearch {
  readonly items: readonly Item[]
  readonly expiresAt: number
}

export function createSearchCache(options: SearchCacheOptions): SearchCache {
  const { cacheSeconds, cachePerProject = 100, clock, maxEntries = 10_000 } = options
  /** Both maps are ordered by last write, so the first entry is the oldest. */
  const projects = new Map<string, Map<string, CachedSearch>>()
  let size = 0

  const drop = (projectId: string, searches: Map<string, CachedSearch>, key: string) => {
    if (searches.delete(key)) size -= 1
    if (searches.size === 0) projects.delete(projectId)
  }
  const dropOldest = (projectId: string, searches: Map<string, CachedSearch>) => {
    for (const key of searches.keys()) return drop(projectId, searches, key)
  }

  return {
    get(projectId, search) {
      const searches = projects.get(projectId)
      const key = digestOf(search)
      const entry = searches?.get(key)
      if (!searches || !entry) return undefined
      if (entry.expiresAt > clock()) return entry.items
      drop(projectId, searches, key)
      return undefined
    },
    put(projectId, search, items) {
      if (cacheSeconds === 0) return
      const key = digestOf(search)
      const searches = projects.get(projectId) ?? new Map<string, CachedSearch>()
      drop(projectId, searches, key)
      projects.delete(projectId)
      projects.set(projectId, searches)
      searches.set(key, { items, expiresAt: clock() + cacheSeconds * 1000 })
      size += 1
      if (searches.size > cachePerProject) dropOldest(projectId, searches)
      if (size > maxEntries) for (const [oldest, oldSearches] of projects) return dropOldest(oldest, oldSearches)
    },
  }
}

/** Hashed, because a query may be as long as a request body. */
const digestOf = (search: object) => createHash('sha256').update(JSON.stringify(search)).digest('base64')

export interface Shops {
  readonly mode: Mode
  /** In the configured order; a disabled shop is null. */
  readonly providers: ReadonlyMap<string, ShopProvider | null>
}

type SearchOperation = 'shopping.search' | 'pick.search'

/** shopping.search and pick.search: asks the shops in parallel and merges their results. */
export function createShopSearch<O extends SearchOperation>(
  { mode, providers }: Shops,
  cache: SearchCache,
): BusinessOperation<O> {
  async function perform(request: RequestOf<O>, context: CallContext) {
    const { projectId, requestId, onSending } = context
    const query = queryOf(request)
    const selected = namedShops(request, providers).filter(([, shop]) => isInService(shop))
    if (selected.length === 0) return failureOf('shop', 'disabled')
    const search = { ...query, shops: selected.map(([name]) => name) }
    const cached = cache.get(projectId, search)
    if (cached) return confirmed(resultOf(request, { items: cached, mode, providerCalls: 0 }))

    const outcomes = await allEnded(
      selected.map(async ([, shop]) =>
        noteSent(context, shop, await shop.search(query, projectId, requestId, onSending)),
      ),
    )
    const lists = outcomes.flatMap((outcome) => (outcome.kind === 'confirmed' ? [outcome.value] : []))
    if (lists.length === 0) return combineFailures(outcomes as FailedOutcome[])
    const items = merge(outcomes, query)
    // Only complete results are cached: a shop that failed may be back in a moment.
    if (lists.length === outcomes.length) cache.put(projectId, search, items)
    const providerCalls = outcomes.filter((outcome) => outcome.kind === 'confirmed' || outcome.sent).length
    return confirmed(resultOf(request, { items, mode, providerCalls }))
  }
  // Also while a shop is out of service: an operator may bring it back before the call is forwarded.
  const leavesProcess = (request: RequestOf<O>) => namedShops(request, providers).some(([, shop]) => shop.leavesProcess)
  return operationBy({ leavesProcess, perform } as unknown as Parameters<typeof operationBy<O>>[0])
}

function queryOf({ query, filters, sort = 'relevance', limit = itemsLimit }: RequestOf<SearchOperation>): ShopQuery {
  return { query: query.trim(), maxPriceCents: filters?.maxPriceCents, sort, limit }
}

/** The shops that are requested, all by default, without those that the configuration disables. */
function namedShops(
  { provider, providers: named }: RequestOf<SearchOperation>,
  shops: Shops['providers'],
): [string, ShopProvider][] {
  const wanted = provider === undefined ? named : [provider]
  return [...shops].filter(
    (entry): entry is [string, ShopProvider] => entry[1] !== null && (wanted?.includes(entry[0]) ?? true),
  )
}

/** A shop that is disabled in the configuration is null. */
export const isInService = (shop: ShopProvider | null | undefined): shop is ShopProvider =>
  shop != null && shop.isOut?.() !== true

/** One uncertain call makes the whole search uncertain, because it may have gone through. */
export function combineFailures(failures: readonly FailedOutcome[]): FailedOutcome {
  const uncertain = failures.find((failure) => failure.kind === 'uncertain')
  if (uncertain) return uncertain
  const first = failures[0]!
  return failures.some((failure) => failure.sent) ? { ...first, sent: true } : first
}

/** Ties keep the configured order of the shops, then each shop's own order. */
function merge(outcomes: readonly Outcome<readonly FoundItem[]>[], { sort, limit }: ShopQuery): Item[] {
  const found = outcomes.flatMap((outcome) => (outcome.kind === 'confirmed' ? outcome.value : []))
  const byPrice = (a: FoundItem, b: FoundItem) => a.item.priceCents - b.item.priceCents
  const byRelevance = (a: FoundItem, b: FoundItem) => b.relevance - a.relevance
  const order = sort === 'price_asc' ? (a: FoundItem, b: FoundItem) => byPrice(a, b) || byRelevance(a, b) : byRelevance
  return found
    .toSorted(order)
    .slice(0, limit)
    .map(({ item }) => item)
}

function resultOf(
  { query }: RequestOf<SearchOperation>,
  { items, mode, providerCalls }: { items: readonly Item[]; mode: Mode; providerCalls: number },
): OperationResult<SearchOperation> {
  return {
    data: { query, items: [...items], mode },
    usage: { providerCalls, resultCount: items.length },
    snapshots: items,
  }
}
