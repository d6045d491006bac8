import type { PageParameters } from '../contract/console/paging.ts'
import type { ChargePage, ReviewPage, UsageParameters } from '../contract/console/usage.ts'
import { Refusal } from '../contract/errors.ts'
import { timeOfSortableId } from '../contract/ids.ts'
import { chargeFilterOf } from './filters.ts'
import { ledgerRangeNear, ledgerRangeOf, type Times } from './ledger-range.ts'
import { pageOf, type RowPage } from './look-back.ts'
import type { ChargeFilter, ChargeRow, LedgerRange, ReportStore } from './ports.ts'
import { publicCharge, publicReview } from './public-charge.ts'

export async function usagePage(
  store: ReportStore,
  projectId: string,
  { cursor, limit, ...filters }: UsageParameters,
): Promise<ChargePage> {
  const find = filters.state === 'manual_review' ? findReviews : findCharges
  const page = { limit, ...(cursor !== undefined && { cursor }) }
  const { rows, nextCursor } = await find(store, projectId, chargeFilterOf(filters), page)
  return { items: rows.map(publicCharge), nextCursor }
}

export async function reviewPage(store: ReportStore, projectId: string, page: PageParameters): Promise<ReviewPage> {
  const { rows, nextCursor } = await findReviews(store, projectId, chargeFilterOf({}), page)
  return { items: rows.map(publicReview), nextCursor }
}

/** A charge has two or three entries, so that a page without a filter is mostly found in one look. */
const entriesPerRow = 4

/** Along the ledger, the newest first. Its numbers have no gap, so that a range of them is a bounded read. */
async function findCharges(
  store: ReportStore,
  projectId: string,
  filter: ChargeFilter,
  { cursor, limit }: PageParameters,
): Promise<RowPage<ChargeRow>> {
  const pageIn = (range: LedgerRange) =>
    pageOf(range, { limit, entriesPerRow }, (part, most) => store.charges(part, filter, most))
  if (filter.id?.startsWith('chg_')) {
    const place = await placeOfCharge(store, projectId, filter.id)
    return place ? pageIn(place) : { rows: [], nextCursor: null }
  }
  const requestedAt = filter.id === null || cursor !== undefined ? undefined : timeOfSortableId(filter.id)
  if (requestedAt !== undefined) {
    const { rows } = await pageIn(await ledgerRangeNear(store, projectId, aroundRequest(requestedAt)))
    if (rows.length > 0) return { rows, nextCursor: null }
  }
  return pageIn(await ledgerRangeOf(store, projectId, filter, placeOf(cursor)))
}

/** A call is reserved soon after its request: before that, its body arrives and it waits for its turn. */
const aroundRequest = (at: number): Times => ({ fromAt: at - 10_000, toAt: at + 30_000 })

/** Where a charge was reserved: one that is named is not searched for. */
async function placeOfCharge(
  store: ReportStore,
  projectId: string,
  chargeId: string,
): Promise<LedgerRange | undefined> {
  const rows = await store.receipt(projectId, chargeId)
  const seq = rows?.entries.find(({ kind }) => kind === 'reserve')?.seq
  return seq === undefined ? undefined : { projectId, from: seq, before: seq + 1 }
}

/** The few charges in review have an index of their own, in the order of their ids. */
async function findReviews(
  store: ReportStore,
  projectId: string,
  filter: ChargeFilter,
  { cursor = 'chg_~', limit }: PageParameters,
): Promise<RowPage<ChargeRow>> {
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
