import { Refusal } from '../contract/errors.ts'

export interface RefusalLimit {
  /** Throws RATE_LIMITED while the key has used up its refusals. */
  readonly check: (keyId: string) => void
  readonly count: (keyId: string) => void
}

interface Window {
  endsAt: number
  refusals: number
}

/**
 * Limits the calls of one key that are refused for what they contain: they cost work and no credits. Counted in memory, by
 * each instance for itself, because a durable count would cost more than the refusal.
 */
export function createRefusalLimit(deps: {
  limit: { readonly max: number; readonly windowSeconds: number }
  clock: () => number
  remembered?: number
}): RefusalLimit {
  const { limit, clock, remembered = 10_000 } = deps
  const windowMs = limit.windowSeconds * 1000
  const windows = new Map<string, Window>()

  function openWindow(keyId: string): Window | undefined {
    const window = windows.get(keyId)
    const leftMs = window ? window.endsAt - clock() : 0
    // More than a whole window left: the clock was set back.
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
      if (windows.size >= remembered) windows.delete(windows.keys().next().value!)
      windows.set(keyId, { endsAt: clock() + windowMs, refusals: 1 })
    },
  }
}
