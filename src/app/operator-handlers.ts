import { pino } from 'pino'
import { newId } from '../base/ids.ts'
import type { Config } from '../config/config.ts'
import { publicOperations } from '../contract/operations.ts'
import { createActivity } from '../features/operators/overview/activity.ts'
import { operationsById } from '../http/endpoint.ts'
import { createLedger } from '../ledger/ledger.ts'
import type { OperatorHandler } from '../operator-kit/endpoint.ts'
import type { FeatureParts } from '../ops/feature.ts'
import { readKeyring } from '../ops/secrets.ts'
import { createBatchStore } from '../storage/batch-store.ts'
import { createLease } from '../storage/lease.ts'
import type { OpenedEngine } from '../storage/open-store.ts'
import { buildFeatures, consoleOperations } from './features.ts'

/** Runs work with the features' operator handlers, on a store that a gateway may be using. No background work is started. */
export async function withOperatorHandlers<T>(
  { engine, config, clock }: { engine: OpenedEngine; config: Config; clock: () => number },
  work: (handlers: readonly OperatorHandler[]) => Promise<T>,
): Promise<T> {
  const instanceId = newId('ins')
  const activity = createActivity(clock)
  const features = buildFeatures(
    {
      ...{ config, clock, engine, instanceId, tracing: undefined },
      logger: pino({ level: 'silent' }),
      keyring: await readKeyring(config),
      ledger: createLedger({ store: createBatchStore(engine) }),
      lease: createLease(engine, instanceId),
      operation: operationsById([...publicOperations(config.providerNames), ...consoleOperations]),
      onSettled: activity.settled,
    },
    {},
    { smsInboxUrl: () => null, activity },
  )
  const parts: FeatureParts[] = Object.values(features)
  try {
    return await work(parts.flatMap(({ operatorHandlers }) => operatorHandlers ?? []))
  } finally {
    await Promise.all(parts.map(({ close }) => close?.()))
  }
}
