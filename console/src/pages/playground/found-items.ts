import { useSyncExternalStore } from 'react'
import type { Json } from './schema.ts'

export interface FoundItem {
  readonly title: string
  readonly itemRef: Json
}

let found: readonly FoundItem[] = []
const listeners = new Set<() => void>()

/** Keeps the items of the latest search in memory, to be chosen in the operations that read items. */
export function keepItemsOf(answer: unknown): void {
  const items = itemsIn(answer)
  if (items.length === 0) return
  found = items
  for (const tell of listeners) tell()
}

export const useFoundItems = (): readonly FoundItem[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => found,
  )

function itemsIn(answer: unknown): FoundItem[] {
  const data = (answer as { data?: { items?: unknown; result?: { result?: { items?: unknown } } } })?.data
  const items = data?.items ?? data?.result?.result?.items
  return Array.isArray(items) ? items.filter((item) => item?.itemRef && typeof item.title === 'string') : []
}
