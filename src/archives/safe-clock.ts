import type { StoreTimes } from './ports.ts'

/** How far two clocks may differ; more says that one of them is wrong. */
const toleranceMs = 60_000

export interface ClockTrouble {
  readonly because: 'clock'
  /** What is wrong, for the operator. */
  readonly detail: string
}

/**
 * The time that ages are counted from: the earliest of this clock, the database's and the newest entry, because a clock that is
 * ahead would archive what callers still rely on. The newest entry may be old, since a gateway may be idle.
 */
export async function safeNow(
  clock: () => number,
  readTimes: () => Promise<StoreTimes>,
): Promise<number | ClockTrouble> {
  const before = clock()
  const { databaseMs, newestEntryMs } = await readTimes()
  // The database was asked between these two readings, however long it took to answer.
  const after = clock()
  if (databaseMs < before - toleranceMs || databaseMs > after + toleranceMs)
    return trouble(`the clock here says ${text(after)}, that of the database ${text(databaseMs)}: set the wrong one`)
  const now = Math.min(before, databaseMs)
  if (newestEntryMs === null) return now
  if (newestEntryMs > now + toleranceMs)
    return trouble(`the newest ledger entry is of ${text(newestEntryMs)}, but the clock here says ${text(after)}`)
  return Math.min(now, newestEntryMs)
}

const trouble = (detail: string): ClockTrouble => ({ because: 'clock', detail })

const text = (ms: number) => new Date(ms).toISOString()
