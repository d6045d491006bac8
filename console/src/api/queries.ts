import { infiniteQueryOptions, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query'
import { ask, gateway } from './gateway.ts'
import { isRefused, Refused } from './refusal.ts'
import { session } from './session.ts'
import type { ChargeState, OperationId, Page } from './types.ts'

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: endExpiredSession }),
  defaultOptions: {
    queries: { staleTime: 5000, retry: isWorthRetrying, retryDelay: (failures) => 500 * 2 ** failures },
    // A write never waits for the network and then goes out by itself: its sender decides.
    mutations: { networkMode: 'always', retry: false, onError: endExpiredSession },
  },
})

function endExpiredSession(error: unknown): void {
  if (isRefused(error, 'GATEWAY_AUTH_REQUIRED')) session.expired()
}

/** A refusal is an answer; only what never got one is asked again, twice. */
function isWorthRetrying(failures: number, error: unknown): boolean {
  return !(error instanceof Refused) && failures < 2
}

const refreshMs = 30_000

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

export const signInsQuery = queryOptions({
  queryKey: ['sign-ins'],
  queryFn: () => ask(() => gateway.GET('/console/sessions')),
})

export const dailyQuery = (days: number) =>
  queryOptions({
    queryKey: ['daily', days],
    queryFn: () => ask(() => gateway.GET('/console/usage/daily', { params: { query: { days } } })),
    placeholderData: (previous) => previous,
  })

export const receiptQuery = (chargeId: string) =>
  queryOptions({
    queryKey: ['receipt', chargeId],
    queryFn: () => ask(() => gateway.GET('/console/usage/{chargeId}', { params: { path: { chargeId } } })),
  })

export interface UsageFilters {
  operation?: OperationId
  state?: ChargeState
  keyId?: string
  from?: string
  to?: string
}

export const usageQuery = (filters: UsageFilters) =>
  pagesQuery(['usage', filters], (page) =>
    ask(() => gateway.GET('/console/usage', { params: { query: { ...filters, ...page } } })),
  )

export const ledgerQuery = pagesQuery(['ledger'], (query) =>
  ask(() => gateway.GET('/console/ledger', { params: { query } })),
)
export const reviewsQuery = pagesQuery(['reviews'], (query) =>
  ask(() => gateway.GET('/console/reviews', { params: { query } })),
)
export const ordersQuery = pagesQuery(['orders'], (query) =>
  ask(() => gateway.GET('/console/orders', { params: { query } })),
)

interface PageQuery {
  cursor?: string
  limit: number
}

function pagesQuery<T>(queryKey: readonly unknown[], read: (query: PageQuery) => Promise<Page<T>>) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam }) => read({ limit: 25, ...(pageParam !== null && { cursor: pageParam }) }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  })
}

/** After money has moved, everything that shows it is read again. */
export function refreshBooks(): Promise<void> {
  const books = new Set(['overview', 'usage', 'daily', 'ledger', 'reviews', 'orders', 'keys', 'receipt'])
  return queryClient.invalidateQueries({ predicate: ({ queryKey }) => books.has(String(queryKey[0])) })
}
