import { infiniteQueryOptions, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query'
import { ask, gateway } from './gateway.ts'
import { isRefused, Refused } from './refusal.ts'
import { session } from './session.ts'
import type { ChargedOperation, ChargeState, LedgerEntry, Page } from './types.ts'

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

export type DailyFilters = Omit<UsageFilters, 'id'> & { days?: number }

export const dailyQuery = (query: DailyFilters) =>
  queryOptions({
    queryKey: ['daily', query],
    queryFn: () => ask(() => gateway.GET('/console/usage/daily', { params: { query } })),
    placeholderData: (previous) => previous,
  })

export const receiptQuery = (chargeId: string) =>
  queryOptions({
    queryKey: ['receipt', chargeId],
    queryFn: () => ask(() => gateway.GET('/console/usage/{chargeId}', { params: { path: { chargeId } } })),
  })

export interface UsageFilters {
  operation?: ChargedOperation
  state?: ChargeState
  keyId?: string
  from?: string
  to?: string
  /** Of a charge or of a request. */
  id?: string
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
export const reviewsQuery = pagesQuery(
  ['reviews'],
  (query) => ask(() => gateway.GET('/console/reviews', { params: { query } })),
  100,
)
export const ordersQuery = pagesQuery(['orders'], (query) =>
  ask(() => gateway.GET('/console/orders', { params: { query } })),
)

/** Often enough that progress moves by itself while something runs. */
const runningMs = 1000

export const mediaJobsQuery = queryOptions({
  queryKey: ['media'],
  queryFn: () => ask(() => gateway.GET('/console/media/jobs', { params: { query: { limit: 25 } } })),
  refetchInterval: ({ state: { data } }) =>
    data?.items.some(({ finishedAt }) => finishedAt === null) ? runningMs : refreshMs,
})

interface PageQuery {
  cursor?: string
  limit: number
}

type ReadPage<T> = (query: PageQuery) => Promise<Page<T>>

function pagesQuery<T>(queryKey: readonly unknown[], read: ReadPage<T>, rows = 25) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam }) => wholePage(read, pageParam, rows),
    placeholderData: (previous) => previous,
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  })
}

/** A request looks through a bounded part of the ledger; so many of them make a page with a filter. */
const mostLooks = 5

/** With a filter a page of the gateway may be short although there is more behind it: then it looks further. */
async function wholePage<T>(read: ReadPage<T>, cursor: string | null, rows: number): Promise<Page<T>> {
  const items: T[] = []
  let nextCursor = cursor
  for (let looks = 0; looks < mostLooks; looks++) {
    const page = await read({ limit: rows - items.length, ...(nextCursor !== null && { cursor: nextCursor }) })
    items.push(...page.items)
    nextCursor = page.nextCursor
    if (nextCursor === null || items.length >= rows) break
  }
  return { items, nextCursor }
}

/** After money has moved, everything that shows it is read again. */
export function refreshBooks(): Promise<void> {
  const books = new Set(['overview', 'usage', 'daily', 'ledger', 'reviews', 'orders', 'keys', 'receipt'])
  return queryClient.invalidateQueries({ predicate: ({ queryKey }) => books.has(String(queryKey[0])) })
}
