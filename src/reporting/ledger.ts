import type { LedgerPage, LedgerParameters } from '../contract/console/ledger.ts'
import { entryFilterOf } from './filters.ts'
import { ledgerRangeOf, pastEnd } from './ledger-range.ts'
import { pageOf, type RowPage } from './look-back.ts'
import type { EntryFilter, EntryRow, ReportStore } from './ports.ts'
import { publicEntry } from './public-charge.ts'

export async function ledgerPage(
  store: ReportStore,
  projectId: string,
  { cursor, limit, ...filters }: LedgerParameters,
): Promise<LedgerPage> {
  const filter = entryFilterOf(filters)
  const place = { projectId, before: cursor === undefined ? pastEnd : Number(cursor), limit }
  const find = filter.kind !== null && filter.kind in rareKinds ? findRare : findEntries
  const { rows, nextCursor } = await find(store, filter, place)
  return { items: rows.map(publicEntry), nextCursor }
}

interface Place {
  readonly projectId: string
  readonly before: number
  readonly limit: number
}

async function findEntries(store: ReportStore, filter: EntryFilter, place: Place): Promise<RowPage<EntryRow>> {
  const range = await ledgerRangeOf(store, place.projectId, filter, place.before)
  return pageOf(range, { limit: place.limit, entriesPerRow: 1 }, (part, limit) => store.entries(part, filter, limit))
}

/** Kinds that are found without the entries between them, however many calls those are. */
const rareKinds = { credit: true, grant: true, withdraw: true }

async function findRare(
  store: ReportStore,
  filter: EntryFilter,
  { projectId, before, limit }: Place,
): Promise<RowPage<EntryRow>> {
  const rows = await store.rareEntries(projectId, before, filter, limit + 1)
  if (rows.length <= limit) return { rows, nextCursor: null }
  return { rows: rows.slice(0, limit), nextCursor: String(rows[limit - 1]!.seq) }
}
