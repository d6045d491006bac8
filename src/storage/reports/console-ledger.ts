import type { EntryRow, ReportedOrder, ReportStore } from '../../reporting/ports.ts'
import { closingOf } from '../archives/closing-rows.ts'
import type { Engine, Reader } from '../engine.ts'
import { orderColumns } from '../stores/order-store.ts'
import { readRange, referenceOf } from './ledger-chain.ts'

type LedgerReports = Pick<ReportStore, 'entries' | 'rareEntries' | 'enteredAt' | 'ledgerEnds' | 'orders' | 'order'>

export function ledgerReports(engine: Engine): LedgerReports {
  return {
    entries: (range, { kind, fromAt, toAt }, limit) =>
      engine.read((tx) => readRange<EntryRow>(tx, newestEntries, range, [limit, kind ?? '', fromAt, toAt])),
    rareEntries: (projectId, before, { kind, fromAt, toAt }, limit) =>
      engine.read((tx) =>
        kind === 'credit'
          ? tx.all<EntryRow>(newestCredits, [projectId, before, limit, fromAt, toAt])
          : tx.all<EntryRow>(newestMovements, [projectId, before, limit, fromAt, toAt, kind]),
      ),
    enteredAt: (projectId, seq) =>
      engine.read(async (tx) => {
        const one = { projectId, from: seq, before: seq + 1 }
        const [row] = await readRange<{ at: number }>(tx, 'SELECT s.entered_at AS at FROM wanted s', one)
        return row?.at
      }),
    ledgerEnds: (projectId) =>
      engine.read(async (tx) => {
        const row = await tx.get<{ entries: number }>('SELECT entries FROM balances WHERE project_id = $1', [projectId])
        const closing = await closingOf(tx, projectId)
        return {
          first: (closing?.seq ?? 0) + 1,
          last: row?.entries ?? 0,
          archivedUntil: closing?.archivedUntil ?? null,
        }
      }),
    orders: (projectId, before, limit) =>
      engine.read((tx) =>
        tx.all<ReportedOrder>(newestOrders, [
          projectId,
          before?.createdAt ?? Number.MAX_SAFE_INTEGER,
          before?.orderId ?? '',
          limit,
        ]),
      ),
    order: (projectId, orderId) => engine.read((tx) => tx.get<ReportedOrder>(oneOrder, [projectId, orderId])),
  }
}

export const entriesOfCharge = (tx: Reader, projectId: string, chargeId: string): Promise<EntryRow[]> =>
  tx.all<EntryRow>(ofCharge, [projectId, chargeId])

const shown = `e.seq, e.kind, e.amount, e.available, e.reserved, e.charge_id AS "chargeId",
  (SELECT c.operation FROM charges c WHERE c.charge_id = e.charge_id) AS operation, e.lot_id AS "creditLotId",
  (SELECT o.order_id FROM credit_lots o WHERE o.lot_id = e.lot_id) AS "orderId",
  ${referenceOf('e')} AS reference, e.entered_at AS "enteredAt"`

const newestEntries = `SELECT ${shown} FROM wanted e
  WHERE ($5 = '' OR e.kind = $5) AND e.entered_at >= $6 AND e.entered_at < $7 ORDER BY e.seq DESC LIMIT $4`

/** Crossed, so that the few lots of the project come first and each leads to its entry. */
const newestCredits = `SELECT ${shown} FROM credit_lots l CROSS JOIN ledger_entries e
  WHERE l.project_id = $1 AND e.lot_id = l.lot_id AND e.kind = 'credit' AND e.seq < $2 AND e.entered_at >= $4 AND e.entered_at < $5
  ORDER BY e.seq DESC LIMIT $3`

const newestMovements = `SELECT ${shown} FROM operator_movements m CROSS JOIN ledger_entries e
  WHERE m.project_id = $1 AND m.kind = $6 AND e.entry_id = m.entry_id AND e.seq < $2
    AND e.entered_at >= $4 AND e.entered_at < $5
  ORDER BY e.seq DESC LIMIT $3`

/** A charge is reserved, may be reviewed, and ends: three entries at most. */
const ofCharge = `SELECT ${shown} FROM ledger_entries e WHERE e.charge_id = $2 AND e.project_id = $1
  ORDER BY e.seq LIMIT 10`

const newestOrders = `SELECT ${orderColumns} FROM orders WHERE project_id = $1 AND (created_at, order_id) < ($2, $3)
  ORDER BY created_at DESC, order_id DESC LIMIT $4`

const oneOrder = `SELECT ${orderColumns} FROM orders WHERE order_id = $2 AND project_id = $1`
