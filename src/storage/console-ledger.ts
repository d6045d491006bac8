import type { EntryRow, OrderRow, ReportStore } from '../reporting/ports.ts'
import type { Engine, Reader } from './engine.ts'
import { orderColumns } from './order-store.ts'

type LedgerReports = Pick<ReportStore, 'entries' | 'enteredAt' | 'entryCount' | 'orders'>

export function ledgerReports(engine: Engine): LedgerReports {
  return {
    entries: (projectId, beforeSeq, limit) =>
      engine.read((tx) => tx.all<EntryRow>(newestEntries, [projectId, beforeSeq, limit])),
    enteredAt: (projectId, seq) =>
      engine.read(async (tx) => {
        const row = await tx.get<{ at: number }>(
          'SELECT entered_at AS at FROM ledger_entries WHERE project_id = $1 AND seq = $2',
          [projectId, seq],
        )
        return row?.at
      }),
    entryCount: (projectId) =>
      engine.read(async (tx) => {
        const row = await tx.get<{ entries: number }>('SELECT entries FROM balances WHERE project_id = $1', [projectId])
        return row?.entries ?? 0
      }),
    orders: (projectId, before, limit) =>
      engine.read((tx) =>
        tx.all<OrderRow>(newestOrders, [
          projectId,
          before?.createdAt ?? Number.MAX_SAFE_INTEGER,
          before?.orderId ?? '',
          limit,
        ]),
      ),
  }
}

export const entriesOfCharge = (tx: Reader, projectId: string, chargeId: string): Promise<EntryRow[]> =>
  tx.all<EntryRow>(ofCharge, [projectId, chargeId])

const stored = 'seq, kind, amount, available, reserved, charge_id, lot_id, entered_at'
const shown = `e.seq, e.kind, e.amount, e.available, e.reserved, e.charge_id AS "chargeId",
  (SELECT c.operation FROM charges c WHERE c.charge_id = e.charge_id) AS operation, e.lot_id AS "creditLotId",
  (SELECT l.order_id FROM credit_lots l WHERE l.lot_id = e.lot_id) AS "orderId", e.entered_at AS "enteredAt"`

const newestEntries = `SELECT ${shown} FROM (
    SELECT ${stored} FROM ledger_entries WHERE project_id = $1 AND seq < $2 ORDER BY seq DESC LIMIT $3
  ) e ORDER BY e.seq DESC`

/**
 * A charge is reserved, may be reviewed, and ends: three entries at most. The project is hidden from the planner, which
 * might read all of its ledger instead.
 */
const ofCharge = `SELECT ${shown} FROM ledger_entries e WHERE e.charge_id = $2 AND e.project_id || '' = $1
  ORDER BY e.seq LIMIT 10`

const newestOrders = `SELECT ${orderColumns} FROM orders WHERE project_id = $1 AND (created_at, order_id) < ($2, $3)
  ORDER BY created_at DESC, order_id DESC LIMIT $4`
