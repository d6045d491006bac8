import { QueryCache, QueryClient } from '@tanstack/react-query'
import { Refused } from './refusal.ts'

/** What is read and written, with what happens to an error that concerns the whole page. */
export const createQueryClient = (onError: (error: unknown) => void): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({ onError }),
    defaultOptions: {
      queries: { staleTime: 5000, retry: isWorthRetrying, retryDelay: (failures) => 500 * 2 ** failures },
      // A write never waits for the network and then goes out by itself: its sender decides.
      mutations: { networkMode: 'always', retry: false, onError },
    },
  })

/** A refusal is an answer; only what never got one is asked again, twice. */
function isWorthRetrying(failures: number, error: unknown): boolean {
  return !(error instanceof Refused) && failures < 2
}
