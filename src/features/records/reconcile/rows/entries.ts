import type { EntryRecord, OrderState } from '../../../../ledger/commands.ts'
import type { Reader } from '../../../../storage/engine.ts'
import type { Range, RowCounts } from '../differences.ts'

interface EntryPage {
  readonly pastEntryId: number
  readonly untilEntryId: number
  readonly limit: number
}

export const lastEntryId = async (tx: Reader): Promise<number> =>
  (await tx.get<{ last: number }>('SELECT COALESCE(MAX(entry_id), 0) AS last FROM ledger_entries'))!.last

export const entryPage = (
  tx: Reader,
  { after, until }: Range,
  { pastEntryId, untilEntryId, limit }: EntryPage,
): Promise<EntryRecord[]> =>
  tx.all<EntryRecord>(
    `SELECT ${columns} FROM ledger_entries e
    WHERE entry_id > $1 AND entry_id <= $2 AND project_id > $3 AND project_id <= $4 ORDER BY entry_id LIMIT $5`,
    [pastEntryId, untilEntryId, after, until, limit],
  )

/** The entries of one project past `pastEntryId`, in the order of their ids. */
export const entriesOf = (
  tx: Reader,
  projectId: string,
  { pastEntryId, limit }: Omit<EntryPage, 'untilEntryId'>,
): Promise<EntryRecord[]> =>
  tx.all<EntryRecord>(
    `SELECT ${columns} FROM ledger_entries e WHERE entry_id > $1 AND project_id = $2 ORDER BY entry_id LIMIT $3`,
    [pastEntryId, projectId, limit],
  )

/** The chain of entries from `lastEntryId` back to `pastEntryId`, which is excluded, in the order of their ids. */
export const entriesBack = (
  tx: Reader,
  { lastEntryId, pastEntryId }: { lastEntryId: number; pastEntryId: number },
): Promise<EntryRecord[]> =>
  tx.all<EntryRecord>(
    // Ids fall from each entry to the one before, so that damaged links cannot form a circle.
    `WITH RECURSIVE back (entry_id, previous_id) AS (
      SELECT entry_id, previous_id FROM ledger_entries WHERE entry_id = $1
      UNION ALL
      SELECT e.entry_id, e.previous_id FROM back JOIN ledger_entries e ON e.entry_id = back.previous_id
      WHERE e.entry_id > $2 AND e.entry_id < back.entry_id
    ) SELECT ${columns} FROM back JOIN ledger_entries e ON e.entry_id = back.entry_id ORDER BY e.entry_id`,
    [lastEntryId, pastEntryId],
  )

const columns = `e.entry_id AS "entryId", e.previous_id AS "previousId",
  e.project_id AS "projectId", e.seq, e.kind, e.amount, e.available, e.reserved,
  e.charge_id AS "chargeId", e.lot_id AS "lotId", e.entered_at AS at`

export interface OrderWithLots {
  readonly orderId: string
  readonly projectId: string
  readonly creditAmount: number
  readonly state: OrderState['state']
  readonly lots: number
  readonly lotAmount: number
  /** Lots of this order that belong to another project. */
  readonly strays: number
}

export const lastOrderId = async (tx: Reader): Promise<string | null> =>
  (await tx.get<{ last: string | null }>('SELECT MAX(order_id) AS last FROM orders'))!.last

/** The first orders of a range, in id order. Lots are read by the same range, as in `chargePage`. */
export async function orderPage(tx: Reader, { after, until }: Range, limit: number): Promise<OrderWithLots[]> {
  const rows = await tx.all<Omit<OrderWithLots, 'lots' | 'lotAmount' | 'strays'>>(
    `SELECT order_id AS "orderId", project_id AS "projectId", credit_amount AS "creditAmount", state
    FROM orders WHERE order_id > $1 AND order_id <= $2 ORDER BY order_id LIMIT $3`,
    [after, until, limit],
  )
  const lots = await tx.all<{ orderId: string; projectId: string; amount: number }>(
    `SELECT order_id AS "orderId", project_id AS "projectId", amount FROM credit_lots
    WHERE order_id > $1 AND order_id <= $2`,
    [after, rows.at(-1)?.orderId ?? after],
  )
  const byOrder = Map.groupBy(lots, ({ orderId }) => orderId)
  return rows.map((row) => {
    const own = byOrder.get(row.orderId) ?? []
    return {
      ...row,
      lots: own.length,
      lotAmount: own.reduce((sum, { amount }) => sum + amount, 0),
      strays: own.filter(({ projectId }) => projectId !== row.projectId).length,
    }
  })
}

export const rowCounts = async (tx: Reader): Promise<RowCounts> =>
  (await tx.get<RowCounts>(
    `SELECT (SELECT COUNT(*) FROM projects) AS projects, (SELECT COUNT(*) FROM charges) AS charges,
      (SELECT COUNT(*) FROM orders) AS orders, (SELECT COUNT(*) FROM ledger_entries) AS entries`,
  ))!
