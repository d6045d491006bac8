import { Refusal } from '../contract/errors.ts'
import { latestWindowEnd } from '../contract/rate-window.ts'
import type { IdentityStore, IdentityWriter } from './ports.ts'

export interface Limit {
  readonly max: number
  readonly windowSeconds: number
}

/** Counts uses in fixed windows and refuses when one is used up. */
export interface RateLimiter {
  /** A write of its own: the count stays even when the request is refused later. */
  readonly take: (bucket: string, limit: Limit) => Promise<void>
  /** Part of a larger write. Call `refuseExhausted` before that write, so that a refusal costs no transaction. */
  readonly takeIn: (tx: IdentityWriter, bucket: string, limit: Limit) => Promise<void>
  readonly refuseExhausted: (bucket: string, limit: Limit) => void
}

/** About 2 MB. A window that is forgotten costs a transaction at its next attempt, and nothing else. */
const maxRemembered = 10_000

export function createRateLimiter(store: IdentityStore, clock: () => number): RateLimiter {
  /** When the windows end that are known to be used up: until then nothing can change that. */
  const exhausted = new Map<string, number>()

  function refuseExhausted(bucket: string, limit: Limit): void {
    const endsAt = exhausted.get(bucket)
    if (endsAt === undefined) return
    const now = clock()
    if (endsAt > now && endsAt <= latestWindowEnd(now, limit.windowSeconds * 1000)) throw refusal(endsAt, now)
    exhausted.delete(bucket)
  }

  async function takeIn(tx: IdentityWriter, bucket: string, limit: Limit): Promise<void> {
    const now = clock()
    const endsAt = await tx.takeFrom(bucket, limit, now)
    if (endsAt === null) return
    if (exhausted.size >= maxRemembered) exhausted.delete(exhausted.keys().next().value!)
    exhausted.set(bucket, endsAt)
    throw refusal(endsAt, now)
  }

  return {
    refuseExhausted,
    takeIn,
    async take(bucket, limit) {
      refuseExhausted(bucket, limit)
      await store.write((tx) => takeIn(tx, bucket, limit))
    },
  }
}

const refusal = (endsAt: number, now: number) =>
  new Refusal('RATE_LIMITED', { retryAfterSeconds: Math.max(1, Math.ceil((endsAt - now) / 1000)) })
