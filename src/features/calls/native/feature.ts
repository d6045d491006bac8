import { dayMs } from '../../../base/time.ts'
import type { ChargedTo } from '../../../http/route.ts'
import { defineFeature } from '../../../ops/feature.ts'
import { inRounds, type Task } from '../../../ops/maintenance.ts'
import type { Metrics } from '../../../ops/metrics.ts'
import { createDenialLog } from '../../../providers/denials.ts'
import { createCharges, createSnapshotStore } from '../../../relay/charge-store.ts'
import { createOperations } from '../../../relay/operations/create-operations.ts'
import { createRecovery } from '../../../relay/recover.ts'
import { createRelay } from '../../../relay/relay.ts'
import { ChargeLost } from '../../../relay/settle.ts'
import type { KeysParts } from '../../identity/keys/feature.ts'
import type { ContentLogParts } from '../content-log/feature.ts'
import { businessRoutes } from './routes.ts'

const duplicateWaitMs = 60_000
const ownGraceMs = 5000

export interface CallsDeps extends Pick<KeysParts, 'authenticate' | 'refusals'>, Pick<ContentLogParts, 'sealContent'> {
  readonly receipts: { readonly ofCall: (projectId: string, chargeId: string) => Promise<string> }
}

/** The billable operations: the relay, its providers, and the recovery of charges whose instance died. */
export const callsFeature = defineFeature({
  name: 'calls',
  build(context, { authenticate, refusals, receipts, sealContent }: CallsDeps) {
    const { config, engine, ledger, lease, clock, logger, operation, tracing, onSettled } = context
    const bounds = { days: config.shopping.snapshotDays, perProject: config.shopping.snapshotsPerProject }
    const charges = createCharges(engine, clock)
    const snapshots = createSnapshotStore({ engine, clock, bounds })
    const projectsToPrune = new Set<string>()
    const business = createOperations({
      models: config.models,
      shopping: config.shopping,
      credential: config.credential,
      traceHeaders: tracing?.outgoingHeaders,
      denials: createDenialLog(logger),
      ...{ snapshots, clock },
    })
    let lost = 0
    const relay = createRelay({
      ledger,
      charges,
      operations: business.operations,
      instanceId: lease.instanceId,
      isLeaseHeld: lease.isHeld,
      callsPerKey: config.limits.callsPerKey,
      ...{ clock, duplicateWaitMs, sealContent },
      trace: tracing?.step,
      onSettled,
      reportFault: (error) => logger.error({ err: error }, 'an adapter failed'),
      onUncertain: (call) => logger.warn(call, 'the outcome of a call is uncertain'),
      onRefused: (call) => logger.info(call, 'a provider refused a request'),
      onSnapshotsAdded: (projectId) => void projectsToPrune.add(projectId),
      onFault: (error, of) => {
        if (!(error instanceof ChargeLost)) {
          return logger.error({ err: error, ...of }, 'an outcome was not recorded yet')
        }
        lost += 1
        logger.error({ err: error, ...of }, 'the store has lost a charge')
      },
    })
    const recoverCharges = createRecovery({
      charges,
      ledger,
      lease,
      isUnderWay: relay.isUnderWay,
      wasForwarded: relay.wasForwarded,
      clock,
      ownGraceMs,
      onFault: (error, of) => logger.error({ err: error, ...of }, 'a charge cannot be ended'),
    })
    let stuck = 0
    async function recover(stopping?: AbortSignal) {
      const recovered = await recoverCharges(stopping)
      stuck = recovered.failed
      return recovered
    }
    /** Null if it cannot be read; the call is settled all the same. */
    const receiptOf = config.receipts.header
      ? ({ projectId, chargeId }: ChargedTo) =>
          receipts.ofCall(projectId, chargeId).catch((error) => {
            logger.warn({ err: error, chargeId }, 'a receipt could not be added to a response')
            return null
          })
      : null
    const oldSnapshots = inRounds('prune-snapshots', snapshots.pruneOld)
    const tasks: Task[] = [
      { name: 'recover', everyMs: 5000, run: recover },
      inRounds('prune-results', (limit) => charges.pruneResponses(clock() - config.charges.resultDays * dayMs, limit)),
      {
        ...oldSnapshots,
        async run(stopping) {
          const projectIds = [...projectsToPrune]
          projectsToPrune.clear()
          for (const projectId of projectIds) await snapshots.pruneExcess(projectId)
          await oldSnapshots.run(stopping)
        },
      },
    ]
    return {
      /** Ends the charges of instances that died, before the first call is served. */
      recover,
      relay,
      receiptOf,
      operations: business.operations,
      providers: business.providers,
      breakerStates: business.breakerStates,
      routes: businessRoutes({ operation, operations: business.operations, relay, authenticate, refusals, receiptOf }),
      tasks,
      close: business.close,
      underWay: relay.underWay,
      finish: relay.close,
      registerMetrics({ gauge, counter }: Metrics) {
        gauge('gateway_reviews_open', 'Charges in manual_review, across all instances.', charges.countInReview)
        gauge('gateway_charges_held', 'Charges this instance is working on.', relay.underWay)
        gauge('gateway_charges_stuck', 'Charges the last recovery could not end.', () => stuck)
        counter('gateway_charges_lost_total', 'Charges that the store lost after it had committed them.', () => lost)
        gauge('gateway_book_commands_queued', 'Ledger commands waiting for their commit.', ledger.queued)
      },
    }
  },
})
