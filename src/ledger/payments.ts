import type { AuditNote } from './audit.ts'
import type { PendingApproval } from './movements.ts'

/** What the provider said about a payment, in a response that was verified. */
export interface PaymentCredit {
  readonly paymentId: string
  readonly transactionId: string
  /** The method and the transaction id: unique among all lots. */
  readonly reference: string
  readonly paidAt: number
  /** What it brings. An order that an operator has given another amount refuses it. */
  readonly credits: number
  /** Whether the payment had expired, failed or was cancelled. */
  readonly isLate: boolean
}

/** Holds the credits of a refund before the provider is asked. */
export interface Hold {
  readonly type: 'hold'
  readonly refundId: string
  readonly projectId: string
  readonly lotId: string
  readonly credits: number
  /** When the provider is to be asked. */
  readonly nextQueryAt: number
  readonly note: AuditNote
  readonly at: number
}

/** Ends a refund: its held credits leave the project, or are available again. */
export interface Unhold {
  readonly type: 'unhold'
  readonly refundId: string
  readonly projectId: string
  readonly to: 'refunded' | 'returned'
  readonly providerRefundId: string | null
  /** Of an operator, about a refund in review; null if the provider said how it ended. */
  readonly decision: RefundDecision | null
  readonly at: number
}

export interface RefundDecision {
  readonly note: AuditNote
  /** What a second operator approves with it; null if no approval was needed. */
  readonly approval: Pick<PendingApproval, 'approvalId' | 'kind' | 'reference'> | null
  /** What one operator may move alone in 24 hours; null for any number. */
  readonly limit: number | null
}

/** How the audit log names a decision without an approval. */
export const decisionActions = { refunded: 'payments.refund.done', returned: 'payments.refund.failed' } as const

export type HoldResult = { readonly kind: 'held' } | { readonly kind: 'refused'; readonly code: 'INSUFFICIENT_CREDITS' }

export type UnholdResult =
  | { readonly kind: 'ended' }
  /** It had ended before or, for a decision, was not in review. */
  | { readonly kind: 'already' }
  | { readonly kind: 'needs_approval' }
  | { readonly kind: 'refused'; readonly code: 'APPROVAL_NOT_PENDING' | 'APPROVAL_OWN_REQUEST' }

/** A refund whose credits are held, or were. */
export interface RefundState {
  readonly refundId: string
  readonly projectId: string
  readonly lotId: string
  readonly credits: number
  readonly paymentId: string
  readonly orderId: string
  readonly amountFen: number
  state: string
}

export interface RefundResults {
  readonly hold: HoldResult
  readonly unhold: UnholdResult
}
