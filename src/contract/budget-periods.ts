export const budgetPeriods = ['day', 'month', 'total'] as const
export type BudgetPeriod = (typeof budgetPeriods)[number]

const dayMs = 86_400_000

/** The start of the period that contains `at`, in UTC. */
export function periodStart(per: BudgetPeriod, at: number): number {
  if (per === 'total') return 0
  if (per === 'day') return at - (at % dayMs)
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
}

/** The end of the period that contains `at`; null if it has none. */
export function periodEnd(per: BudgetPeriod, at: number): number | null {
  if (per === 'total') return null
  if (per === 'day') return periodStart('day', at) + dayMs
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}
