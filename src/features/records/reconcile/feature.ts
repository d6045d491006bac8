import { ok } from '../../../http/endpoint.ts'
import { operatorHandler } from '../../../operator-kit/endpoint.ts'
import { defineFeature } from '../../../ops/feature.ts'
import { openStore } from '../../../storage/open-store.ts'
import { archivesOf } from '../archives/feature.ts'
import { reconcileOperations } from './contract.ts'
import { createReconcileRuns, runLimitMs } from './runs.ts'

export const reconcileFeature = defineFeature({
  name: 'reconcile',
  operatorOperations: reconcileOperations,
  build({ config, engine, clock, logger }) {
    const { databaseUrl, dataDir } = config
    const opened = { databaseUrl, dataDir, exclusive: false, mustExist: true, clock, logger }
    const runs = createReconcileRuns({
      engine,
      openEngine: () => openStore({ ...opened, transactionLimitMs: runLimitMs }),
      clock,
      resultDays: config.charges.resultDays,
      archives: () => archivesOf(config),
      onFailure: (error) => logger.error({ err: error }, 'a reconciliation failed'),
    })
    return {
      runs,
      operatorHandlers: [
        operatorHandler('operator.reconcile.start', async ({ actor }) => ok(await runs.start(actor), 202)),
        operatorHandler('operator.reconcile.list', async () => ok({ items: await runs.list() })),
        operatorHandler('operator.reconcile.show', async ({ at }) => ok(await runs.show(at('runId')))),
      ],
      finish: runs.stop,
    }
  },
})
