import type { EntryRecord } from '../../ledger/commands.ts'
import type { Engine } from '../engine.ts'
import { readRange, referenceOf } from './ledger-chain.ts'

/** One entry of a project's ledger, with the balance after it and what it was for. */
export interface StatementLine extends Pick<EntryRecord, 'seq' | 'at' | 'kind' | 'amount' | 'available' | 'reserved'> {
  readonly chargeId: string | null
  readonly operation: string | null
  readonly orderId: string | null
  /** External reference of a grant or withdrawal. */
  readonly reference: string | null
}

export interface StatementRange {
  readonly projectId: string
  /** Epoch milliseconds; `from` is in, `to` is out. */
  readonly from: number
  readonly to: number
}

/**
 * Yields the entries that were there at the start, a page at a time. Entries are only ever appended, so that the
 * number of the last one fixes the moment and no transaction has to stay open. Null when there is no such project.
 */
export async function openStatement(
  engine: Pick<Engine, 'read'>,
  range: StatementRange,
  pageRows = 1000,
): Promise<AsyncIterable<StatementLine[]> | null> {
  const { projectId, from, to } = range
  const balance = await engine.read((tx) =>
    tx.get<{ last: number }>('SELECT entries AS last FROM balances WHERE project_id = $1', [projectId]),
  )
  if (!balance) return null

  async function* pages() {
    const end = balance!.last + 1
    for (let first = 1; first < end; first += pageRows) {
      const range = { projectId, from: first, before: Math.min(first + pageRows, end) }
      const page = await engine.read((tx) => readRange<StatementLine>(tx, selectLines, range, [from, to]))
      if (page.length > 0) yield page
    }
  }
  return pages()
}

const selectLines = `SELECT e.seq, e.entered_at AS "at", e.kind, e.amount, e.available, e.reserved,
    e.charge_id AS "chargeId", c.operation, l.order_id AS "orderId", ${referenceOf('e')} AS reference
  FROM wanted e LEFT JOIN charges c ON c.charge_id = e.charge_id LEFT JOIN credit_lots l ON l.lot_id = e.lot_id
  WHERE e.entered_at >= $4 AND e.entered_at < $5 ORDER BY e.seq`
