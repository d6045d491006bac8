import { chargedOperations } from '../../../../src/contract/prices.ts'
import type { ChargedOperation, DailyUsage } from '../../api/types.ts'
import { addDays, weekOf } from '../../format/calendar.ts'

interface Part {
  readonly operation: ChargedOperation
  readonly calls: number
  readonly credits: number
}

/** Spending from one day to another, both included; the same day in a daily chart. */
export interface Span {
  readonly from: string
  readonly to: string
  readonly calls: number
  readonly credits: number
  /** In the order of the price list, so that colours stack the same way in every bar. */
  readonly parts: readonly Part[]
}

/** Every day of the range, including those without spending. */
export function daysOf({ from, to, items }: Pick<DailyUsage, 'from' | 'to' | 'items'>): Span[] {
  const byDay = Map.groupBy(items, ({ day }) => day)
  const days: Span[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) {
    days.push(spanOf(day, day, byDay.get(day) ?? []))
  }
  return days
}

/** The same by week, Monday to Sunday; the range may cut the first and the last. */
export function weeksOf(days: readonly Span[]): Span[] {
  return [...Map.groupBy(days, ({ from }) => weekOf(from)).values()].map((week) =>
    spanOf(
      week[0]!.from,
      week.at(-1)!.to,
      week.flatMap(({ parts }) => parts),
    ),
  )
}

function spanOf(from: string, to: string, items: readonly Part[]): Span {
  const parts = [...Map.groupBy(items, ({ operation }) => operation)]
    .map(([operation, same]) => ({ operation, calls: sum(same, 'calls'), credits: sum(same, 'credits') }))
    .sort((a, b) => chargedOperations.indexOf(a.operation) - chargedOperations.indexOf(b.operation))
  return { from, to, parts, calls: sum(parts, 'calls'), credits: sum(parts, 'credits') }
}

const maxNamed = 4

/** The operations with the most spending; the rest are grouped as "other". */
export function namedOperations(days: readonly Span[]): ReadonlySet<ChargedOperation> {
  const { parts } = spanOf(
    '',
    '',
    days.flatMap((day) => day.parts),
  )
  // A single remaining operation is named instead of grouped.
  const count = parts.length === maxNamed + 1 ? parts.length : maxNamed
  const largest = parts.toSorted((a, b) => b.credits - a.credits).slice(0, count)
  return new Set(largest.map(({ operation }) => operation))
}

interface ShownPart {
  /** Null means "other". */
  readonly operation: ChargedOperation | null
  readonly credits: number
}

/** The named parts of a bar, then the rest as one. */
export function shownParts({ parts, credits }: Span, named: ReadonlySet<ChargedOperation>): ShownPart[] {
  const shown = parts.filter(({ operation }) => named.has(operation))
  const others = credits - sum(shown, 'credits')
  return [...shown, ...(others > 0 ? [{ operation: null, credits: others }] : [])]
}

const sum = (parts: readonly Part[], field: 'calls' | 'credits') =>
  parts.reduce((total, part) => total + part[field], 0)
