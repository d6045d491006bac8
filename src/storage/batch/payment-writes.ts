import type { Changes } from '../../ledger/batch-state.ts'
import type { Credit, OrderState } from '../../ledger/commands.ts'
import type { PaymentCredit } from '../../ledger/payments.ts'
import { bigint, text, write } from './table-write.ts'

export type Credited = Changes['credited'][number]
export type PaidOrder = { readonly command: Credit & { readonly payment: PaymentCredit }; readonly order: OrderState }

/** Orders that a payment paid. */
export const isPaid = (row: Credited): row is PaidOrder => row.command.payment !== undefined

/** Orders, payments, money that was not credited, and refunds. */
export const paymentWrites = {
  order_credit: write<Credited>('update', 'orders', 'order_id', {
    order_id: text(({ order }) => order.orderId),
    state: text(() => 'credited'),
    simulated_paid_at: bigint(({ command }) => command.at),
    credited_at: bigint(({ command }) => command.at),
  }),
  payment_credit: write<PaidOrder>('update', 'payments', 'payment_id', {
    payment_id: text(({ command }) => command.payment.paymentId),
    state: text(() => 'paid'),
    transaction_id: text(({ command }) => command.payment.transactionId),
    note: text(() => null),
    paid_at: bigint(({ command }) => command.payment.paidAt),
    credited_at: bigint(({ command }) => command.at),
    client_address: text(() => null),
    next_query_at: bigint(() => null),
    claimed_by: text(() => null),
  }),
  /** What an operator decided to credit has ended with the credit. */
  uncredited_credit: write<PaidOrder>('update', 'uncredited_payments', 'payment_id transaction_id', {
    payment_id: text(({ command }) => command.payment.paymentId),
    transaction_id: text(({ command }) => command.payment.transactionId),
    state: text(() => 'credited'),
    ended_at: bigint(({ command }) => command.at),
    next_query_at: bigint(() => null),
    claimed_by: text(() => null),
  }),
  refund_hold: write<Changes['held'][number]>('update', 'payment_refunds', 'refund_id', {
    refund_id: text(({ command }) => command.refundId),
    state: text(() => 'held'),
    hold_entry_id: bigint((row) => row.entryId),
    next_query_at: bigint(({ command }) => command.nextQueryAt),
    approved_by: text(({ command }) => command.note.by),
  }),
  refund_end: write<Changes['unheld'][number]>('update', 'payment_refunds', 'refund_id', {
    refund_id: text(({ command }) => command.refundId),
    state: text(({ command }) => command.to),
    provider_refund_id: text(({ command }) => command.providerRefundId),
    end_entry_id: bigint((row) => row.entryId),
    ended_at: bigint(({ command }) => command.at),
    next_query_at: bigint(() => null),
    claimed_by: text(() => null),
  }),
} as const
