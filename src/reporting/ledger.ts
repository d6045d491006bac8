import type { LedgerPage } from '../contract/console/ledger.ts'
import type { PageParameters } from '../contract/console/paging.ts'
import type { ReportStore } from './ports.ts'
import { publicEntry } from './public-charge.ts'
import { pastEnd, stretchOf, timesOf } from './stretches.ts'

export async function ledgerPage(
  store: ReportStore,
  projectId: string,
  { cursor, limit }: PageParameters,
): Promise<LedgerPage> {
  const { before } = await stretchOf(store, projectId, timesOf({}), cursor === undefined ? pastEnd : Number(cursor))
  const rows = await store.entries({ projectId, from: Math.max(1, before - limit - 1), before })
  const items = rows.slice(0, limit).map(publicEntry)
  return { items, nextCursor: rows.length > limit ? String(items.at(-1)!.seq) : null }
}
