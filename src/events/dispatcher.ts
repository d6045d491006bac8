import { setTimeout as delay } from 'node:timers/promises'
import type { ProjectEvent } from './event.ts'
import type { EventQueue, EventSubscriber } from './ports.ts'

/** Passes every event to its subscribers, the oldest first. */
export interface EventDispatcher {
  /** Looks for due events at once, and from now on every second. */
  readonly start: () => void
  /** Looks for due events now. */
  readonly wake: () => void
  /** Resolves once nothing is under way: all that was due has been tried. */
  readonly idle: () => Promise<void>
  /** Takes nothing more and waits a few seconds for the page under way. */
  readonly stop: () => Promise<void>
}

export interface DispatcherDeps<Transaction> {
  readonly store: EventQueue<Transaction>
  readonly subscribers: readonly EventSubscriber<Transaction>[]
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

const lookEveryMs = 1000
/** Small enough that no call waits long for the transaction. */
const pageSize = 32
const retryMs = 60_000
const stopLimitMs = 5000

export function createDispatcher<Transaction>(deps: DispatcherDeps<Transaction>): EventDispatcher {
  const { observer, clock, store } = deps
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | null = null
  let mustLookAgain = false
  let isStopping = false
  let hasStoreFailed = false

  async function lookOnce(): Promise<void> {
    // Reads first, so that an idle gateway writes nothing.
    if (!(await store.hasDue(clock())) || isStopping) return
    if ((await dispatchPage(deps, pageSize)) > 0) mustLookAgain = true
    hasStoreFailed = false
  }

  async function lookWhileAsked(): Promise<void> {
    try {
      while (mustLookAgain && !isStopping) {
        mustLookAgain = false
        await lookOnce()
      }
    } catch (error) {
      if (!hasStoreFailed) observer.storeFailed(error)
      hasStoreFailed = true
    }
    looking = null
  }

  function wake(): void {
    mustLookAgain = true
    if (looking || isStopping) return
    looking = lookWhileAsked()
  }

  async function idle(): Promise<void> {
    while (looking) await looking
  }

  return {
    start() {
      timer = setInterval(wake, lookEveryMs).unref()
      wake()
    },
    wake,
    idle,
    async stop() {
      isStopping = true
      clearInterval(timer)
      await Promise.race([idle(), delay(stopLimitMs, undefined, { ref: false })])
    },
  }
}

/**
 * Dispatches the oldest due events and returns how many it took. If a subscriber fails, fewer are tried, down to one: that one
 * waits, so that it does not hold up the others.
 */
async function dispatchPage<Transaction>(deps: DispatcherDeps<Transaction>, limit: number): Promise<number> {
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
