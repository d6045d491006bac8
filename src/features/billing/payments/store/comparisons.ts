import type { Engine, Reader, Writer } from '../../../../storage/engine.ts'
import { integer, type RowOf, rowMapper, text } from '../../../../storage/row-mapper.ts'
import { isOpen, keepSettled, type MethodComparison, type PaymentDifference } from '../differences.ts'
import { type PaymentRow, paymentRows } from './payments.ts'

const rows = rowMapper('payment_comparisons', {
  date: text('bill_date'),
  method: text(),
  comparedAt: integer(),
  bill: text<MethodComparison['bill']>(),
  payments: integer(),
  amountFen: integer(),
  differences: {
    encode: JSON.stringify,
    decode: (stored: string): readonly PaymentDifference[] => JSON.parse(stored),
  },
  openDifferences: integer(),
})
export type ComparisonRow = RowOf<typeof rows.columns>

export interface ComparedRefund {
  readonly refundId: string
  readonly paymentId: string
  readonly amountFen: number
  readonly state: string
}

const refundColumns = `f.refund_id AS "refundId", f.payment_id AS "paymentId", f.amount_fen AS "amountFen", f.state`

/** Of credited payments, and of money that never was. */
const allRefunds = `SELECT refund_id, payment_id, amount_fen, state, ended_at FROM payment_refunds
  UNION ALL SELECT refund_id, payment_id, amount_fen - COALESCE(returned_fen, 0), state, ended_at FROM uncredited_payments
    WHERE refund_id IS NOT NULL`

/** Comparisons, in the transaction of an operator action. */
export const comparisonWrites = (tx: Reader & Writer) => ({
  /** Locks the row, so that no other comparison of this day runs before the commit. */
  lockComparison: async (date: string, method: string): Promise<ComparisonRow | undefined> => {
    const day = [date, method]
    await tx.run('UPDATE payment_comparisons SET bill = bill WHERE bill_date = $1 AND method = $2', day)
    return rows.get(tx, 'WHERE bill_date = $1 AND method = $2', day)
  },
  /** Locks the days on which a payment has an open difference. */
  lockOpenDays: async (method: string, paymentId: string): Promise<ComparisonRow[]> => {
    const isOfPayment = 'method = $1 AND open_differences > 0 AND differences LIKE $2'
    const given = [method, `%${paymentId}%`]
    await tx.run(`UPDATE payment_comparisons SET bill = bill WHERE ${isOfPayment}`, given)
    return rows.all(tx, `WHERE ${isOfPayment} ORDER BY bill_date LIMIT 100`, given)
  },
  changeDifferences: async ({ date, method }: ComparisonRow, differences: readonly PaymentDifference[]) => {
    const change = { differences, openDifferences: differences.filter(isOpen).length }
    await rows.update(tx, change, 'bill_date = $1 AND method = $2', [date, method])
    return change
  },
})

export const comparisonTable = (engine: Engine) => ({
  paidBetween: (method: string, from: number, to: number): Promise<PaymentRow[]> =>
    engine.read((tx) =>
      paymentRows.all(
        tx,
        `WHERE method = $1 AND paid_at >= $2 AND paid_at < $3 AND state = 'paid' ORDER BY payment_id`,
        [method, from, to],
      ),
    ),
  refund: (refundId: string) =>
    engine.read((tx) =>
      tx.get<ComparedRefund>(`SELECT ${refundColumns} FROM (${allRefunds}) f WHERE f.refund_id = $1`, [refundId]),
    ),
  refundsBetween: (method: string, from: number, to: number) =>
    engine.read((tx) =>
      tx.all<ComparedRefund>(
        `SELECT ${refundColumns} FROM (${allRefunds}) f JOIN payments p ON p.payment_id = f.payment_id
        WHERE p.method = $1 AND f.state = 'refunded' AND f.ended_at >= $2 AND f.ended_at < $3 ORDER BY f.refund_id`,
        [method, from, to],
      ),
    ),
  /** Replaces the last comparison, but keeps what an operator has settled. Returns the merged differences. */
  save: (date: string, comparison: MethodComparison, comparedAt: number): Promise<readonly PaymentDifference[]> =>
    engine.write(async (tx) => {
      const { method } = comparison
      const empty = { ...comparison, date, comparedAt, differences: [], openDifferences: 0 }
      // The row must be there to be locked.
      await rows.insert(tx, empty, 'ON CONFLICT (bill_date, method) DO NOTHING')
      const earlier = await comparisonWrites(tx).lockComparison(date, method)
      const differences = keepSettled(comparison.differences, earlier!.differences)
      const openDifferences = differences.filter(isOpen).length
      await rows.upsert(tx, { ...empty, differences, openDifferences }, ['date', 'method'])
      return differences
    }),
  find: (date: string, method: string) =>
    engine.read((tx) => rows.get(tx, 'WHERE bill_date = $1 AND method = $2', [date, method])),
  /** The newest day first, after the one named. */
  page: (after: { readonly date: string; readonly method: string } | null, isOnlyOpen: boolean, limit: number) =>
    engine.read((tx) =>
      rows.all(
        tx,
        `WHERE (bill_date < $1 OR (bill_date = $1 AND method > $2)) ${isOnlyOpen ? 'AND open_differences > 0' : ''}
        ORDER BY bill_date DESC, method LIMIT $3`,
        [after?.date ?? '~', after?.method ?? '', limit],
      ),
    ),
  countOpen: () =>
    engine.read(async (tx) => {
      const sql = 'SELECT COALESCE(SUM(open_differences), 0) AS count FROM payment_comparisons'
      return (await tx.get<{ count: number }>(sql))!.count
    }),
})
