import { createWorkLoop } from '../../../base/work-loop.ts'
import type { ProjectEvent } from '../../../ledger/events.ts'
import type { EventStore, EventSubscriber } from './store.ts'

export interface DispatcherDeps {
  readonly store: Pick<EventStore, 'hasDue' | 'dispatch' | 'postpone'>
  readonly subscribers: readonly EventSubscriber[]
  readonly clock: () => number
  /** True if the store could not be reached; false if a subscriber failed. */
  readonly isUnavailable: (error: unknown) => boolean
  readonly observer: EventObserver
}

export interface EventObserver {
  readonly dispatched: (events: readonly ProjectEvent[]) => void
  /** A subscriber failed for this event alone; it is tried again later. */
  readonly postponed: (event: ProjectEvent, error: unknown) => void
  /** The store failed. Reported once until it works again. */
  readonly storeFailed: (error: unknown) => void
}

/** Small enough that no call waits long for the transaction. */
const pageSize = 32
const retryMs = 60_000

/** Passes every event to its subscribers, the oldest first. */
export function createDispatcher(deps: DispatcherDeps) {
  const { observer, clock, store } = deps
  const loop = createWorkLoop({ beginDue, onFault: observer.storeFailed })

  async function beginDue(): Promise<boolean> {
    if (!(await store.hasDue(clock())) || loop.isStopping()) return false
    return (await dispatchPage(deps, pageSize)) > 0
  }

  return loop
}

/**
 * Dispatches the oldest due events and returns how many it took. If a subscriber fails, fewer are tried, down to one: that one
 * waits, so that it does not hold up the others.
 */
async function dispatchPage(deps: DispatcherDeps, limit: number): Promise<number> {
  const { store, subscribers, clock, isUnavailable, observer } = deps
  const now = clock()
  let taken: readonly ProjectEvent[] = []
  try {
    const events = await store.dispatch({ now, limit }, async (tx, page) => {
      taken = page
      for (const subscriber of subscribers) await subscriber.receive(tx, page)
    })
    observer.dispatched(events)
    return events.length
  } catch (error) {
    const [oldest] = taken
    if (!oldest || isUnavailable(error)) throw error
    if (taken.length > 1) return dispatchPage(deps, taken.length >> 1)
    await store.postpone(oldest.id, now + retryMs)
    observer.postponed(oldest, error)
    return 1
  }
}
