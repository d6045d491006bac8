import { defineFeature } from '../../../ops/feature.ts'
import type { PaymentsParts } from '../../billing/payments/feature.ts'
import type { Accounts } from '../../identity/accounts/feature.ts'
import { createCreditsReader } from '../../identity/accounts/store.ts'
import type { KeysParts } from '../../identity/keys/feature.ts'
import { accountRoutes } from './me.ts'
import { reportOperations } from './operations.ts'
import { operatedReportHandlers, operatedReportOperations } from './operator.ts'
import { inTurns } from './read-turns.ts'
import { catalogRoutes, exportRoutes, reportRoutes } from './routes.ts'
import { createConsoleStore } from './store.ts'

export interface ReportsDeps extends Pick<KeysParts, 'keys'>, Pick<PaymentsParts, 'orders'> {
  readonly accounts: Accounts
  /** A function, because the operator's port is known only after the start. */
  readonly smsInboxUrl: () => string | null
}

export const reportsFeature = defineFeature({
  name: 'reports',
  consoleOperations: reportOperations,
  operatorOperations: operatedReportOperations,
  build({ config, engine, clock, ledger, operation }, { accounts, keys, orders, smsInboxUrl }: ReportsDeps) {
    const { guards, sessions, store } = accounts
    const { paymentMode, origin } = config
    const reports = inTurns(createConsoleStore(engine), { isBusy: () => ledger.queued() > 0 })
    const deps = { operation, guards, reports, clock }
    return {
      reports,
      operatorHandlers: operatedReportHandlers({ engine, reports, orders }),
      routes: [
        ...accountRoutes({
          operation,
          guards,
          sessions,
          findAccount: (accountId) => store.read((tx) => tx.account(accountId)),
          creditsOf: createCreditsReader(engine),
          keys,
          orders,
        }),
        ...reportRoutes({ ...deps, baseUrl: origin.origin, smsInboxUrl, paymentMode }),
        ...exportRoutes(deps),
        ...catalogRoutes({ operation, guards, catalog: config }),
      ],
    }
  },
})

export type Reports = ReturnType<typeof reportsFeature.build>
