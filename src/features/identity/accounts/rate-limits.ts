import { latestWindowEnd } from '../../../base/time.ts'
import { Refusal } from '../../../contract/errors.ts'
import type { Limit } from './challenge-store.ts'
import type { AccountStore, AccountWriter } from './store.ts'

export type RateLimiter = ReturnType<typeof createRateLimiter>

/** About 2 MB. A forgotten window only costs one transaction at its next use. */
const maxRemembered = 10_000

/** Counts uses in fixed windows and refuses once the limit is reached. */
export function createRateLimiter(store: AccountStore, clock: () => number) {
  /** Ends of windows whose limit is reached: until then they stay exhausted. */
  const exhausted = new Map<string, number>()

  function refuseExhausted(bucket: string, limit: Limit): void {
    const endsAt = exhausted.get(bucket)
    if (endsAt === undefined) return
    const now = clock()
    if (endsAt > now && endsAt <= latestWindowEnd(now, limit.windowSeconds * 1000)) throw refusalUntil(endsAt, now)
    exhausted.delete(bucket)
  }

  /** Within a larger transaction. Call `refuseExhausted` before it, so that a refusal costs no transaction. */
  async function takeIn(tx: AccountWriter, bucket: string, limit: Limit): Promise<void> {
    const now = clock()
    const endsAt = await tx.takeFrom(bucket, limit, now)
    if (endsAt === null) return
    if (exhausted.size >= maxRemembered) exhausted.delete(exhausted.keys().next().value!)
    exhausted.set(bucket, endsAt)
    throw refusalUntil(endsAt, now)
  }

  return {
    refuseExhausted,
    takeIn,
    /** In its own transaction: the count stays even if the request is refused later. */
    async take(bucket: string, limit: Limit): Promise<void> {
      refuseExhausted(bucket, limit)
      await store.write((tx) => takeIn(tx, bucket, limit))
    },
  }
}

export const refusalUntil = (endsAt: number, now: number): Refusal =>
  new Refusal('RATE_LIMITED', { retryAfterSeconds: Math.max(1, Math.ceil((endsAt - now) / 1000)) })

export interface LoginLimits {
  readonly loginPerIdentifier: Limit
  readonly loginPerIdentifierAndRequester: Limit
}

interface LoginLimitDeps {
  readonly store: AccountStore
  readonly limiter: RateLimiter
  readonly limits: LoginLimits
}

/**
 * Counts one attempt to prove a password. Attempts beyond the limit of a requester do not count for the identifier, so that a
 * stranger at one address cannot lock the owner out.
 */
export async function countLoginAttempt(
  { store, limiter, limits }: LoginLimitDeps,
  { identifierDigest, requesterDigest }: { identifierDigest: string; requesterDigest: string },
): Promise<void> {
  const windows = [
    [`login-identifier-requester ${identifierDigest} ${requesterDigest}`, limits.loginPerIdentifierAndRequester],
    [`login-identifier ${identifierDigest}`, limits.loginPerIdentifier],
  ] as const
  for (const [bucket, limit] of windows) limiter.refuseExhausted(bucket, limit)
  await store.write(async (tx) => {
    for (const [bucket, limit] of windows) await limiter.takeIn(tx, bucket, limit)
  })
}
