import { dayOfText, hourMs, startOfDay } from '../../../base/time.ts'
import type { DayParameters } from '../../../contract/paging.ts'
import type { LedgerRange } from '../archives/store.ts'
import type { ChargeFilter, Times } from './charge-lists.ts'
import type { ChargeParameters, EntryParameters, LedgerPage, LedgerParameters } from './contract.ts'
import { publicEntry } from './public-charge.ts'
import type { EntryFilter, ReportStore } from './store.ts'

/** Later than any moment and higher than any number of an entry. */
const pastEnd = Number.MAX_SAFE_INTEGER

export const timesOf = ({ from, to }: DayParameters): Times => ({
  fromAt: from === undefined ? 0 : startOfDay(dayOfText(from)),
  toAt: to === undefined ? pastEnd : startOfDay(dayOfText(to) + 1),
})

/**
 * Entries are in the order of their commits. Timestamps may be out of order by at most this: clocks of instances differ, and an
 * outcome may be recorded late.
 */
export const maxTimestampSkewMs = hourMs

/** Roughly the entries of these times; some with out-of-order timestamps may be missing. */
export async function ledgerRangeNear(store: ReportStore, projectId: string, times: Times): Promise<LedgerRange> {
  const { first, last } = await store.ledgerEnds(projectId)
  const all = { projectId, from: first, before: last + 1 }
  return { projectId, from: await store.firstAt(all, times.fromAt), before: await store.firstAt(all, times.toAt) }
}

/** A range of the ledger with every entry of these times that is in the store, and a few others; up to `before` where that is known. */
export async function ledgerRangeOf(
  store: ReportStore,
  projectId: string,
  { fromAt, toAt }: Times,
  before = pastEnd,
): Promise<LedgerRange> {
  const { first, last } = await store.ledgerEnds(projectId)
  const end = Math.min(before, last + 1)
  const all = { projectId, from: first, before: end }
  const isOpen = toAt === pastEnd || before !== pastEnd
  return {
    projectId,
    from: fromAt <= 0 ? first : await store.firstAt(all, fromAt - maxTimestampSkewMs),
    before: isOpen ? end : await store.firstAt(all, toAt + maxTimestampSkewMs),
  }
}

export const chargeFilterOf = ({ from, to, ...filter }: ChargeParameters): ChargeFilter => ({
  ...filter,
  ...timesOf({ ...(from && { from }), ...(to && { to }) }),
})

export const entryFilterOf = ({ kind, ...days }: EntryParameters): EntryFilter => ({
  kind: kind ?? null,
  ...timesOf(days),
})

/** One request scans about this many entries for rows that pass its filter; `npm run bench:log` measures it. */
const maxScannedEntries = 2000
const maxScanWidth = 1000

/** Ranges of the ledger, the newest first and each wider than the one before, as far as one request may scan. */
export function* scanBack(
  { projectId, from, before }: LedgerRange,
  { width, most = maxScannedEntries }: { width: number; most?: number },
): Generator<LedgerRange> {
  let end = before
  for (let wide = width; end > from && before - end < most; wide *= 2) {
    const start = Math.max(from, end - Math.min(wide, maxScanWidth))
    yield { projectId, from: start, before: end }
    end = start
  }
}

export interface LedgerRows<Row> {
  readonly rows: readonly Row[]
  readonly nextAfter: string | null
}

/** A page of the rows that a range of the ledger has, and where the next one begins. */
export async function pageOf<Row extends { readonly seq: number }>(
  range: LedgerRange,
  { limit, entriesPerRow }: { limit: number; entriesPerRow: number },
  read: (range: LedgerRange, limit: number) => Promise<readonly Row[]>,
): Promise<LedgerRows<Row>> {
  const rows: Row[] = []
  let reached = range.before
  for (const part of scanBack(range, { width: entriesPerRow * (limit + 1) })) {
    rows.push(...(await read(part, limit + 1 - rows.length)))
    // One row more than asked for says that there is a next page.
    if (rows.length > limit) return { rows: rows.slice(0, limit), nextAfter: String(rows[limit - 1]!.seq) }
    reached = part.from
  }
  return { rows, nextAfter: reached > range.from ? String(reached) : null }
}

export async function ledgerPage(
  store: ReportStore,
  projectId: string,
  { after, limit, ...filters }: LedgerParameters,
): Promise<LedgerPage> {
  const filter = entryFilterOf(filters)
  const before = after === undefined ? pastEnd : Number(after)
  if (filter.kind !== null && filter.kind in rareKinds) {
    const rows = await store.rareEntries(projectId, before, filter, limit + 1)
    return {
      items: rows.slice(0, limit).map(publicEntry),
      nextAfter: rows.length > limit ? String(rows[limit - 1]!.seq) : null,
    }
  }
  const range = await ledgerRangeOf(store, projectId, filter, before)
  const page = await pageOf(range, { limit, entriesPerRow: 1 }, (part, most) => store.entries(part, filter, most))
  return { items: page.rows.map(publicEntry), nextAfter: page.nextAfter }
}

/** Kinds with an index of their own, so that the calls between them are not scanned. */
const rareKinds = { credit: true, grant: true, withdraw: true }
