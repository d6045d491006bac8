import type { AuditNote } from './audit.ts'

/** What the provider said about a payment, in an answer that was verified. */
export interface PaymentCredit {
  readonly paymentId: string
  readonly transactionId: string
  /** The method and the transaction id: unique among all lots. */
  readonly reference: string
  readonly paidAt: number
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
  readonly at: number
}

export type HoldResult = { readonly kind: 'held' } | { readonly kind: 'refused'; readonly code: 'INSUFFICIENT_CREDITS' }

export type UnholdResult = { readonly kind: 'ended' } | { readonly kind: 'already' }

/** A refund whose credits are held, or were. */
export interface RefundState {
  readonly refundId: string
  readonly projectId: string
  readonly lotId: string
  readonly credits: number
  state: string
}

export interface RefundResults {
  readonly hold: HoldResult
  readonly unhold: UnholdResult
}
