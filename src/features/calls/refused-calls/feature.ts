import { ok, viewRoute } from '../../../http/endpoint.ts'
import type { FinishedRequest } from '../../../http/request-log.ts'
import type { KnownKey } from '../../../http/route.ts'
import { defineFeature } from '../../../ops/feature.ts'
import { inRounds } from '../../../ops/maintenance.ts'
import type { Metrics } from '../../../ops/metrics.ts'
import type { Accounts } from '../../identity/accounts/feature.ts'
import { isRefusedWith, type RefusedCallParameters, refusedCallOperations } from './contract.ts'
import { createRefusalTally, refusalWriter } from './refusal-tally.ts'
import { createRefusalStore } from './store.ts'

const writeEveryMs = 5000

/** Calls that were refused without a charge, counted and listed for the payer. None of them waits for a write. */
export const refusedCallsFeature = defineFeature({
  name: 'refused-calls',
  consoleOperations: refusedCallOperations,
  build({ engine, clock, logger, operation }, { accounts: { guards } }: { readonly accounts: Accounts }) {
    const tally = createRefusalTally(clock)
    const store = createRefusalStore(engine, clock)
    const write = refusalWriter(tally, store.write)

    function onFailedCall({ operationId, requestId, code, chargeId }: FinishedRequest, key: KnownKey): void {
      // A call with a charge is in the usage log.
      if (code === null || chargeId !== undefined || !isRefusedWith(code)) return
      const { projectId, keyId } = key
      tally.add({ projectId, keyId, requestId, operation: operationId, code })
    }

    return {
      onFailedCall,
      routes: [
        viewRoute<RefusedCallParameters>({ operation, guards }, 'console.refusals.list', async ({ session, query }) =>
          ok(await store.read(session.projectId, query)),
        ),
      ],
      tasks: [
        { name: 'write-refusals', everyMs: writeEveryMs, run: write },
        inRounds('prune-refused-calls', store.pruneCalls),
        inRounds('prune-refusal-counts', store.pruneCounts),
      ],
      async finish() {
        try {
          // The first may be what an earlier write has left.
          await write()
          await write()
        } catch (error) {
          logger.warn({ err: error }, 'the last refused calls were not recorded')
        }
      },
      registerMetrics({ counter }: Metrics) {
        counter('gateway_refusals_uncounted_total', 'Refused calls missing in the counts of payers.', tally.dropped)
      },
    }
  },
})
