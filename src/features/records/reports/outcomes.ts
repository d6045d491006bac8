import { dayOf, dayOfText, dayText, startOfDay } from '../../../base/time.ts'
import type { DayParameters } from '../../../contract/paging.ts'
import type { OutcomeCount } from './charge-lists.ts'
import type { UsageOutcomes } from './contract.ts'
import { ledgerRangeOf, scanBack } from './ledger.ts'
import type { ReportStore } from './store.ts'

const firstWidth = 500
const maxCountedEntries = 20_000
const shownReasons = 5

type OutcomeQuery = DayParameters & { readonly now: number; readonly mostEntries?: number }

export async function usageOutcomes(
  store: ReportStore,
  projectId: string,
  { from, to, now, mostEntries = maxCountedEntries }: OutcomeQuery,
): Promise<UsageOutcomes> {
  const last = to === undefined ? dayOf(now) : Math.min(dayOf(now), dayOfText(to))
  const first = from === undefined ? last : dayOfText(from)
  const times = { fromAt: startOfDay(first), toAt: startOfDay(last + 1) }
  const range = await ledgerRangeOf(store, projectId, times)
  const counts: OutcomeCount[] = []
  let reached = range.before
  for (const part of scanBack(range, { width: Math.min(firstWidth, mostEntries), most: mostEntries })) {
    counts.push(...(await store.outcomes(part, times)))
    reached = part.from
  }
  const callsIn = (state: OutcomeCount['state']) =>
    counts.reduce((sum, count) => sum + (count.state === state ? count.calls : 0), 0)
  return {
    from: dayText(first),
    to: dayText(last),
    isWhole: reached <= range.from,
    succeeded: callsIn('settled'),
    failed: callsIn('released'),
    inReview: callsIn('manual_review'),
    underWay: callsIn('reserved'),
    reasons: reasonsIn(counts),
  }
}

function reasonsIn(counts: readonly OutcomeCount[]): UsageOutcomes['reasons'] {
  const sums = new Map<string, number>()
  for (const { state, reason, calls } of counts)
    if (state === 'released' && reason !== null) sums.set(reason, (sums.get(reason) ?? 0) + calls)
  return [...sums]
    .map(([code, calls]) => ({ code, calls }))
    .sort((a, b) => b.calls - a.calls || (a.code < b.code ? -1 : 1))
    .slice(0, shownReasons)
}
