import { timeOfSortableId, timesOfIdStart } from '../../../base/ids.ts'
import { type DayNumber, dayOf, dayOfText, dayText, startOfDay } from '../../../base/time.ts'
import { Refusal } from '../../../contract/errors.ts'
import { dailyLimit, type PageParameters } from '../../../contract/paging.ts'
import type { LedgerRange } from '../archives/store.ts'
import type { ChargeFilter, ChargeRow, DayPart, SettledDay, Times } from './charge-lists.ts'
import type { ChargePage, DailyParameters, DailyParts, DailyUsage, ReviewPage, UsageParameters } from './contract.ts'
import {
  chargeFilterOf,
  type LedgerRows,
  ledgerRangeNear,
  ledgerRangeOf,
  maxTimestampSkewMs,
  pageOf,
  scanBack,
} from './ledger.ts'
import { publicCharge, publicReview } from './public-charge.ts'
import type { ReportStore } from './store.ts'

export async function usagePage(
  store: ReportStore,
  projectId: string,
  { after, limit, ...filters }: UsageParameters,
): Promise<ChargePage> {
  const find = filters.state === 'manual_review' ? findReviews : findCharges
  const page = { limit, ...(after !== undefined && { after }) }
  const { rows, nextAfter } = await find(store, projectId, chargeFilterOf(filters), page)
  return { items: rows.map(publicCharge), nextAfter }
}

export async function reviewPage(store: ReportStore, projectId: string, page: PageParameters): Promise<ReviewPage> {
  const { rows, nextAfter } = await findReviews(store, projectId, chargeFilterOf({}), page)
  return { items: rows.map(publicReview), nextAfter }
}

/** A charge has two or three entries, so that a page without a filter is mostly found in one read. */
const entriesPerRow = 4

/** Along the ledger, the newest first. Its numbers have no gap, so that a range of them is a bounded read. */
async function findCharges(
  store: ReportStore,
  projectId: string,
  filter: ChargeFilter,
  { after, limit }: PageParameters,
): Promise<LedgerRows<ChargeRow>> {
  const pageIn = (range: LedgerRange) =>
    pageOf(range, { limit, entriesPerRow }, (part, most) => store.charges(part, filter, most))
  const { id } = filter
  if (id !== undefined && id.length < idLength) {
    const near = await ledgerRangeNear(store, projectId, around(timesOfIdStart(id)))
    return pageIn({ ...near, before: Math.min(near.before, seqOf(after) ?? near.before) })
  }
  if (id?.startsWith('chg_')) {
    const reserved = await rangeOfCharge(store, projectId, id)
    return reserved ? pageIn(reserved) : { rows: [], nextAfter: null }
  }
  if (id !== undefined && after === undefined && timeOfSortableId(id) !== undefined) {
    const chargeId = await store.chargeOfRequest(projectId, id)
    const reserved = chargeId === undefined ? undefined : await rangeOfCharge(store, projectId, chargeId)
    if (reserved) return pageIn(reserved)
  }
  return pageIn(await ledgerRangeOf(store, projectId, filter, seqOf(after)))
}

/** Of a whole id; a shorter one is the beginning of some. */
const idLength = 24

/** A call is reserved soon after its request: before that, its body arrives and it waits for its turn. */
const around = ({ fromAt, toAt }: Times): Times => ({ fromAt: fromAt - 10_000, toAt: toAt + 30_000 })

/** Where a charge was reserved, so that a search by id scans nothing else. */
async function rangeOfCharge(
  store: ReportStore,
  projectId: string,
  chargeId: string,
): Promise<LedgerRange | undefined> {
  const rows = await store.details(projectId, chargeId)
  const seq = rows?.entries.find(({ kind }) => kind === 'reserve')?.seq
  return seq === undefined ? undefined : { projectId, from: seq, before: seq + 1 }
}

/** The few charges in review have an index of their own, in the order of their ids. */
async function findReviews(
  store: ReportStore,
  projectId: string,
  filter: ChargeFilter,
  { after = 'chg_~', limit }: PageParameters,
): Promise<LedgerRows<ChargeRow>> {
  if (!after.startsWith('chg_')) throw foreignPosition()
  const rows = await store.reviews(projectId, after, filter, limit + 1)
  // One row more than asked for says that there is a next page.
  if (rows.length <= limit) return { rows, nextAfter: null }
  return { rows: rows.slice(0, limit), nextAfter: rows[limit - 1]!.chargeId }
}

function seqOf(after: string | undefined): number | undefined {
  if (after?.startsWith('chg_')) throw foreignPosition()
  return after === undefined ? undefined : Number(after)
}

const foreignPosition = () =>
  new Refusal('REQUEST_TARGET_INVALID', { explain: 'The query parameter after belongs to a list with another state.' })

type Query = DailyParameters & { readonly now: number; readonly mostEntries?: number }

/** Calls and credits by day: from stored sums, or from the charges if filtered by key or state. */
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
const maxCountedEntries = 20_000

async function countDays(store: ReportStore, projectId: string, days: DayRange, query: Query) {
  const sums = new Map<string, SettledDay>()
  const countedFrom = await scanDays(store, projectId, days, query, async (part, filter) => {
    for (const row of await store.reservedByDay(part, filter)) addTo(sums, `${row.day} ${row.operation}`, row)
  })
  const counted = [...sums.values()].sort((a, b) => a.day - b.day || (a.operation < b.operation ? -1 : 1))
  return { days: counted, countedFrom }
}

/** The keys or models with the most credits; the others are added up. */
const namedParts = 8

/** Calls and credits by day and key or model, from the charges. */
export async function dailyParts(
  store: ReportStore,
  projectId: string,
  { by, ...query }: Query & { readonly by: 'key' | 'model' },
): Promise<DailyParts> {
  const range = dayRangeOf(query)
  const sums = new Map<string, DayPart>()
  const totals = new Map<string, number>()
  const countedFrom = await scanDays(store, projectId, range, query, async (part, filter) => {
    for (const row of await store.partsByDay(part, filter, by)) {
      addTo(sums, `${row.day} ${row.part}`, row)
      totals.set(row.part, (totals.get(row.part) ?? 0) + row.credits)
    }
  })
  const largest = [...totals].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, namedParts)
  const named = new Set(largest.map(([part]) => part))
  const shown = new Map<string, Omit<DayPart, 'part'> & { readonly part: string | null }>()
  for (const row of sums.values()) {
    const part = row.part !== '' && named.has(row.part) ? row.part : null
    if (row.day >= countedFrom) addTo(shown, `${row.day} ${part}`, { ...row, part })
  }
  return {
    from: dayText(range.first),
    to: dayText(range.last),
    countedFrom: dayText(countedFrom),
    items: [...shown.values()]
      .sort((a, b) => a.day - b.day || ((a.part ?? '') < (b.part ?? '') ? -1 : 1))
      .map(({ day, ...row }) => ({ day: dayText(day), ...row })),
  }
}

type CountPart = (part: LedgerRange, filter: ChargeFilter) => Promise<void>

/** Counts a bounded part of the ledger, the newest first; returns the first day that is counted whole. */
async function scanDays(
  store: ReportStore,
  projectId: string,
  { first, last }: DayRange,
  { operation, state = 'settled', keyId, mostEntries = maxCountedEntries }: Query,
  count: CountPart,
): Promise<DayNumber> {
  const filter = {
    ...chargeFilterOf({ state, ...(operation && { operation }), ...(keyId && { keyId }) }),
    fromAt: startOfDay(first),
    toAt: startOfDay(last + 1),
  }
  const range = await ledgerRangeOf(store, projectId, filter)
  let reached = range.before
  for (const part of scanBack(range, { width: Math.min(firstWidth, mostEntries), most: mostEntries })) {
    await count(part, filter)
    reached = part.from
  }
  if (reached <= range.from) return Math.max(first, await firstWholeDay(store, projectId))
  // The scan may have ended within this day, so its count is incomplete.
  const endedAt = await store.enteredAt(projectId, reached)
  return dayOf(endedAt! + maxTimestampSkewMs) + 1
}

/** Calls of earlier days were archived. */
async function firstWholeDay(store: ReportStore, projectId: string): Promise<DayNumber> {
  const { archivedUntil } = await store.ledgerEnds(projectId)
  return archivedUntil === null ? 0 : dayOf(archivedUntil) + 1
}

function addTo<R extends { readonly calls: number; readonly credits: number }>(
  sums: Map<string, R>,
  key: string,
  row: R,
): void {
  const sum = sums.get(key)
  sums.set(key, sum ? { ...row, calls: sum.calls + row.calls, credits: sum.credits + row.credits } : row)
}
