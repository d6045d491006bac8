import type { MediaFacts } from '../documents/media-document.ts'
import type { ModelProviderFacts, ServiceFacts } from '../documents/service-facts.ts'
import type { Config } from './config.ts'
import { FileSchema, type ModelProviderConfig } from './schema.ts'

/** What the published documents say about this installation. */
export function serviceFacts(config: Config): ServiceFacts {
  return {
    origin: config.origin.origin,
    paymentMode: config.paymentMode,
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
    defaultModelProvider: config.models.default,
    modelProviders: Object.entries(config.models.providers).map(([name, provider]) => modelFacts(name, provider)),
  }
}

export const mediaFacts = ({ origin, media }: Config): MediaFacts => ({
  origin: origin.origin,
  mediaProviders: Object.keys(media.providers),
  mediaCreditsPerSecond: media.creditsPerSecond,
})

/** An archived charge is at least as old as the retention time, and its key is kept for the time of a response after that. */
const idempotencyDays = ({ retentionDays, resultDays }: Config['charges']) =>
  retentionDays === null ? null : retentionDays + resultDays

function limitDescription(limit: string): string {
  const rows: Record<string, object> = FileSchema.properties.limits.properties
  return (rows[limit] as { description: string }).description
}

function modelFacts(name: string, provider: ModelProviderConfig): ModelProviderFacts {
  if (provider.adapter === 'disabled') return { name, models: [], maxPromptChars: null }
  const models = provider.adapter === 'local' ? provider.models : Object.keys(provider.models)
  return { name, models, maxPromptChars: provider.maxPromptChars }
}
