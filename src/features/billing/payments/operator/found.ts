import { type FoundSource, foundById, yuanOf } from '../../../../operator-kit/found.ts'

export const foundPaymentIds: readonly FoundSource[] = [
  foundById('ord', 'orders o', {
    kind: 'order',
    id: 'o.order_id',
    label: yuanOf('o.amount_fen'),
    page: { at: '/payments', id: '(SELECT p.payment_id FROM payments p WHERE p.order_id = o.order_id)' },
  }),
  foundById('pay', 'payments', {
    ...{ kind: 'payment', id: 'payment_id', label: yuanOf('amount_fen') },
    page: { at: '/payments', id: 'payment_id' },
  }),
  foundById('rfd', 'payment_refunds', {
    ...{ kind: 'refund', id: 'refund_id', label: yuanOf('amount_fen') },
    page: { at: '/payments', id: 'payment_id' },
  }),
]
