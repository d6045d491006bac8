import { infiniteQueryOptions, QueryCache, QueryClient } from '@tanstack/react-query'
import { Refused, Unreachable } from './ask.ts'
import type { Page } from './types.ts'

/** The query cache; `onError` handles errors that concern the whole page. */
export const createQueryClient = (onError: (error: unknown) => void): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 5000,
        retry: isWorthRetrying,
        retryDelay: (failures) => 500 * 2 ** failures,
        // Pages recover automatically after an outage.
        refetchInterval: afterOutage,
      },
      // A write never waits for the network to return and then goes out on its own.
      mutations: { networkMode: 'always', retry: false, onError },
    },
  })

const outageMs = 3000

export const afterOutage = ({ state }: { state: { error: unknown } }): number | false =>
  state.error instanceof Unreachable ? outageMs : false

/** Retries only requests that got no response, at most twice. */
function isWorthRetrying(failures: number, error: unknown): boolean {
  return !(error instanceof Refused) && failures < 2
}

export interface PageQuery {
  after?: string
  limit: number
}

type ReadPage<T> = (query: PageQuery) => Promise<Page<T>>

/** A list that is read page by page. */
export function pagesQuery<T>(queryKey: readonly unknown[], read: ReadPage<T>, rows = 25) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam }) => wholePage(read, pageParam, rows),
    placeholderData: (previous) => previous,
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextAfter,
  })
}

/** Each request scans a bounded part of the ledger; the maximum per filtered page. */
const maxRequestsPerPage = 50

/** With a filter, a page may be short although older rows match: then it reads on. */
async function wholePage<T>(read: ReadPage<T>, after: string | null, rows: number): Promise<Page<T>> {
  const items: T[] = []
  let nextAfter = after
  for (let looks = 0; looks < maxRequestsPerPage; looks++) {
    const page = await read({ limit: rows - items.length, ...(nextAfter !== null && { after: nextAfter }) })
    items.push(...page.items)
    nextAfter = page.nextAfter
    if (nextAfter === null || items.length >= rows) break
  }
  return { items, nextAfter }
}
