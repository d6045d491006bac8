import { dayMs, dayOf, reportingZone, startOfDay } from '../base/time.ts'

export const budgetPeriods = ['day', 'month', 'total'] as const
export type BudgetPeriod = (typeof budgetPeriods)[number]

/** The start of the period that contains `at`, in the zone of the reports. */
export function periodStart(per: BudgetPeriod, at: number): number {
  if (per === 'total') return 0
  return per === 'day' ? startOfDay(dayOf(at)) : startOfMonth(at, 0)
}

/** The end of the period that contains `at`; null if it has none. */
export function periodEnd(per: BudgetPeriod, at: number): number | null {
  if (per === 'total') return null
  if (per === 'day') return periodStart('day', at) + dayMs
  return startOfMonth(at, 1)
}

/** The start of the month of `at`, or of one so many months later. */
function startOfMonth(at: number, monthsLater: number): number {
  const there = new Date(at + reportingZone.offsetMs)
  return Date.UTC(there.getUTCFullYear(), there.getUTCMonth() + monthsLater, 1) - reportingZone.offsetMs
}

/** What was taken from a budget in one period. */
export interface BudgetCount {
  /** When it began: at the start of the period, or when the budget was set. Names the count; no two have the same. */
  readonly periodFrom: number
  /** Credits reserved in it and not released. */
  readonly spent: number
  /** The first refusal in it. */
  readonly reachedAt: number | null
}

/** A budget's current count, and the other ones that it remembers, as the store keeps them. */
export interface BudgetCounts extends BudgetCount {
  readonly otherCounts: string
}

/** Enough for instances whose clocks differ for days; the oldest is forgotten first. */
export const maxCounts = 16

type StoredCount = [periodFrom: number, spent: number, reachedAt: number | null]

/** All counts of a budget, the earliest first. */
export function countsOf({ periodFrom, spent, reachedAt, otherCounts }: BudgetCounts): BudgetCount[] {
  const others = (JSON.parse(otherCounts) as StoredCount[]).map(([periodFrom, spent, reachedAt]) => ({
    ...{ periodFrom, spent, reachedAt },
  }))
  return [...others, { periodFrom, spent, reachedAt }].sort(byTime)
}

export const withCurrent = (counts: readonly BudgetCount[], current: BudgetCount): BudgetCounts => ({
  ...current,
  otherCounts: JSON.stringify(
    counts
      .filter(({ periodFrom }) => periodFrom !== current.periodFrom)
      .map(({ periodFrom, spent, reachedAt }): StoredCount => [periodFrom, spent, reachedAt]),
  ),
})

/** Whether a call at this time counts for the current count. */
export const isCurrent = (per: BudgetPeriod, { periodFrom }: BudgetCount, at: number): boolean =>
  periodStart(per, periodFrom) === periodStart(per, at)

/**
 * The counts when `at` is the time of a call. A clock may be ahead or late, so every period keeps its own count: moving a clock
 * to and fro neither loses what was spent nor gives a period its credits twice.
 */
export function countsAt(per: BudgetPeriod, budget: BudgetCounts, at: number): BudgetCounts {
  if (isCurrent(per, budget, at)) return budget
  const counts = countsOf(budget)
  const known = counts.findLast((count) => isCurrent(per, count, at))
  if (known) return withCurrent(counts, known)
  const periodFrom = periodStart(per, at)
  // What was spent then is forgotten.
  if (counts.length >= maxCounts && periodFrom < counts[0]!.periodFrom) return withCurrent(counts, counts[0]!)
  return withNew(counts, periodFrom)
}

/** The counts with a new current one, which begins at this time or as soon after it as none has begun. */
export function withNew(counts: readonly BudgetCount[], at: number): BudgetCounts {
  const isFull = counts.length >= maxCounts
  let periodFrom = isFull ? Math.max(at, counts[0]!.periodFrom) : at
  while (counts.some((count) => count.periodFrom === periodFrom)) periodFrom += 1
  return withCurrent(isFull ? counts.slice(1) : counts, { periodFrom, spent: 0, reachedAt: null })
}

const byTime = (one: BudgetCount, other: BudgetCount): number => one.periodFrom - other.periodFrom
