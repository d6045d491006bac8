import type { Reader } from '../../../../storage/engine.ts'
import { paidOf } from '../../../billing/payments/store/paid-orders.ts'
import { type ArchivedEntry, entryOf } from '../../archives/records.ts'
import { readRange, referenceOf } from '../../archives/store.ts'
import { type LedgerRow, ledgerRowColumns } from '../leaves.ts'

/** A charge is reserved, may be reviewed, and ends: three entries at most. */
export const entriesOfCharge = (tx: Reader, projectId: string, chargeId: string): Promise<LedgerRow[]> =>
  tx.all<LedgerRow>(
    `SELECT ${ledgerRowColumns} FROM ledger_entries e WHERE e.charge_id = $2 AND e.project_id = $1 ORDER BY e.seq LIMIT 10`,
    [projectId, chargeId],
  )

export interface ReceiptOrder {
  readonly orderId: string
  readonly amountFen: number
  /** What was paid and credited, and when; null before. */
  readonly paidFen: number | null
  readonly paidAt: number | null
  /** What it brought: none before it is credited. */
  readonly credits: number
  readonly pricingVersion: string
  readonly state: string
  readonly createdAt: number
  readonly creditedAt: number | null
}

const paid = paidOf('o')

export const findOrder = (tx: Reader, projectId: string, orderId: string): Promise<ReceiptOrder | undefined> =>
  tx.get<ReceiptOrder>(
    `SELECT o.order_id AS "orderId", o.amount_fen AS "amountFen", o.pricing_version AS "pricingVersion", o.state,
      ${paid.paidFen} AS "paidFen", ${paid.paidAt} AS "paidAt",
      CASE WHEN o.state = 'credited' THEN o.credit_amount ELSE 0 END AS credits,
      o.created_at AS "createdAt", o.credited_at AS "creditedAt"
    FROM orders o WHERE o.project_id = $1 AND o.order_id = $2`,
    [projectId, orderId],
  )

export const entriesOfOrder = (tx: Reader, projectId: string, orderId: string): Promise<LedgerRow[]> =>
  tx.all<LedgerRow>(
    `SELECT ${ledgerRowColumns} FROM credit_lots l CROSS JOIN ledger_entries e
    WHERE l.order_id = $2 AND e.lot_id = l.lot_id AND e.project_id = $1 ORDER BY e.seq LIMIT 10`,
    [projectId, orderId],
  )

export const lotsOfOrder = async (tx: Reader, orderId: string): Promise<string[]> => {
  const lots = await tx.all<{ lotId: string }>(
    'SELECT lot_id AS "lotId" FROM credit_lots WHERE order_id = $1 LIMIT 10',
    [orderId],
  )
  return lots.map(({ lotId }) => lotId)
}

export const rowOf = (entry: ArchivedEntry): LedgerRow & { readonly entryId: number } => entryOf(entry)

/** False for a key that may not read the balance of its project. */
export const showsBalance = async (tx: Reader, keyId: string): Promise<boolean> =>
  (await tx.get<{ shows: number }>('SELECT shows_balance AS shows FROM api_keys WHERE key_id = $1', [keyId]))?.shows ===
  1

export interface PlacedEntry extends LedgerRow {
  readonly orderId: string | null
  readonly reference: string | null
}

export async function findEntry(tx: Reader, projectId: string, seq: number): Promise<PlacedEntry | undefined> {
  const select = `SELECT ${ledgerRowColumns}, ${referenceOf('e')} AS reference,
    (SELECT l.order_id FROM credit_lots l WHERE l.lot_id = e.lot_id) AS "orderId" FROM wanted e`
  const [row] = await readRange<PlacedEntry>(tx, select, { projectId, from: seq, before: seq + 1 })
  return row
}

export const readEntries = (tx: Reader, projectId: string, from: number, before: number): Promise<LedgerRow[]> =>
  readRange<LedgerRow>(tx, `SELECT ${ledgerRowColumns} FROM wanted e ORDER BY e.seq`, { projectId, from, before })

/** The first entry of a range whose time is not before a moment. */
export async function firstNotBefore(
  tx: Reader,
  range: { readonly projectId: string; readonly from: number; readonly before: number },
  at: number,
): Promise<number | null> {
  const select = 'SELECT MIN(e.seq) AS seq FROM wanted e WHERE e.entered_at >= $4'
  const [row] = await readRange<{ seq: number | null }>(tx, select, range, [at])
  return row?.seq ?? null
}

export const projectCreatedAt = async (tx: Reader, projectId: string): Promise<number | undefined> =>
  (await tx.get<{ at: number }>('SELECT created_at AS at FROM projects WHERE project_id = $1', [projectId]))?.at
