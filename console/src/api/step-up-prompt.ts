import { useSyncExternalStore } from 'react'

/** The prompt for the second factor. Concurrent writes share one prompt. */
let open: { readonly answered: Promise<void>; readonly settle: (isProven: boolean) => void } | null = null
const listeners = new Set<() => void>()

class NotProven extends Error {}

function change(next: typeof open): void {
  open = next
  for (const listener of listeners) listener()
}

export const stepUp = {
  /** Resolves once the second factor is proven; rejects if the user gives up. */
  ask(): Promise<void> {
    if (open) return open.answered
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    change({
      answered: promise,
      settle(isProven) {
        change(null)
        if (isProven) resolve()
        else reject(new NotProven())
      },
    })
    return promise
  },
  answer: (isProven: boolean): void => open?.settle(isProven),
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useStepUp = (): boolean => useSyncExternalStore(subscribe, () => open !== null)
