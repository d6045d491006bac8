import type { PaymentMode } from '../contract/prices.ts'

/** What differs from one installation to the next and matters to a caller. */
export interface ServiceFacts {
  readonly origin: string
  readonly paymentMode: PaymentMode
  readonly bodyLimitBytes: number
  readonly bodyDeadlineMs: number
  readonly sessionLifetimeSeconds: number
  /** Null: keys do not expire. */
  readonly keyLifetimeSeconds: number | null
  readonly activeKeysLimit: number
  /** How long a stored answer can be replayed. */
  readonly resultDays: number
  /** How long an Idempotency-Key does not charge again; null: for ever. */
  readonly idempotencyDays: number | null
  readonly searchCacheSeconds: number
  /** How long an item can be read after a search returned it. */
  readonly snapshotDays: number
  readonly rateLimits: readonly RateLimitFacts[]
  readonly mediaCreditsPerSecond: number
  readonly defaultModelProvider: string
  readonly modelProviders: readonly ModelProviderFacts[]
}

export interface RateLimitFacts {
  /** As in the configuration. */
  readonly name: string
  readonly what: string
  readonly max: number
  readonly windowSeconds: number
}

export interface ModelProviderFacts {
  readonly name: string
  /** The first is the default; empty when the provider is disabled. */
  readonly models: readonly string[]
  readonly maxPromptChars: number | null
}
