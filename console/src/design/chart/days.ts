import { chargedOperations } from '../../../../src/contract/prices.ts'
import type { ChargedOperation, DailyParts, DailyUsage } from '../../api/types.ts'
import { addDays, weekOf } from '../../format/calendar.ts'

interface Part {
  /** An operation, key or model; empty for the others. */
  readonly part: string
  readonly calls: number
  readonly credits: number
}

/** Spending from one day to another, both included; the same day in a daily chart. */
export interface Span {
  readonly from: string
  readonly to: string
  readonly calls: number
  readonly credits: number
  /** In a fixed order, so that colours stack the same way in every bar. */
  readonly parts: readonly Part[]
}

interface DailyItems extends Pick<DailyUsage, 'from' | 'to'> {
  readonly items: readonly (DailyUsage['items'][number] | DailyParts['items'][number])[]
}

/** Every day of the range, including those without spending. */
export function daysOf({ from, to, items }: DailyItems): Span[] {
  const parts = items.map((item) => ({ ...item, part: 'operation' in item ? item.operation : (item.part ?? '') }))
  const byDay = Map.groupBy(parts, ({ day }) => day)
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
  const parts = [...Map.groupBy(items, ({ part }) => part)]
    .map(([part, same]) => ({ part, calls: sum(same, 'calls'), credits: sum(same, 'credits') }))
    .sort((a, b) => placeOf(a.part) - placeOf(b.part) || (a.part < b.part ? -1 : 1))
  return { from, to, parts, calls: sum(parts, 'calls'), credits: sum(parts, 'credits') }
}

/** Operations in the order of the price list. */
const placeOf = (part: string) => chargedOperations.indexOf(part as ChargedOperation)

const maxNamed = 4

/** The parts with the most spending; the rest are grouped as "other". */
export function namedParts(days: readonly Span[]): ReadonlySet<string> {
  const parts = spanOf(
    '',
    '',
    days.flatMap((day) => day.parts),
  ).parts.filter(({ part }) => part !== '')
  // A single remaining part is named instead of grouped.
  const count = parts.length === maxNamed + 1 ? parts.length : maxNamed
  const largest = parts.toSorted((a, b) => b.credits - a.credits).slice(0, count)
  return new Set(largest.map(({ part }) => part))
}

interface ShownPart {
  /** Null means "other". */
  readonly part: string | null
  readonly credits: number
}

/** The named parts of a bar, then the rest as one. */
export function shownParts({ parts, credits }: Span, named: ReadonlySet<string>): ShownPart[] {
  const shown = parts.filter(({ part }) => named.has(part))
  const others = credits - sum(shown, 'credits')
  return [...shown, ...(others > 0 ? [{ part: null, credits: others }] : [])]
}

const sum = (parts: readonly Part[], field: 'calls' | 'credits') =>
  parts.reduce((total, part) => total + part[field], 0)
