import { response } from '../../../contract/operation.ts'
import type { PageParameters } from '../../../contract/paging.ts'
import { ok } from '../../../http/endpoint.ts'
import { type OperatorHandler, operatorHandler } from '../../../operator-kit/endpoint.ts'
import { operatorView } from '../../../operator-kit/operation.ts'
import type { FeatureContext } from '../../../ops/feature.ts'
import { OrderPage, orderParameters } from '../../billing/payments/contract.ts'
import type { Orders } from '../../billing/payments/orders.ts'
import { projectOf } from '../../identity/accounts/operator/actions.ts'
import { ofAccount } from '../../identity/accounts/operator/contract.ts'
import {
  ChargePage,
  LedgerPage,
  type LedgerParameters,
  ledgerParameters,
  type UsageParameters,
  usageParameters,
} from './contract.ts'
import { ledgerPage } from './ledger.ts'
import type { ReportStore } from './store.ts'
import { usagePage } from './usage.ts'

export const operatedReportOperations = [
  operatorView({
    ...ofAccount,
    id: 'operator.accounts.ledger',
    path: '/api/accounts/{accountId}/ledger',
    summary: 'List the ledger of an account',
    queryParameters: ledgerParameters,
    response: response(200, 'A page of entries, the newest first.', LedgerPage),
  }),
  operatorView({
    ...ofAccount,
    id: 'operator.accounts.orders',
    path: '/api/accounts/{accountId}/orders',
    summary: 'List the orders of an account',
    queryParameters: orderParameters,
    response: response(200, 'A page of orders, the newest first.', OrderPage),
  }),
  operatorView({
    ...ofAccount,
    id: 'operator.accounts.charges',
    path: '/api/accounts/{accountId}/charges',
    summary: 'List the charges of an account',
    queryParameters: usageParameters,
    response: response(200, 'A page of charges, the newest first.', ChargePage),
  }),
]

interface OperatedReportDeps extends Pick<FeatureContext, 'engine'> {
  readonly reports: ReportStore
  readonly orders: Pick<Orders, 'page'>
}

export const operatedReportHandlers = (deps: OperatedReportDeps): OperatorHandler[] => [
  operatorHandler<unknown, LedgerParameters>('operator.accounts.ledger', async ({ at, query }) =>
    ok(await ledgerPage(deps.reports, await projectOf(deps, at('accountId')), query)),
  ),
  operatorHandler<unknown, PageParameters>('operator.accounts.orders', async ({ at, query }) =>
    ok(await deps.orders.page(await projectOf(deps, at('accountId')), query)),
  ),
  operatorHandler<unknown, UsageParameters>('operator.accounts.charges', async ({ at, query }) =>
    ok(await usagePage(deps.reports, await projectOf(deps, at('accountId')), query)),
  ),
]
