import { dailyLimit } from '../contract/console/paging.ts'
import type { DailyParameters, DailyUsage } from '../contract/console/usage.ts'
import { type DayNumber, dayOf, dayOfText, dayText, startOfDay } from './days.ts'
import { chargeFilterOf } from './filters.ts'
import { disorderMs, ledgerRangeOf } from './ledger-range.ts'
import { lookBack } from './look-back.ts'
import type { ReportStore, SettledDay } from './ports.ts'

type Query = DailyParameters & { readonly now: number; readonly mostEntries?: number }

/** Calls and credits by day: from the sums that are kept, or call by call where a key or a state is asked for. */
export async function dailyUsage(store: ReportStore, projectId: string, query: Query): Promise<DailyUsage> {
  const range = dayRangeOf(query)
  const isKept = query.keyId === undefined && (query.state ?? 'settled') === 'settled'
  const { days, countedFrom } = isKept
    ? { days: await store.settledBetween(projectId, range.first, range.last), countedFrom: range.first }
    : await countDays(store, projectId, range, query)
  return {
    from: dayText(range.first),
    to: dayText(range.last),
    countedFrom: dayText(countedFrom),
    items: days
      .filter(({ day, operation }) => day >= countedFrom && operation === (query.operation ?? operation))
      .map(({ day, ...sums }) => ({ day: dayText(day), ...sums })),
  }
}

interface DayRange {
  readonly first: DayNumber
  readonly last: DayNumber
}

/** No later than today, and the newest days of a range that is too long. */
function dayRangeOf({ from, to, days = dailyLimit.default, now }: Query): DayRange {
  const last = to === undefined ? dayOf(now) : Math.min(dayOf(now), dayOfText(to))
  const first = from === undefined ? last - days + 1 : dayOfText(from)
  return { first: Math.max(first, last - dailyLimit.maximum + 1), last }
}

const firstWidth = 500
/** More than for a page of a list, which can be continued. */
const mostCounted = 20_000

async function countDays(
  store: ReportStore,
  projectId: string,
  { first, last }: DayRange,
  { operation, state = 'settled', keyId, mostEntries = mostCounted }: Query,
): Promise<{ days: SettledDay[]; countedFrom: DayNumber }> {
  const filter = {
    ...chargeFilterOf({ state, ...(operation && { operation }), ...(keyId && { keyId }) }),
    fromAt: startOfDay(first),
    toAt: startOfDay(last + 1),
  }
  const range = await ledgerRangeOf(store, projectId, filter)
  const sums = new Map<string, SettledDay>()
  let reached = range.before
  for (const part of lookBack(range, { width: Math.min(firstWidth, mostEntries), most: mostEntries })) {
    for (const row of await store.reservedByDay(part, filter)) addTo(sums, row)
    reached = part.from
  }
  const days = [...sums.values()].sort((a, b) => a.day - b.day || (a.operation < b.operation ? -1 : 1))
  if (reached <= range.from) return { days, countedFrom: Math.max(first, await firstWholeDay(store, projectId)) }
  // The day in which the look ended has earlier calls that were not counted.
  const endedAt = await store.enteredAt(projectId, reached)
  return { days, countedFrom: dayOf(endedAt! + disorderMs) + 1 }
}

/** Calls of earlier days were archived. */
async function firstWholeDay(store: ReportStore, projectId: string): Promise<DayNumber> {
  const { archivedUntil } = await store.ledgerEnds(projectId)
  return archivedUntil === null ? 0 : dayOf(archivedUntil) + 1
}

function addTo(sums: Map<string, SettledDay>, { day, operation, calls, credits }: SettledDay): void {
  const key = `${day} ${operation}`
  const sum = sums.get(key) ?? { day, operation, calls: 0, credits: 0 }
  sums.set(key, { day, operation, calls: sum.calls + calls, credits: sum.credits + credits })
}
