import type { Store } from './engines.ts'

/**
 * Projects whose balance is not what came in less what went out, by a sum that shares nothing with `reconcile`: it adds lots,
 * charges, withdrawals and refunds, and looks at no ledger entry.
 */
export async function sumDifferences(store: Store): Promise<string[]> {
  const rows = await store.read((tx) => tx.all<Sums>(selectSums))
  return rows.flatMap(({ projectId, available, reserved, settled, ...sums }) => {
    const open = sums.charged + sums.held
    const expected = {
      available: sums.lots - sums.withdrawn - sums.refunded - open - sums.paid,
      reserved: open,
      settled: sums.paid,
    }
    const found = { available, reserved, settled }
    return JSON.stringify(found) === JSON.stringify(expected)
      ? []
      : [`${projectId} has ${JSON.stringify(found)}, but its rows add up to ${JSON.stringify(expected)}`]
  })
}

interface Sums {
  readonly projectId: string
  readonly available: number
  readonly reserved: number
  readonly settled: number
  readonly lots: number
  readonly withdrawn: number
  readonly refunded: number
  readonly held: number
  readonly charged: number
  readonly paid: number
}

const sumOf = (column: string, rows: string) =>
  `(SELECT CAST(COALESCE(SUM(${column}), 0) AS BIGINT) FROM ${rows} AND project_id = b.project_id)`

const selectSums = `SELECT b.project_id AS "projectId", b.available, b.reserved, b.settled,
  ${sumOf('amount', 'credit_lots WHERE amount > 0')} AS lots,
  ${sumOf('amount', "operator_movements WHERE kind = 'withdraw'")} AS withdrawn,
  ${sumOf('credits', "payment_refunds WHERE state = 'refunded'")} AS refunded,
  ${sumOf('credits', "payment_refunds WHERE state IN ('held', 'pending', 'review')")} AS held,
  ${sumOf('credits', "charges WHERE state IN ('reserved', 'manual_review')")} AS charged,
  ${sumOf('credits', "charges WHERE state = 'settled'")} AS paid
  FROM balances b ORDER BY b.project_id`
