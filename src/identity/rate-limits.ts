import { Refusal } from '../contract/errors.ts'
import type { IdentityStore, IdentityWriter } from './ports.ts'

export interface Limit {
  readonly max: number
  readonly windowSeconds: number
}

/** Counts one use and refuses when the fixed window is used up. */
export async function takeFrom(tx: IdentityWriter, bucket: string, limit: Limit, now: number): Promise<void> {
  const retryAfterSeconds = await tx.takeFrom(bucket, limit, now)
  if (retryAfterSeconds !== null) throw new Refusal('RATE_LIMITED', { retryAfterSeconds })
}

export type RateLimiter = (bucket: string, limit: Limit) => Promise<void>

/** The same, as a write of its own: the count stays even when the request is refused later. */
export const createRateLimiter =
  (store: IdentityStore, clock: () => number): RateLimiter =>
  (bucket, limit) =>
    store.write((tx) => takeFrom(tx, bucket, limit, clock()))
