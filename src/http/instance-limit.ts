import { Refusal } from '../contract/errors.ts'

export interface InstanceLimit {
  /** Throws RATE_LIMITED once `id` has reached its limit. */
  readonly check: (id: string) => void
  readonly count: (id: string) => void
}

interface Window {
  endsAt: number
  uses: number
}

/**
 * Limits requests that cost work but no credits, such as the invalid calls of a key or the reads of a session. Each instance
 * counts in memory, because a durable count would cost more than the request itself.
 */
export function createInstanceLimit(deps: {
  limit: { readonly max: number; readonly windowSeconds: number }
  clock: () => number
  maxIds?: number
}): InstanceLimit {
  const { limit, clock, maxIds = 10_000 } = deps
  const windowMs = limit.windowSeconds * 1000
  const windows = new Map<string, Window>()

  function openWindow(id: string): Window | undefined {
    const window = windows.get(id)
    const leftMs = window ? window.endsAt - clock() : 0
    // More than a whole window left means that the clock was set back.
    return leftMs > 0 && leftMs <= windowMs ? window : undefined
  }

  return {
    check(id) {
      const window = openWindow(id)
      if (window === undefined || window.uses < limit.max) return
      throw new Refusal('RATE_LIMITED', { retryAfterSeconds: (window.endsAt - clock()) / 1000 })
    },
    count(id) {
      const window = openWindow(id)
      if (window !== undefined) {
        window.uses += 1
        return
      }
      windows.delete(id)
      if (windows.size >= maxIds) windows.delete(windows.keys().next().value!)
      windows.set(id, { endsAt: clock() + windowMs, uses: 1 })
    },
  }
}
