import { type InfiniteData, queryOptions, skipToken } from '@tanstack/react-query'
import { ask, isRefused, type Reply } from './ask.ts'
import { askToWrite, gateway } from './gateway.ts'
import { afterOutage, createQueryClient, pagesQuery } from './query-client.ts'
import { session } from './session.ts'
import type { ChargedOperation, ChargeState, EventType, LedgerEntry, Order, Page } from './types.ts'

export const queryClient = createQueryClient((error) => {
  if (isRefused(error, 'GATEWAY_AUTH_REQUIRED')) session.expired()
})

const refreshMs = 30_000

/** Often enough that an event appears while it is still news. */
const newsMs = 5000

/** Often enough for somebody who has just paid. */
const payingMs = 1500

export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: () => ask(() => gateway.GET('/console/overview')),
  refetchInterval: refreshMs,
})

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: () => ask(() => gateway.GET('/console/keys')),
})

export const pricingQuery = queryOptions({
  queryKey: ['pricing'],
  queryFn: () => ask(() => gateway.GET('/pricing')),
  staleTime: Number.POSITIVE_INFINITY,
})

export const catalogQuery = queryOptions({
  queryKey: ['catalog'],
  queryFn: () => ask(() => gateway.GET('/console/models')),
  staleTime: 60_000,
})

export const secondFactorQuery = queryOptions({
  queryKey: ['second-factor'],
  queryFn: () => ask(() => gateway.GET('/console/second-factor')),
})

export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: () => ask(() => gateway.GET('/console/second-factor/passkeys')),
})

export const signInsQuery = queryOptions({
  queryKey: ['sign-ins'],
  queryFn: () => ask(() => gateway.GET('/console/sessions')),
})

export type DailyFilters = Omit<UsageFilters, 'id' | 'reason'> & { days?: number }

export const dailyQuery = (query: DailyFilters) =>
  queryOptions({
    queryKey: ['daily', query],
    queryFn: () => ask(() => gateway.GET('/console/usage/daily', { params: { query } })),
    placeholderData: (previous) => previous,
  })

export const partsQuery = (by: 'key' | 'model', query: DailyFilters) =>
  queryOptions({
    queryKey: ['daily', by, query],
    queryFn: () => ask(() => gateway.GET('/console/usage/parts', { params: { query: { ...query, by } } })),
    placeholderData: (previous) => previous,
  })

/** Calls that were refused without a charge. */
export const refusalsQuery = (filters: RefusalFilters) =>
  pagesQuery(['refusals', filters], (page) =>
    ask(() => gateway.GET('/console/refusals', { params: { query: { ...filters, ...page } } })),
  )

export const refusalHoursQuery = (filters: RefusalFilters) =>
  queryOptions({
    queryKey: ['refusals', 'hours', filters],
    queryFn: () => ask(() => gateway.GET('/console/refusals', { params: { query: { ...filters, limit: 1 } } })),
    placeholderData: (previous) => previous,
  })

export interface RefusalFilters {
  keyId?: string
  code?: string
}

export const outcomesQuery = queryOptions({
  queryKey: ['outcomes'],
  queryFn: () => ask(() => gateway.GET('/console/usage/outcomes')),
  refetchInterval: refreshMs,
})

/** Request and response of a call; null if they are not kept. */
export const contentQuery = (chargeId: string) =>
  queryOptions({
    queryKey: ['content', chargeId],
    queryFn: () =>
      ask(() => gateway.GET('/console/usage/{chargeId}/content', { params: { path: { chargeId } } })).catch((error) => {
        if (isRefused(error, 'NOT_FOUND')) return null
        throw error
      }),
  })

export const chargeDetailsQuery = (chargeId: string) =>
  queryOptions({
    queryKey: ['charge-details', chargeId],
    queryFn: () => ask(() => gateway.GET('/console/usage/{chargeId}', { params: { path: { chargeId } } })),
  })

export interface UsageFilters {
  operation?: ChargedOperation
  state?: ChargeState
  keyId?: string
  from?: string
  to?: string
  id?: string
  /** Why calls failed or are in review. */
  reason?: string
}

export interface LedgerFilters {
  kind?: LedgerEntry['kind']
  from?: string
  to?: string
}

export const usageQuery = (filters: UsageFilters) =>
  pagesQuery(['usage', filters], (page) =>
    ask(() => gateway.GET('/console/usage', { params: { query: { ...filters, ...page } } })),
  )

export const ledgerQuery = (filters: LedgerFilters) =>
  pagesQuery(['ledger', filters], (page) =>
    ask(() => gateway.GET('/console/ledger', { params: { query: { ...filters, ...page } } })),
  )
export const statementQuery = (month: string) =>
  queryOptions({
    queryKey: ['statement', month],
    queryFn: () => ask(() => gateway.GET('/console/statements/{month}', { params: { path: { month } } })),
  })

export const reviewsQuery = pagesQuery(
  ['reviews'],
  (query) => ask(() => gateway.GET('/console/reviews', { params: { query } })),
  100,
)
export const ordersQuery = {
  ...pagesQuery(['orders'], (query) => ask(() => gateway.GET('/console/orders', { params: { query } }))),
  // They are paid or decided, or expire. Rarely when many pages are loaded, because each of them is a request.
  refetchInterval(query: { state: { error: unknown; data?: InfiniteData<Page<Order>> | undefined } }) {
    const pages = query.state.data?.pages ?? []
    const isOpen = pages.some(({ items }) => items.some(({ state }) => state === 'pending' || state === 'in_review'))
    return isOpen ? (pages.length === 1 ? newsMs : refreshMs) : afterOutage(query)
  },
}

export const orderQuery = (orderId: string | null) =>
  queryOptions({
    queryKey: ['orders', 'one', orderId],
    queryFn:
      orderId === null
        ? skipToken
        : () => ask(() => gateway.GET('/console/orders/{orderId}', { params: { path: { orderId } } })),
    // It is paid on a phone, cancelled in another tab, expires, or is paid late.
    refetchInterval: ({ state: { data } }) =>
      data?.state === 'pending' ? payingMs : data?.state === 'credited' ? refreshMs : newsMs,
  })

/** Often enough to show progress while a job runs. */
const runningMs = 1000

export const mediaJobsQuery = queryOptions({
  queryKey: ['media'],
  queryFn: () => ask(() => gateway.GET('/console/media/jobs', { params: { query: { limit: 25 } } })),
  refetchInterval: ({ state: { data } }) =>
    data?.items.some(({ finishedAt }) => finishedAt === null) ? runningMs : refreshMs,
})

/** The newest events and the number of unread ones. */
export const latestEventsQuery = queryOptions({
  queryKey: ['events', 'latest'],
  queryFn: () => ask(() => gateway.GET('/console/events', { params: { query: { limit: 20 } } })),
  refetchInterval: newsMs,
})

/** Enough to group a storm of equal events. */
export const recentEventsQuery = queryOptions({
  queryKey: ['events', 'all', 'recent'],
  queryFn: () => ask(() => gateway.GET('/console/events', { params: { query: { limit: 100 } } })),
})

export const eventsQuery = (type?: EventType) =>
  pagesQuery(['events', 'all', type], (query) =>
    ask(() =>
      gateway.GET('/console/events', {
        params: { query: { ...query, ...(type && { type }) } },
      }),
    ),
  )

export async function markEventsRead(): Promise<void> {
  await askToWrite(() => gateway.POST('/console/events/read', { body: {} }))
  queryClient.setQueryData(latestEventsQuery.queryKey, (page) => page && { ...page, unread: 0 })
}

/** After a new event: reads events and everything that shows money or keys again. */
export async function refreshAfterEvents(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['events', 'all'] }),
    refreshProjectData(),
    // An event is delivered to webhooks too.
    refreshWebhooks(),
  ])
}

export const alertsQuery = queryOptions({
  queryKey: ['alerts'],
  queryFn: () => ask(() => gateway.GET('/console/alerts')),
})

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: () => ask(() => gateway.GET('/console/webhooks')),
  refetchInterval: refreshMs,
})

export const deliveriesQuery = (webhookId: string) =>
  queryOptions({
    queryKey: ['webhooks', webhookId, 'deliveries'],
    queryFn: () =>
      ask(() => gateway.GET('/console/webhooks/{webhookId}/deliveries', { params: { path: { webhookId } } })),
    // Often while a delivery is pending.
    refetchInterval: ({ state: { data } }) =>
      data?.items.some(({ nextAttemptAt }) => nextAttemptAt && Date.parse(nextAttemptAt) < Date.now() + refreshMs)
        ? runningMs
        : refreshMs,
  })

export const deliveryQuery = (webhookId: string, deliveryId: string) =>
  queryOptions({
    queryKey: ['webhooks', webhookId, 'deliveries', deliveryId],
    queryFn: () =>
      ask(() =>
        gateway.GET('/console/webhooks/{webhookId}/deliveries/{deliveryId}', {
          params: { path: { webhookId, deliveryId } },
        }),
      ),
  })

/** The list and all deliveries. */
export const refreshWebhooks = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['webhooks'] })

/** Refetches everything that shows credits. */
export function refreshProjectData(): Promise<void> {
  const names = new Set([
    'overview',
    'outcomes',
    'usage',
    'daily',
    'ledger',
    'reviews',
    'orders',
    'keys',
    'charge-details',
  ])
  return queryClient.invalidateQueries({ predicate: ({ queryKey }) => names.has(String(queryKey[0])) })
}

/** The list to export, with its filters. */
export const csvOf = (
  path: '/console/usage.csv' | '/console/ledger.csv',
  filters: UsageFilters & LedgerFilters,
  { today, language }: { today: string; language: string },
) => ({
  name: [path.slice('/console/'.length, -'.csv'.length), filters.from ?? 'all', filters.to ?? today].join('-'),
  read: () =>
    gateway.GET(path, {
      params: { query: { ...filters, language: language === 'en' ? 'en' : 'zh' } },
      parseAs: 'blob',
    }) as unknown as Reply<Blob>,
})
