import type { LedgerRange } from './ports.ts'

/** One request looks through no more entries than this for rows that pass its filter: 10 ms of the store, in reads of 2. */
const mostLooked = 5000
const widestLook = 1000

/** Ranges of the ledger, the newest first and each wider than the one before, as far as one request may look. */
export function* lookBack(
  { projectId, from, before }: LedgerRange,
  { width, most = mostLooked }: { width: number; most?: number },
): Generator<LedgerRange> {
  let end = before
  for (let wide = width; end > from && before - end < most; wide *= 2) {
    const start = Math.max(from, end - Math.min(wide, widestLook))
    yield { projectId, from: start, before: end }
    end = start
  }
}

export interface RowPage<Row> {
  readonly rows: readonly Row[]
  readonly nextCursor: string | null
}

/** A page of the rows that a range of the ledger has, and where the next one begins. */
export async function pageOf<Row extends { readonly seq: number }>(
  range: LedgerRange,
  { limit, entriesPerRow }: { limit: number; entriesPerRow: number },
  read: (range: LedgerRange, limit: number) => Promise<readonly Row[]>,
): Promise<RowPage<Row>> {
  const rows: Row[] = []
  let reached = range.before
  for (const part of lookBack(range, { width: entriesPerRow * (limit + 1) })) {
    rows.push(...(await read(part, limit + 1 - rows.length)))
    // One row more than asked for says that there is a next page.
    if (rows.length > limit) return { rows: rows.slice(0, limit), nextCursor: String(rows[limit - 1]!.seq) }
    reached = part.from
  }
  return { rows, nextCursor: reached > range.from ? String(reached) : null }
}
