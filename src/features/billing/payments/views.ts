import { isoOf } from '../../../base/time.ts'
import type { ComparisonRow } from './comparison-store.ts'
import { differenceId, type PaymentDifference } from './differences.ts'
import { publicPayment } from './payments.ts'
import type { RefundRow } from './refund-store.ts'
import type { PaymentRow } from './store.ts'

/** How operators see payments, in the console and on the command line. */

export function shownPayment(row: PaymentRow) {
  const { idempotentReplay: _, ...payment } = publicPayment(row)
  return { ...payment, projectId: row.projectId, transactionId: row.transactionId, note: row.note }
}

export const shownRefund = ({ refundId, amountFen, credits, reference, state, note }: RefundRow) => ({
  ...{ refundId, amountFen, credits, reference, note },
  state: shownRefundState(state),
})

/** Held credits are a refund that is under way. */
export const shownRefundState = (state: RefundRow['state']) =>
  state === 'waiting' || state === 'held' ? 'pending' : state

export function shownDifference(difference: PaymentDifference) {
  const { settled, outcome, ...facts } = difference
  return {
    ...{ differenceId: differenceId(difference), ...facts },
    outcome: settled ? ('settled' as const) : outcome,
    settled: settled ? { ...settled, at: isoOf(settled.at) } : null,
  }
}

export const shownComparison = ({ differences, openDifferences, comparedAt, ...row }: ComparisonRow) => ({
  ...row,
  comparedAt: isoOf(comparedAt),
  differenceCount: differences.length,
  settledCount: differences.filter(({ settled }) => settled).length,
  openCount: openDifferences,
})
