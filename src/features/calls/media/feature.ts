import { hourMs } from '../../../base/time.ts'
import { createInstanceLimit } from '../../../http/instance-limit.ts'
import { defineFeature } from '../../../ops/feature.ts'
import type { Metrics } from '../../../ops/metrics.ts'
import type { Accounts } from '../../identity/accounts/feature.ts'
import type { KeysParts } from '../../identity/keys/feature.ts'
import { consoleMediaOperations } from './console-operations.ts'
import type { PollTiming } from './job-transitions.ts'
import { createMedia } from './media.ts'
import { mediaFacts } from './operations.ts'
import { consoleMediaRoutes, mediaRoutes } from './routes.ts'
import { createMediaStore } from './store.ts'

export interface MediaDeps extends Pick<KeysParts, 'authenticate' | 'refusals'> {
  readonly accounts: Accounts
  readonly timing?: PollTiming | undefined
}

export const mediaFeature = defineFeature({
  name: 'media',
  consoleOperations: consoleMediaOperations,
  build(context, { accounts: { guards }, authenticate, refusals, timing }: MediaDeps) {
    const { config, engine, instanceId, ledger, lease, clock, logger, operation, tracing, onSettled } = context
    const media = createMedia({
      media: config.media,
      timing,
      dataDir: config.dataDir,
      jobs: createMediaStore({ engine, instanceId }),
      ledger,
      lease,
      callsPerKey: config.limits.callsPerKey,
      credential: config.credential,
      traceHeaders: tracing?.outgoingHeaders,
      clock,
      logger,
      onSettled,
    })
    const mediaReads = createInstanceLimit({ limit: config.limits.mediaReadsPerKey, clock })
    return {
      breakerStates: media.breakerStates,
      providers: media.watched,
      routes: [
        ...mediaRoutes({ media, authenticate, refusals, mediaReads, mediaFacts: mediaFacts(config) }),
        ...consoleMediaRoutes({ operation, guards, media }),
      ],
      workers: [media],
      tasks: [{ name: 'prune-clips', everyMs: hourMs, run: () => media.prune() }],
      close: media.close,
      underWay: media.underWay,
      finish: media.finish,
      registerMetrics({ gauge }: Metrics) {
        gauge('gateway_media_jobs_open', 'Media jobs that have not ended, across all instances.', media.openJobs)
        gauge('gateway_media_polls', 'Media jobs this instance is asking a provider about.', media.polling)
      },
    }
  },
})
