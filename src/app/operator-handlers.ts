import { pino } from 'pino'
import { newId } from '../base/ids.ts'
import { publicOperations } from '../contract/operations.ts'
import { createActivity } from '../features/operators/overview/activity.ts'
import { operationsById } from '../http/endpoint.ts'
import type { FeatureParts, OperatorContext, OperatorPart } from '../ops/feature.ts'
import { readKeyring } from '../ops/secrets.ts'
import { createLease } from '../storage/lease.ts'
import { buildFeatures, consoleOperations, operatorOperations } from './features.ts'

/** What operators can do with the whole gateway, on a store that one may be using. No background work is started. */
export const wholeGateway: OperatorPart = {
  operations: operatorOperations,
  async build(context: OperatorContext) {
    const { config, engine, clock } = context
    const instanceId = newId('ins')
    const activity = createActivity(clock)
    const features = buildFeatures(
      {
        ...{ ...context, instanceId, tracing: undefined },
        logger: pino({ level: 'silent' }),
        keyring: await readKeyring(config),
        lease: createLease(engine, instanceId),
        operation: operationsById([...publicOperations(config.providerNames), ...consoleOperations]),
        onSettled: activity.settled,
      },
      {},
      { smsInboxUrl: () => null, activity },
    )
    const parts: FeatureParts[] = Object.values(features)
    return {
      operatorHandlers: parts.flatMap(({ operatorHandlers }) => operatorHandlers ?? []),
      close: () => Promise.all(parts.map(({ close }) => close?.())),
    }
  },
}
