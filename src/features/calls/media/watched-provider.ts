import { errors } from '../../../contract/errors.ts'
import type { BreakerState } from '../../../providers/circuit-breaker.ts'
import { confirmed, type Outcome } from '../../../providers/outcome.ts'
import type { ProviderWatch, WatchedCalls } from '../../../providers/provider-watch.ts'
import type { MediaProvider, MediaSettings, SubmitResult } from './providers/provider.ts'

/** A media provider as operators see it. */
export interface WatchedMedia {
  readonly kind: 'media'
  readonly name: string
  readonly adapter: string
  readonly maxConcurrent: number | null
  readonly breakerState: () => BreakerState | null
  readonly watch: ProviderWatch
}

interface Parts {
  readonly name: string
  readonly settings: MediaSettings
  readonly provider: MediaProvider
  readonly watch: ProviderWatch
}

export const watchedMedia = ({ name, settings, provider, watch }: Parts): WatchedMedia => ({
  kind: 'media',
  name,
  adapter: settings.adapter,
  maxConcurrent: 'maxConcurrent' in settings ? settings.maxConcurrent : null,
  breakerState: () => provider.breakerState?.() ?? null,
  watch,
})

/** Refuses new jobs while the provider is out of service; its existing jobs continue. */
export const mediaCalls: WatchedCalls<MediaProvider> = {
  submit: { outcomeOf, whenOut: { kind: 'refused', code: 'PROVIDER_DISABLED', sent: false } },
  // Polls and downloads of jobs: they say nothing about whether new calls succeed.
  find: 'uncounted',
  read: 'uncounted',
  cancel: 'uncounted',
  open: 'uncounted',
}

function outcomeOf(result: SubmitResult): Outcome<unknown> {
  switch (result.kind) {
    case 'accepted':
      return confirmed(null)
    case 'refused':
      return isAway(result)
        ? { kind: 'unavailable', code: result.code, sent: result.sent }
        : { ...result, kind: 'refused' }
    case 'lost':
      return { kind: 'uncertain', reason: result.reason, sent: true }
  }
}

const isAway = ({ code }: { readonly code: keyof typeof errors }) => errors[code].status === 503
