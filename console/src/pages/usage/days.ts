import { billableOperations } from '../../../../src/contract/prices.ts'
import type { DailyUsage, OperationId } from '../../api/types.ts'

export interface Part {
  readonly operation: OperationId
  readonly calls: number
  readonly credits: number
}

export interface UsageDay {
  readonly day: string
  readonly calls: number
  readonly credits: number
  /** In the order of the price list, so that colours keep their place from day to day. */
  readonly parts: readonly Part[]
}

/** Every day of the range, also those on which nothing was settled. */
export function daysOf({ from, to, items }: DailyUsage): UsageDay[] {
  const byDay = Map.groupBy(items, ({ day }) => day)
  const days: UsageDay[] = []
  for (let day = from; day <= to; day = dayAfter(day)) {
    const parts = [...(byDay.get(day) ?? [])].sort(
      (a, b) => billableOperations.indexOf(a.operation) - billableOperations.indexOf(b.operation),
    )
    days.push({ day, parts, calls: sum(parts, 'calls'), credits: sum(parts, 'credits') })
  }
  return days
}

const sum = (parts: readonly Part[], field: 'calls' | 'credits') =>
  parts.reduce((total, part) => total + part[field], 0)

function dayAfter(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + 1)
  return date.toISOString().slice(0, 10)
}
