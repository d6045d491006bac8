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
  const { first, last } = await store.ledgerEnds(projectId)
  const end = last + 1
  const from = await firstAt(store, { projectId, first, end, at: times.fromAt })
  return { projectId, from, before: await firstAt(store, { projectId, first, end, at: times.toAt }) }
}

/** A range of the ledger with every entry of these times that is in the store, and a few others; up to `before` where that is known. */
export async function ledgerRangeOf(
  store: ReportStore,
  projectId: string,
  { fromAt, toAt }: Times,
  before = pastEnd,
): Promise<LedgerRange> {
  const { first, last } = await store.ledgerEnds(projectId)
  const end = Math.min(before, last + 1)
  const isOpen = toAt === pastEnd || before !== pastEnd
  return {
    projectId,
    from: fromAt <= 0 ? first : await firstAt(store, { projectId, first, end, at: fromAt - disorderMs }),
    before: isOpen ? end : await firstAt(store, { projectId, first, end, at: toAt + disorderMs }),
  }
}

/** Finds the first entry before `end` that is not from before the moment, by halving: about 20 short reads. */
async function firstAt(
  store: ReportStore,
  { projectId, first, end, at }: { projectId: string; first: number; end: number; at: number },
): Promise<number> {
  let low = first
  let high = end
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const enteredAt = await store.enteredAt(projectId, middle)
    if (enteredAt === undefined || enteredAt >= at) high = middle
    else low = middle + 1
  }
  return low
}
