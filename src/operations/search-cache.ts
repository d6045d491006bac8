import { createHash } from 'node:crypto'
import type { Item } from '../contract/schemas/products.ts'

/** Recent search results. A project sees only its own. */
export interface SearchCache {
  get(projectId: string, search: object): readonly Item[] | undefined
  put(projectId: string, search: object, items: readonly Item[]): void
}

export interface SearchCacheOptions {
  readonly cacheSeconds: number
  readonly cachePerProject: number
  readonly clock: () => number
  /** Over all projects. Bounds the memory, at up to 20 kB an entry. */
  readonly maxEntries?: number
}

interface CachedSearch {
  readonly items: readonly Item[]
  readonly expiresAt: number
}

export function createSearchCache(options: SearchCacheOptions): SearchCache {
  const { cacheSeconds, cachePerProject, clock, maxEntries = 10_000 } = options
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
