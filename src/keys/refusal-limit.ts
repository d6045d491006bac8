import { Refusal } from '../contract/errors.ts'

export interface RefusalLimit {
  /** Throws RATE_LIMITED once the key has reached its limit. */
  readonly check: (keyId: string) => void
  readonly count: (keyId: string) => void
}

interface Window {
  endsAt: number
  refusals: number
}

/**
 * Limits how many invalid calls a key may send: they cost work but no credits. Each instance counts in memory, because a durable
 * count would cost more than the refusal itself.
 */
export function createRefusalLimit(deps: {
  limit: { readonly max: number; readonly windowSeconds: number }
  clock: () => number
  maxKeys?: number
}): RefusalLimit {
  const { limit, clock, maxKeys = 10_000 } = deps
  const windowMs = limit.windowSeconds * 1000
  const windows = new Map<string, Window>()

  function openWindow(keyId: string): Window | undefined {
    const window = windows.get(keyId)
    const leftMs = window ? window.endsAt - clock() : 0
    // More than a whole window left means that the clock was set back.
    return leftMs > 0 && leftMs <= windowMs ? window : undefined
  }

  return {
    check(keyId) {
      const window = openWindow(keyId)
      if (window === undefined || window.refusals < limit.max) return
      throw new Refusal('RATE_LIMITED', { retryAfterSeconds: (window.endsAt - clock()) / 1000 })
    },
    count(keyId) {
      const window = openWindow(keyId)
      if (window !== undefined) {
        window.refusals += 1
        return
      }
      windows.delete(keyId)
      if (windows.size >= maxKeys) windows.delete(windows.keys().next().value!)
      windows.set(keyId, { endsAt: clock() + windowMs, refusals: 1 })
    },
  }
}
