import type { LedgerPage } from '../contract/console/ledger.ts'
import type { PageParameters } from '../contract/console/paging.ts'
import type { ReportStore } from './ports.ts'
import { publicEntry } from './public-charge.ts'
import { pastEnd } from './stretches.ts'

export async function ledgerPage(
  store: ReportStore,
  projectId: string,
  { cursor, limit }: PageParameters,
): Promise<LedgerPage> {
  const rows = await store.entries(projectId, cursor === undefined ? pastEnd : Number(cursor), limit + 1)
  const items = rows.slice(0, limit).map(publicEntry)
  return { items, nextCursor: rows.length > limit ? String(items.at(-1)!.seq) : null }
}
