import { monotonicMs } from '../../../base/clock.ts'
import { delay } from '../../../base/timers.ts'
import type { LedgerRange } from '../archives/store.ts'
import type { ReportStore } from './store.ts'

export interface TurnOptions {
  /** Whether calls wait for the store. */
  readonly isBusy: () => boolean
  readonly pause?: (ms: number) => Promise<unknown>
  readonly now?: () => number
}

/** Narrower reads do not wait, such as a page of an unfiltered list. */
const narrow = 500
/** A pause of this many times the read leaves the store to paid calls: all but a twentieth of it while some wait. */
const pauseFactor = { idle: 4, busy: 19 }
const longestPauseMs = 200

/**
 * Wide reads of the ledger run one at a time, with a pause after each that is longer while calls wait, and projects take
 * turns: one that downloads everything delays neither paid calls nor another project's reports. No more wait than there are
 * requests, which the transport bounds.
 */
export function inTurns(store: ReportStore, options: TurnOptions): ReportStore {
  const turns = createTurns(options)
  const take = <T>(range: LedgerRange, read: () => Promise<T>): Promise<T> =>
    range.before - range.from <= narrow ? read() : turns.take(range.projectId, read)
  return {
    ...store,
    reservedByDay: (range, filter) => take(range, () => store.reservedByDay(range, filter)),
    partsByDay: (range, filter, by) => take(range, () => store.partsByDay(range, filter, by)),
    charges: (range, filter, limit) => take(range, () => store.charges(range, filter, limit)),
    along: (range, read) => take(range, () => store.along(range, read)),
    entries: (range, filter, limit) => take(range, () => store.entries(range, filter, limit)),
  }
}

function createTurns({ isBusy, pause = delay, now = monotonicMs }: TurnOptions) {
  /** By project, in the order of their turns. */
  const waiting = new Map<string, (() => Promise<void>)[]>()
  let isRunning = false

  function next(): (() => Promise<void>) | undefined {
    for (const [projectId, [first, ...others]] of waiting) {
      // Behind the other projects.
      waiting.delete(projectId)
      if (others.length > 0) waiting.set(projectId, others)
      return first
    }
    return undefined
  }

  async function run(): Promise<void> {
    isRunning = true
    for (let turn = next(); turn; turn = next()) {
      const from = now()
      await turn()
      const factor = isBusy() ? pauseFactor.busy : pauseFactor.idle
      await pause(Math.min(longestPauseMs, Math.ceil(factor * (now() - from))))
    }
    isRunning = false
  }

  return {
    take<T>(projectId: string, read: () => Promise<T>): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        const turn = () => read().then(resolve, reject)
        waiting.set(projectId, [...(waiting.get(projectId) ?? []), turn])
        if (!isRunning) void run()
      })
    },
  }
}
