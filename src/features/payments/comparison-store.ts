import type { Engine } from '../../storage/engine.ts'
import { integer, type RowOf, rowMapper, text } from '../../storage/row-mapper.ts'
import type { MethodComparison, PaymentDifference } from './differences.ts'
import { type PaymentRow, paymentRows } from './store.ts'

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

/** A refund as the bill is compared with it. */
export interface ComparedRefund {
  readonly refundId: string
  readonly paymentId: string
  readonly amountFen: number
  readonly state: string
}

const refundColumns = `f.refund_id AS "refundId", f.payment_id AS "paymentId", f.amount_fen AS "amountFen", f.state`

export type ComparisonStore = ReturnType<typeof createComparisonStore>

/** What the daily comparison reads and keeps. */
export const createComparisonStore = (engine: Engine) => ({
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
      tx.get<ComparedRefund>(`SELECT ${refundColumns} FROM payment_refunds f WHERE f.refund_id = $1`, [refundId]),
    ),
  refundsBetween: (method: string, from: number, to: number) =>
    engine.read((tx) =>
      tx.all<ComparedRefund>(
        `SELECT ${refundColumns} FROM payment_refunds f JOIN payments p ON p.payment_id = f.payment_id
        WHERE p.method = $1 AND f.state = 'refunded' AND f.ended_at >= $2 AND f.ended_at < $3 ORDER BY f.refund_id`,
        [method, from, to],
      ),
    ),
  save: (date: string, comparison: MethodComparison, comparedAt: number) =>
    engine.write((tx) =>
      rows.upsert(
        tx,
        {
          ...comparison,
          date,
          comparedAt,
          openDifferences: comparison.differences.filter(({ outcome }) => outcome !== 'credited').length,
        },
        ['date', 'method'],
      ),
    ),
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
