import type { Difference } from '../differences.ts'

/**
 * I9: each lot of kind `paid` has exactly one payment, and each payment that is `paid` one such lot of its order. Nothing of the
 * transaction of a lot is left for an operator to end.
 */
export const paymentChecks: readonly { readonly invariant: Difference['invariant']; readonly sql: string }[] = [
  {
    invariant: 'I9',
    sql: `SELECT l.project_id AS "projectId", l.lot_id AS at, 'payments of the paid lot' AS what, 1 AS expected,
        COUNT(p.payment_id) AS found
      FROM credit_lots l LEFT JOIN payments p ON p.order_id = l.order_id AND p.project_id = l.project_id AND p.state = 'paid'
        AND p.credits = l.amount AND l.reference = p.method || ':' || p.transaction_id
      WHERE l.project_id > $1 AND l.project_id <= $2 AND l.kind = 'paid'
      GROUP BY l.project_id, l.lot_id HAVING COUNT(p.payment_id) <> 1
      ORDER BY l.project_id, l.lot_id LIMIT $3`,
  },
  {
    invariant: 'I9',
    sql: `SELECT p.project_id AS "projectId", p.payment_id AS at, 'paid lots of the payment' AS what,
        CASE p.state WHEN 'paid' THEN 1 ELSE 0 END AS expected, COUNT(l.lot_id) AS found
      FROM payments p LEFT JOIN credit_lots l ON l.order_id = p.order_id AND l.kind = 'paid'
      WHERE p.project_id > $1 AND p.project_id <= $2
      GROUP BY p.project_id, p.payment_id, p.state
      HAVING COUNT(l.lot_id) <> CASE p.state WHEN 'paid' THEN 1 ELSE 0 END
      ORDER BY p.project_id, p.payment_id LIMIT $3`,
  },
  {
    invariant: 'I9',
    sql: `SELECT u.project_id AS "projectId", u.uncredited_id AS at, 'lots of money that is ' || u.state AS what, 0 AS expected, 1 AS found
      FROM uncredited_payments u JOIN payments p ON p.payment_id = u.payment_id
      JOIN credit_lots l ON l.reference = p.method || ':' || u.transaction_id
      WHERE u.project_id > $1 AND u.project_id <= $2 AND u.state <> 'credited'
      ORDER BY u.project_id, u.uncredited_id LIMIT $3`,
  },
  {
    // Refunds whose ledger entries are missing and were not archived, or have another amount.
    invariant: 'I9',
    sql: `SELECT f.project_id AS "projectId", f.refund_id AS at, 'ledger entries of the refund' AS what,
        CASE WHEN f.end_entry_id IS NULL THEN 1 ELSE 2 END AS expected, COUNT(e.entry_id) AS found
      FROM payment_refunds f
      LEFT JOIN ledger_entries e ON e.entry_id IN (f.hold_entry_id, f.end_entry_id) AND e.project_id = f.project_id
        AND e.lot_id = f.lot_id AND e.amount = f.credits
      LEFT JOIN closing_balances k ON k.project_id = f.project_id AND k.last_entry_id >= f.hold_entry_id
      WHERE f.project_id > $1 AND f.project_id <= $2 AND f.hold_entry_id IS NOT NULL AND k.project_id IS NULL
      GROUP BY f.project_id, f.refund_id, f.end_entry_id
      HAVING COUNT(e.entry_id) <> CASE WHEN f.end_entry_id IS NULL THEN 1 ELSE 2 END
      ORDER BY f.project_id, f.refund_id LIMIT $3`,
  },
]
