/** What was paid for an order and when, in SQL; null before it is credited. One without a payment is paid when it is credited. */
export const paidOf = (order: string) => ({
  paidFen: paid(order, 'amount_fen', 'amount_fen'),
  paidAt: paid(order, 'paid_at', 'credited_at'),
})

const paid = (order: string, column: string, ofOrder: string): string =>
  `CASE WHEN ${order}.state = 'credited' THEN
    COALESCE((SELECT p.${column} FROM payments p WHERE p.order_id = ${order}.order_id), ${order}.${ofOrder}) END`
