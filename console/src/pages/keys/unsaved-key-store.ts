import { useSyncExternalStore } from 'react'
import type { CreatedKey } from '../../api/types.ts'

let unsaved: CreatedKey | null = null
const listeners = new Set<() => void>()

function become(next: CreatedKey | null): void {
  unsaved = next
  for (const tell of listeners) tell()
}

/** A key whose text nobody has saved yet. In memory alone, and independent of page and session: it cannot be shown again. */
export const unsavedKey = {
  show: (created: CreatedKey): void => become(created),
  dismiss: (): void => become(null),
}

export const useUnsavedKey = (): CreatedKey | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => unsaved,
  )
