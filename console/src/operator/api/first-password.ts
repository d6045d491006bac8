import { useStore } from '../../api/session-store.ts'

let isDue = false
const listeners = new Set<() => void>()

/** Whether the first password has to be changed. The gateway says so with the first refusal. */
export const firstPassword = {
  current: () => isDue,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  become(next: boolean): void {
    isDue = next
    for (const tell of listeners) tell()
  },
}

export const useFirstPasswordDue = (): boolean => useStore(firstPassword)
