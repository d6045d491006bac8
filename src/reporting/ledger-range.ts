import type { DayParameters } from '../contract/console/paging.ts'
import { dayOfText, startOfDay } from './days.ts'
import type { LedgerRange, ReportStore } from './ports.ts'

/** Moments from `fromAt` on, up to but without `toAt`. */
export interface Times {
  readonly fromAt: number
  readonly toAt: number
}

/** Later than any moment and higher than any number of an entry. */
export const pastEnd = Number.MAX_SAFE_INTEGER

export const timesOf = ({ from, to }: DayParameters): Times => ({
  fromAt: from === undefined ? 0 : startOfDay(dayOfText(from)),
  toAt: to === undefined ? pastEnd : startOfDay(dayOfText(to) + 1),
})

/**
 * Entries stand in the order of their commits, and so almost in that of their times: clocks of instances differ, and
 * an outcome may be recorded late. None stands behind one whose time is later by more than this.
 */
export const disorderMs = 3_600_000

/** The entries whose times are about these; not all of them where the ledger is in disorder. */
export async function ledgerRangeNear(store: ReportStore, projectId: string, times: Times): Promise<LedgerRange> {
  const end = (await store.entryCount(projectId)) + 1
  const from = await firstAt(store, { projectId, end, at: times.fromAt })
  return { projectId, from, before: await firstAt(store, { projectId, end, at: times.toAt }) }
}

/** A range of the ledger with every entry of these times, and a few others; up to `before` where that is known. */
export async function ledgerRangeOf(
  store: ReportStore,
  projectId: string,
  { fromAt, toAt }: Times,
  before = pastEnd,
): Promise<LedgerRange> {
  const end = Math.min(before, (await store.entryCount(projectId)) + 1)
  const isOpen = toAt === pastEnd || before !== pastEnd
  return {
    projectId,
    from: fromAt <= 0 ? 1 : await firstAt(store, { projectId, end, at: fromAt - disorderMs }),
    before: isOpen ? end : await firstAt(store, { projectId, end, at: toAt + disorderMs }),
  }
}

/** Finds the first entry before `end` that is not from before the moment, by halving: about 20 short reads. */
async function firstAt(
  store: ReportStore,
  { projectId, end, at }: { projectId: string; end: number; at: number },
): Promise<number> {
  let low = 1
  let high = end
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const enteredAt = await store.enteredAt(projectId, middle)
    if (enteredAt === undefined || enteredAt >= at) high = middle
    else low = middle + 1
  }
  return low
}
