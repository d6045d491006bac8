import { useStore } from '../../api/session-store.ts'

/** What must be done before anything else; null if nothing. The gateway says so with the first refusal. */
export type FirstStep = 'password' | 'totp' | null

let due: FirstStep = null
const listeners = new Set<() => void>()

export const firstStep = {
  current: () => due,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  become(next: FirstStep): void {
    due = next
    for (const tell of listeners) tell()
  },
}

export const useFirstStep = (): FirstStep => useStore(firstStep)
