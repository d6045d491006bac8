import type { Config } from '../../../config/config.ts'
import { modelAliases } from '../../../config/model-aliases.ts'
import { defineFeature } from '../../../ops/feature.ts'
import { inRounds } from '../../../ops/maintenance.ts'
import { type ModelNames, resolveModel } from '../../../providers/models/model-names.ts'
import type { BusinessOperations } from '../../../relay/operations/operation.ts'
import type { Relay } from '../../../relay/relay.ts'
import type { KeysParts } from '../../identity/keys/feature.ts'
import type { ReceiptOf } from '../native/routes.ts'
import { createCompletions } from './completions.ts'
import { completionDocument } from './contract.ts'
import { createDeliveries } from './deliveries.ts'
import { createLargeBodies } from './large-bodies.ts'
import { createOpenStreams } from './open-streams.ts'
import { createReleasedStreams } from './released-streams.ts'
import { completionRoutes } from './routes.ts'
import { createUnpaidBodies } from './unpaid-bodies.ts'

export interface OpenAiDeps extends Pick<KeysParts, 'authenticate' | 'refusals'> {
  readonly relay: Relay
  readonly operations: BusinessOperations
  readonly receiptOf: ReceiptOf
}

/** Chat completions and the list of models, for clients of the OpenAI protocol. */
export const openAiFeature = defineFeature({
  name: 'openai',
  build(context, { relay, operations, receiptOf, authenticate, refusals }: OpenAiDeps) {
    const { config, engine, lease, clock, logger } = context
    const models = modelsIn(config)
    const deliveries = createDeliveries({
      engine,
      lease,
      clock,
      onFault: (error) => logger.warn({ err: error }, 'the delivery of a response was not recorded yet'),
    })
    const released = createReleasedStreams()
    const completions = createCompletions({
      ...{ authenticate, relay, operations, receiptOf, refusals, deliveries, released },
      largeBodies: createLargeBodies({
        bodyLimitBytes: Math.max(config.openai.bodyLimitBytes, config.server.bodyLimitBytes),
      }),
      refuseUnpaid: createUnpaidBodies({ engine, relay, deliveries }),
      openStreams: createOpenStreams(),
      passesOf: (model) => passesIn(config, resolveModel(models, model)?.provider),
      onFault: (error, of) => logger.error({ err: error, ...of }, 'a chat completion failed after its reservation'),
    })
    return {
      deliveries,
      routes: completionRoutes({
        ...{ authenticate, relay, completions, models },
        factsOf: (provider) => enabled(config, provider),
        configuredAt: Math.floor(clock() / 1000),
        document: () => completionDocument(config),
        bodyLimitBytes: config.openai.bodyLimitBytes,
      }),
      tasks: [inRounds('prune-deliveries', deliveries.prune)],
      endStreams: completions.endStreams,
      underWay: deliveries.unwritten,
      finish: deliveries.close,
      registerMetrics: released.registerMetrics,
    }
  },
})

export type OpenAiParts = ReturnType<typeof openAiFeature.build>

const modelsIn = ({ models }: Config): ModelNames => ({
  default: models.default,
  providers: new Map(
    Object.entries(models.providers).map(([name, settings]) => [name, { models: modelAliases(settings) }]),
  ),
})

function passesIn({ models }: Config, provider: string | undefined): readonly string[] {
  const settings = provider === undefined ? undefined : models.providers[provider]
  return settings?.adapter === 'openai' ? settings.passes : []
}

function enabled({ models }: Config, provider: string) {
  const settings = models.providers[provider]!
  if (settings.adapter === 'disabled') throw new Error(`${provider} is disabled`)
  return settings
}
