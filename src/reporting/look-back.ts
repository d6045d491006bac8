import type { Stretch } from './ports.ts'

/** One request looks through no more entries than this for rows that pass its filter: about 40 ms, in reads of 6. */
export const mostLooked = 20_000
const widestLook = 4000

/** Stretches of the ledger, the newest first and each wider than the one before, as far as one request may look. */
export function* lookBack(
  { projectId, from, before }: Stretch,
  { width, most = mostLooked }: { width: number; most?: number },
): Generator<Stretch> {
  let end = before
  for (let wide = width; end > from && before - end < most; wide *= 2) {
    const start = Math.max(from, end - Math.min(wide, widestLook))
    yield { projectId, from: start, before: end }
    end = start
  }
}

export interface Found<Row> {
  readonly rows: readonly Row[]
  readonly nextCursor: string | null
}

/** A page of the rows that a stretch of the ledger has, and where the next one begins. */
export async function pageOf<Row extends { readonly seq: number }>(
  range: Stretch,
  { limit, entriesPerRow }: { limit: number; entriesPerRow: number },
  read: (stretch: Stretch, limit: number) => Promise<readonly Row[]>,
): Promise<Found<Row>> {
  const rows: Row[] = []
  let reached = range.before
  for (const stretch of lookBack(range, { width: entriesPerRow * (limit + 1) })) {
    rows.push(...(await read(stretch, limit + 1 - rows.length)))
    // One row more than asked for says that there is a next page.
    if (rows.length > limit) return { rows: rows.slice(0, limit), nextCursor: String(rows[limit - 1]!.seq) }
    reached = stretch.from
  }
  return { rows, nextCursor: reached > range.from ? String(reached) : null }
}
