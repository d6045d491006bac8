import type { Config } from '../config/config.ts'
import { modelAliases } from '../config/model-aliases.ts'
import { pageNotice } from '../config/page-notice.ts'
import { FileSchema, type ModelProviderConfig, type SiteConfig } from '../config/schema.ts'
import type { PaymentMode } from '../contract/prices.ts'

/** What differs from one installation to the next and matters to a caller. */
export interface ServiceFacts {
  readonly origin: string
  readonly isPublic: boolean
  /** Who runs the service. */
  readonly site: SiteConfig
  readonly paymentMode: PaymentMode
  /** HTML that stands above every page. */
  readonly notice: string | null
  readonly bodyLimitBytes: number
  readonly bodyDeadlineMs: number
  readonly sessionLifetimeSeconds: number
  /** Null: keys do not expire. */
  readonly keyLifetimeSeconds: number | null
  readonly activeKeysLimit: number
  /** How long a stored response can be replayed. */
  readonly resultDays: number
  /** How long an Idempotency-Key does not charge again; null: for ever. */
  readonly idempotencyDays: number | null
  readonly searchCacheSeconds: number
  /** How long an item can be read after a search returned it. */
  readonly snapshotDays: number
  readonly rateLimits: readonly RateLimitFacts[]
  readonly mediaCreditsPerSecond: number
  /** Those that can be searched. */
  readonly shops: readonly string[]
  readonly defaultModelProvider: string
  readonly modelProviders: readonly ModelProviderFacts[]
}

interface RateLimitFacts {
  /** As in the configuration. */
  readonly name: string
  readonly what: string
  readonly max: number
  readonly windowSeconds: number
}

interface ModelProviderFacts {
  readonly name: string
  /** The first is the default; empty when the provider is disabled. */
  readonly models: readonly string[]
  readonly maxPromptChars: number | null
  readonly maxOutputTokens: number | null
}

/** What the published documents say about this installation. */
export function serviceFacts(config: Config): ServiceFacts {
  return {
    origin: config.origin.origin,
    isPublic: !config.isLoopback,
    site: config.site,
    paymentMode: config.paymentMode,
    notice: pageNotice(config),
    bodyLimitBytes: config.server.bodyLimitBytes,
    bodyDeadlineMs: config.server.bodyDeadlineMs,
    sessionLifetimeSeconds: config.sessions.lifetimeSeconds,
    keyLifetimeSeconds: config.keys.lifetimeSeconds,
    activeKeysLimit: config.keys.maxActive,
    resultDays: config.charges.resultDays,
    idempotencyDays: idempotencyDays(config.charges),
    searchCacheSeconds: config.shopping.cacheSeconds,
    snapshotDays: config.shopping.snapshotDays,
    rateLimits: Object.entries(config.limits).map(([name, limit]) => ({
      name,
      what: limitDescription(name),
      ...(typeof limit === 'number' ? { max: limit, windowSeconds: 3600 } : limit),
    })),
    mediaCreditsPerSecond: config.media.creditsPerSecond,
    shops: shopsOf(config.shopping),
    defaultModelProvider: config.models.default,
    modelProviders: Object.entries(config.models.providers).map(([name, provider]) => modelFacts(name, provider)),
  }
}

/** An archived charge is at least as old as the retention time, and its key is kept for the time of a response after that. */
const idempotencyDays = ({ retentionDays, resultDays }: Config['charges']) =>
  retentionDays === null ? null : retentionDays + resultDays

const shopsOf = ({ mode, providers }: Config['shopping']): string[] =>
  Object.entries(providers).flatMap(([name, shop]) => (mode === 'local-mock' || (shop && !shop.disabled) ? [name] : []))

function limitDescription(limit: string): string {
  const rows: Record<string, object> = FileSchema.properties.limits.properties
  return (rows[limit] as { description: string }).description
}

function modelFacts(name: string, provider: ModelProviderConfig): ModelProviderFacts {
  if (provider.adapter === 'disabled') return { name, models: [], maxPromptChars: null, maxOutputTokens: null }
  const { maxPromptChars, maxOutputTokens } = provider
  return { name, models: modelAliases(provider) ?? [], maxPromptChars, maxOutputTokens }
}
