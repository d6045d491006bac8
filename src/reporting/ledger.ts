import type { LedgerPage } from '../contract/console/ledger.ts'
import type { PageParameters } from '../contract/console/paging.ts'
import type { ReportStore } from './ports.ts'
import { publicEntry } from './public-charge.ts'

export async function ledgerPage(
  store: ReportStore,
  projectId: string,
  { cursor, limit }: PageParameters,
): Promise<LedgerPage> {
  const rows = await store.entries(projectId, cursor === undefined ? pastEnd : Number(cursor), limit + 1)
  const items = rows.slice(0, limit).map(publicEntry)
  return { items, nextCursor: rows.length > limit ? String(items.at(-1)!.seq) : null }
}

export const pastEnd = Number.MAX_SAFE_INTEGER

/**
 * Entries stand in the order of their commits, and so almost in that of their times: clocks of instances differ, and
 * an outcome may be recorded late. None stands behind one whose time is later by more than this.
 */
export const disorderMs = 3_600_000

/** A place in the ledger behind which no entry is from before the moment; found by halving, in about 20 short reads. */
export async function seqAfter(store: ReportStore, projectId: string, at: number): Promise<number> {
  let low = 1
  let high = (await store.entryCount(projectId)) + 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const enteredAt = await store.enteredAt(projectId, middle)
    if (enteredAt === undefined || enteredAt >= at + disorderMs) high = middle
    else low = middle + 1
  }
  return low
}
