import { createHash } from 'node:crypto'
import type { Item } from '../contract/schemas/products.ts'

/** Results of recent searches, each visible to its own project alone. */
export interface SearchCache {
  get(projectId: string, search: object): readonly Item[] | undefined
  put(projectId: string, search: object, items: readonly Item[]): void
}

export interface SearchCacheOptions {
  readonly cacheSeconds: number
  readonly cachePerProject: number
  readonly clock: () => number
  /** Over all projects: with at most 20 kB an entry, this bounds the memory. */
  readonly maxEntries?: number
}

interface CachedSearch {
  readonly items: readonly Item[]
  readonly expiresAt: number
}

export function createSearchCache(options: SearchCacheOptions): SearchCache {
  const { cacheSeconds, cachePerProject, clock, maxEntries = 10_000 } = options
  /** Projects and, within each, searches stand in the order of their last write, so the oldest is always the first. */
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
      if (size > maxEntries) for (const [oldest, its] of projects) return dropOldest(oldest, its)
    },
  }
}

/** A query may be as long as a request body; its digest is not. */
const digestOf = (search: object) => createHash('sha256').update(JSON.stringify(search)).digest('base64')
