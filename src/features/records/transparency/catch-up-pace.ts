import { monotonicMs as clockMs } from '../../../base/clock.ts'

/** A tree that is behind grows this many times as fast as the ledger, so that it catches up. */
const timesArrivals = 2
/** While calls are made, it rests at least as long as a step takes, and at most this many times as long. */
const mostRests = 19
/** Calls wait for a small step less. */
const shareUnderLoad = 1 / 4

/**
 * How fast a tree that is far behind catches up, as after an import or an outage. While nothing is called, it takes half of the time.
 * While calls are made it takes small steps, and no more of them than it needs.
 */
export function createCatchUpPace(monotonicMs: () => number = clockMs) {
  let startedAt = 0
  let limit = 0
  let newest = 0
  let earlier: { readonly startedAt: number; readonly newest: number } | null = null
  let arrivalsPerMs = 0

  return {
    begin(): void {
      startedAt = monotonicMs()
    },
    /** How many leaves the next step may have. */
    limitOf(most: number): number {
      limit = arrivalsPerMs > 0 ? Math.ceil(most * shareUnderLoad) : most
      return limit
    },
    found(newestEntryId: number): void {
      newest = newestEntryId
    },
    /** How long to rest after a step that was not the last one. */
    restMs(): number {
      const tookMs = Math.ceil(monotonicMs() - startedAt)
      if (earlier && startedAt > earlier.startedAt)
        arrivalsPerMs = Math.max(0, newest - earlier.newest) / (startedAt - earlier.startedAt)
      earlier = { startedAt, newest }
      if (arrivalsPerMs === 0) return tookMs
      const periodMs = limit / (timesArrivals * arrivalsPerMs)
      return Math.ceil(Math.min(Math.max(periodMs - tookMs, tookMs), mostRests * tookMs))
    },
    caughtUp(): void {
      earlier = null
      arrivalsPerMs = 0
    },
  }
}
