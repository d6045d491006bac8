import { queryOptions } from '@tanstack/react-query'
import type { InboxMessage } from '../../../../src/features/operators/inbox/contract.ts'
import { ask, isRefused, type Reply } from '../../api/ask.ts'
import { createQueryClient, type PageQuery, pagesQuery } from '../../api/query-client.ts'
import { operatorApi } from './client.ts'
import { firstStep, operatorSession } from './session.ts'
import type { AccountOrder, Approval, FindAccounts, Payment } from './types.ts'

export const queryClient = createQueryClient((error) => {
  if (isRefused(error, 'GATEWAY_AUTH_REQUIRED')) operatorSession.expired()
  if (isRefused(error, 'PASSWORD_CHANGE_REQUIRED')) firstStep.become('password')
  if (isRefused(error, 'TOTP_ENROLMENT_REQUIRED')) firstStep.become('totp')
})

const liveMs = 2000
const calmMs = 15_000

export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: () => ask(() => operatorApi.GET('/overview')),
  refetchInterval: liveMs,
  staleTime: 0,
})

/** Not below /api: it is open where the gateway is local. */
export const inboxQuery = queryOptions({
  queryKey: ['inbox'],
  queryFn: () =>
    ask<readonly InboxMessage[]>(async () => {
      const response = await fetch('/inbox.json')
      const body = await response.json()
      return response.ok ? { data: body, response } : { error: body, response }
    }),
  refetchInterval: liveMs,
})

export const incidentsQuery = queryOptions({
  queryKey: ['incidents'],
  queryFn: () => ask(() => operatorApi.GET('/incidents')),
  refetchInterval: calmMs,
})

export const providersQuery = queryOptions({
  queryKey: ['providers'],
  queryFn: () => ask(() => operatorApi.GET('/providers')),
  refetchInterval: liveMs,
})

export const providerDayQuery = queryOptions({
  queryKey: ['providers', 'day'],
  queryFn: () => ask(() => operatorApi.GET('/providers/day')),
  refetchInterval: calmMs,
})

export const accountsQuery = (order: AccountOrder) =>
  pagesQuery(['accounts', order], (query) =>
    ask(() => operatorApi.GET('/accounts', { params: { query: { ...query, order } } })),
  )

export const findQuery = (query: FindAccounts) =>
  queryOptions({
    queryKey: ['found', query],
    queryFn: () => ask(() => operatorApi.POST('/accounts/find', { body: query })),
  })

const of = (accountId: string) => ({ path: { accountId } })

export const accountQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['account', accountId],
    queryFn: () => ask(() => operatorApi.GET('/accounts/{accountId}', { params: of(accountId) })),
    refetchInterval: calmMs,
  })

export const signInsQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['sign-ins', accountId],
    queryFn: () => ask(() => operatorApi.GET('/accounts/{accountId}/sign-ins', { params: of(accountId) })),
  })

export const ledgerQuery = (accountId: string) =>
  pagesQuery(['ledger', accountId], (query) =>
    ask(() => operatorApi.GET('/accounts/{accountId}/ledger', { params: { ...of(accountId), query } })),
  )

export const ordersQuery = (accountId: string) =>
  pagesQuery(['orders', accountId], (query) =>
    ask(() => operatorApi.GET('/accounts/{accountId}/orders', { params: { ...of(accountId), query } })),
  )

export const chargesQuery = (accountId: string) =>
  pagesQuery(['charges', accountId], (query) =>
    ask(() => operatorApi.GET('/accounts/{accountId}/charges', { params: { ...of(accountId), query } })),
  )

export const chargeQuery = (chargeId: string) =>
  queryOptions({
    queryKey: ['charge', chargeId],
    queryFn: () => ask(() => operatorApi.GET('/charges/{chargeId}', { params: { path: { chargeId } } })),
    refetchInterval: calmMs,
  })

export const approvalsQuery = (state: Approval['state']) => ({
  ...pagesQuery(['approvals', state], (query) =>
    ask(() => operatorApi.GET('/approvals', { params: { query: { ...query, state } } })),
  ),
  refetchInterval: calmMs,
})

export const reviewsQuery = (provider?: string) => ({
  ...pagesQuery(
    ['reviews', provider],
    (query) =>
      ask(() => operatorApi.GET('/reviews', { params: { query: { ...query, ...(provider && { provider }) } } })),
    50,
  ),
  refetchInterval: calmMs,
})

/** Those in a state, or those with a refund in review. */
export type ShownPayments = Payment['state'] | 'all' | 'refunds' | 'decision'

const filterOf = (shown: ShownPayments) => {
  if (shown === 'all') return {}
  if (shown === 'decision') return { decision: 'open' as const }
  return shown === 'refunds' ? { refunds: 'review' as const } : { state: shown }
}

export const paymentsQuery = (shown: ShownPayments) => ({
  ...pagesQuery(['payments', shown], (query) =>
    ask(() => operatorApi.GET('/payments', { params: { query: { ...query, ...filterOf(shown) } } })),
  ),
  refetchInterval: calmMs,
})

export const paymentQuery = (paymentId: string) =>
  queryOptions({
    queryKey: ['payment', paymentId],
    queryFn: () => ask(() => operatorApi.GET('/payments/{paymentId}', { params: { path: { paymentId } } })),
    refetchInterval: calmMs,
  })

export const comparisonsQuery = (isOnlyOpen: boolean) =>
  pagesQuery(['comparisons', isOnlyOpen], (query) =>
    ask(() =>
      operatorApi.GET('/payment-comparisons', {
        params: { query: { ...query, ...(isOnlyOpen && { onlyOpen: 'yes' as const }) } },
      }),
    ),
  )

interface ComparedDay {
  readonly date: string
  readonly method: string
}

const differencesOf = (path: ComparedDay, query: PageQuery) =>
  ask(() => operatorApi.GET('/payment-comparisons/{date}/{method}', { params: { path, query } }))

export const differencesQuery = (day: ComparedDay) =>
  pagesQuery(['differences', day], (query) => differencesOf(day, query))

/** The day itself, with its counts. */
export const comparisonQuery = (day: ComparedDay) =>
  queryOptions({
    queryKey: ['comparison', day],
    queryFn: async () => (await differencesOf(day, { limit: 1 })).comparison,
  })

export interface AuditFilters {
  by?: string
  action?: string
  object?: string
  from?: string
  to?: string
}

export const auditQuery = (filters: AuditFilters) =>
  pagesQuery(['audit', filters], (query) =>
    ask(() => operatorApi.GET('/audit', { params: { query: { ...filters, ...query, order: 'newest' } } })),
  )

export const auditCsv = (filters: AuditFilters) => ({
  name: ['audit', filters.from, filters.to].filter(Boolean).join('-'),
  read: () => operatorApi.GET('/audit.csv', { params: { query: filters }, parseAs: 'blob' }) as unknown as Reply<Blob>,
})

export const runsQuery = queryOptions({
  queryKey: ['runs'],
  queryFn: () => ask(() => operatorApi.GET('/reconcile')),
  refetchInterval: liveMs,
})

export const runQuery = (runId: string) =>
  queryOptions({
    queryKey: ['run', runId],
    queryFn: () => ask(() => operatorApi.GET('/reconcile/{runId}', { params: { path: { runId } } })),
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? 1000 : false),
  })

export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: () => ask(() => operatorApi.GET('/settings')),
})

export const doctorQuery = (language: 'en' | 'zh') =>
  queryOptions({
    queryKey: ['doctor', language],
    queryFn: () => ask(() => operatorApi.GET('/doctor', { params: { query: { language } } })),
  })

export const operatorsQuery = queryOptions({
  queryKey: ['operators'],
  queryFn: () => ask(() => operatorApi.GET('/operators')),
})
