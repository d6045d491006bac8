import { dailyLimit, type PageParameters } from '../contract/console/paging.ts'
import type { ChargePage, DailyUsage, ReviewPage, UsageParameters } from '../contract/console/usage.ts'
import { Refusal } from '../contract/errors.ts'
import { dayOf, dayText } from './days.ts'
import type { ChargeFilter, ChargeRow, PlacedCharge, ReportStore } from './ports.ts'
import { publicCharge, publicReview } from './public-charge.ts'
import { stretchOf, timesOf } from './stretches.ts'

export async function usagePage(
  store: ReportStore,
  projectId: string,
  { cursor, limit, operation, state, keyId, ...days }: UsageParameters,
): Promise<ChargePage> {
  const filter = { operation: operation ?? null, state: state ?? null, keyId: keyId ?? null, ...timesOf(days) }
  const find = state === 'manual_review' ? findReviews : findCharges
  const { rows, nextCursor } = await find(store, projectId, filter, { limit, ...(cursor !== undefined && { cursor }) })
  return { items: rows.map(publicCharge), nextCursor }
}

export async function reviewPage(store: ReportStore, projectId: string, page: PageParameters): Promise<ReviewPage> {
  const anyReview = { operation: null, state: null, keyId: null, ...timesOf({}) }
  const { rows, nextCursor } = await findReviews(store, projectId, anyReview, page)
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

interface Found {
  readonly rows: readonly ChargeRow[]
  readonly nextCursor: string | null
}

/** One request looks through no more entries than this for charges that pass its filter: about 40 ms, in reads of 6. */
const mostLooked = 20_000
const widestLook = 4000
/** A charge has two or three entries, so that a page without a filter is mostly found in one look. */
const entriesPerCharge = 4

/** Along the ledger, the newest first. Its numbers have no gap, so that a stretch of them is a bounded read. */
async function findCharges(
  store: ReportStore,
  projectId: string,
  filter: ChargeFilter,
  { cursor, limit }: PageParameters,
): Promise<Found> {
  const { from, before: start } = await stretchOf(store, projectId, filter, placeOf(cursor))
  const rows: PlacedCharge[] = []
  let before = start
  for (let width = entriesPerCharge * (limit + 1); before > from && rows.length <= limit; width *= 2) {
    if (start - before >= mostLooked) break
    const stretch = { projectId, from: Math.max(from, before - Math.min(width, widestLook)), before }
    rows.push(...(await store.charges(stretch, filter, limit + 1 - rows.length)))
    before = stretch.from
  }
  if (rows.length <= limit) return { rows, nextCursor: before > from ? String(before) : null }
  return { rows: rows.slice(0, limit), nextCursor: String(rows[limit - 1]!.seq) }
}

/** The few charges in review have an index of their own, in the order of their ids. */
async function findReviews(
  store: ReportStore,
  projectId: string,
  filter: ChargeFilter,
  { cursor = 'chg_~', limit }: PageParameters,
): Promise<Found> {
  if (!cursor.startsWith('chg_')) throw foreignCursor()
  const rows = await store.reviews({ projectId, beforeChargeId: cursor }, filter, limit + 1)
  // One row more than asked for says that there is a next page.
  if (rows.length <= limit) return { rows, nextCursor: null }
  return { rows: rows.slice(0, limit), nextCursor: rows[limit - 1]!.chargeId }
}

function placeOf(cursor: string | undefined): number | undefined {
  if (cursor?.startsWith('chg_')) throw foreignCursor()
  return cursor === undefined ? undefined : Number(cursor)
}

const foreignCursor = () =>
  new Refusal('REQUEST_TARGET_INVALID', { explain: 'The cursor belongs to a list with another state.' })
