import { type DayParameters, dailyLimit, type PageParameters } from '../contract/console/paging.ts'
import type { ChargePage, DailyUsage, ReviewPage, UsageParameters } from '../contract/console/usage.ts'
import { sortableIdFloor } from '../contract/ids.ts'
import { dayOf, dayOfText, dayText, startOfDay } from './days.ts'
import type { ChargeFilter, ChargeRange, ChargeRow, ReportStore } from './ports.ts'
import { publicCharge, publicReview } from './public-charge.ts'

/** With a filter, one request looks at no more than `looks` times `window` charges, a few milliseconds each. */
const window = 2000
const looks = 5

export async function usagePage(
  store: ReportStore,
  projectId: string,
  { cursor, limit, operation, state, keyId, ...days }: UsageParameters,
): Promise<ChargePage> {
  const filter = { operation: operation ?? null, state: state ?? null, keyId: keyId ?? null }
  const { rows, nextCursor } = await findCharges(store, below(chargeRange(projectId, days), cursor), filter, limit)
  return { items: rows.map(publicCharge), nextCursor }
}

export async function reviewPage(
  store: ReportStore,
  projectId: string,
  { cursor, limit }: PageParameters,
): Promise<ReviewPage> {
  const { rows, nextCursor } = pageOf(
    await store.reviews(below(chargeRange(projectId, {}), cursor), limit + 1),
    limit,
    null,
  )
  return { items: rows.map(publicReview), nextCursor }
}

export async function dailyUsage(
  store: ReportStore,
  projectId: string,
  { days = dailyLimit.default, now }: { days?: number; now: number },
): Promise<DailyUsage> {
  const today = dayOf(now)
  const first = today - days + 1
  const rows = await store.settledSince(projectId, first)
  return {
    from: dayText(first),
    to: dayText(today),
    items: rows.map(({ day, ...sums }) => ({ day: dayText(day), ...sums })),
  }
}

const anyId = { first: 'chg_', last: 'chg_~' }

/** Charge ids begin with their time, so that a range of days is a range of ids. */
export function chargeRange(projectId: string, { from, to }: DayParameters): ChargeRange {
  return {
    projectId,
    from: from === undefined ? anyId.first : idAt(startOfDay(dayOfText(from))),
    before: to === undefined ? anyId.last : idAt(startOfDay(dayOfText(to) + 1)),
  }
}

/** Years past 8000 no longer fit into the eight digits of an id. */
const latestAt = 62 ** 8 - 1

const idAt = (at: number) => sortableIdFloor('chg', Math.min(Math.max(at, 0), latestAt))

const below = (range: ChargeRange, cursor: string | undefined): ChargeRange =>
  cursor !== undefined && cursor < range.before ? { ...range, before: cursor } : range

interface Found {
  readonly rows: readonly ChargeRow[]
  readonly nextCursor: string | null
}

async function findCharges(
  store: ReportStore,
  range: ChargeRange,
  filter: ChargeFilter,
  limit: number,
): Promise<Found> {
  if (Object.values(filter).every((wanted) => wanted === null)) {
    return pageOf(await store.charges(range, limit + 1), limit, null)
  }
  const rows: ChargeRow[] = []
  let before: string | null = range.before
  for (let look = 0; look < looks && before !== null && rows.length <= limit; look += 1) {
    const found = await store.chargesAmong({ ...range, before, filter, window }, limit + 1 - rows.length)
    rows.push(...found.rows)
    before = found.lookedThrough
  }
  return pageOf(rows, limit, before)
}

/** One row more than asked for says that there is a next page. */
function pageOf(rows: readonly ChargeRow[], limit: number, lookedThrough: string | null): Found {
  if (rows.length <= limit) return { rows, nextCursor: lookedThrough }
  return { rows: rows.slice(0, limit), nextCursor: rows[limit - 1]!.chargeId }
}
