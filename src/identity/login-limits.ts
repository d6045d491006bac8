import type { IdentityStore, Limit } from './ports.ts'
import type { RateLimiter } from './rate-limits.ts'

export interface LoginLimits {
  readonly loginPerIdentifier: Limit
  readonly loginPerIdentifierAndRequester: Limit
}

interface LoginLimitDeps {
  readonly store: IdentityStore
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
