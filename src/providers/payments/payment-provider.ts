/** What the gateway asks of a payment provider. A method that throws `PaymentFault` has an unknown outcome, and is asked again. */
export interface PaymentProvider {
  /** Idempotent by the payment's id, which is the order number there. */
  readonly create: (payment: NewPayment) => Promise<CreatedPayment>
  /** Only a response whose origin was verified. */
  readonly query: (paymentId: string) => Promise<QueriedPayment>
  /** Resolves once it can no longer be paid, or if it was paid already: the next query says which. */
  readonly close: (paymentId: string) => Promise<void>
  /** Idempotent by the refund's id: a repeat returns its current state. */
  readonly refund: (refund: NewRefund) => Promise<RefundResponse>
  /** Everything that was paid and refunded on a day in China, such as 2026-09-03; null if there is no bill. */
  readonly bill: (date: string) => Promise<readonly BillLine[] | null>
  /** Null if the signature is wrong, or the time of a callback that says one. */
  readonly readCallback: (callback: RawCallback) => Promise<PaymentHint | null>
  /** The response to a callback that this provider expects. */
  readonly callbackResponse: (isAccepted: boolean) => CallbackResponse
  /** Throws `PaymentFault` if the provider cannot be asked with these settings; for `doctor`. */
  readonly check?: () => Promise<string>
  readonly stop?: () => Promise<unknown>
}

export const displays = ['qr', 'redirect'] as const
export type Display = (typeof displays)[number]

export interface NewPayment {
  readonly paymentId: string
  readonly amountFen: number
  readonly display: Display
  readonly createdAt: number
  readonly expiresAt: number
  /** Of the payer; null if it is not known any more. */
  readonly clientAddress: string | null
}

export type CreatedPayment =
  | { readonly kind: 'created'; readonly qrText: string | null; readonly redirectUrl: string | null }
  | { readonly kind: 'refused'; readonly reason: string }

export type QueriedPayment =
  /** The provider does not know the payment. */
  { readonly kind: 'unknown' } | { readonly kind: 'waiting' } | { readonly kind: 'closed' } | PaidThere

export interface PaidThere {
  readonly kind: 'paid'
  readonly transactionId: string
  readonly amountFen: number
  readonly currency: string
  readonly paidAt: number
  /** Paid back there already; null if the response does not say how much. Absent if nothing was. */
  readonly refundedFen?: number | null
  /** The response says nothing of a partial refund, so there may have been one. */
  readonly mayBeRefunded?: true
}

export interface NewRefund {
  readonly refundId: string
  readonly paymentId: string
  /** The one of the payment that is refunded, where there may be several. */
  readonly transactionId?: string
  readonly amountFen: number
  /** Of the payment or transaction. */
  readonly totalFen: number
  readonly reason: string
}

export type RefundResponse =
  | { readonly kind: 'refunded'; readonly providerRefundId: string | null }
  | { readonly kind: 'pending'; readonly providerRefundId: string | null }
  /** Certainly not carried out, by this attempt or an earlier one. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Only a person can find out what happened. */
  | { readonly kind: 'unclear'; readonly reason: string }

export interface BillLine {
  readonly kind: 'payment' | 'refund'
  readonly paymentId: string
  readonly transactionId: string
  readonly refundId: string | null
  readonly amountFen: number
  readonly currency: string
}

export interface RawCallback {
  /** `name` is in lower case; undefined unless it was sent exactly once. */
  readonly header: (name: string) => string | undefined
  readonly body: Uint8Array
  readonly at: number
}

export interface PaymentHint {
  readonly eventId: string
  /** Null if the event is not about a payment. */
  readonly paymentId: string | null
}

export interface CallbackResponse {
  readonly contentType: string
  readonly body: string
}

/** An id that no payment has, for checks. */
export const unknownPayment = 'pay_00000000000000000000'

/** The outcome is unknown: no response, one that cannot be verified, or a failure of the provider. */
export class PaymentFault extends Error {
  override readonly name = 'PaymentFault'
}

/** Amounts are written in yuan in some protocols. Null if the text is no amount in whole fen. */
export function fenOfYuan(text: string): number | null {
  const match = /^(-?)(\d{1,10})(?:\.(\d{1,2}))?$/.exec(text.trim())
  if (!match) return null
  const fen = Number(match[2]) * 100 + Number((match[3] ?? '').padEnd(2, '0'))
  return match[1] ? -fen : fen
}
