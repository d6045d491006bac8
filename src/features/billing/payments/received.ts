import { readPaymentNote } from '../../../contract/payment-notes.ts'
import { currency } from '../../../contract/prices.ts'
import type { PaymentState } from './contract.ts'

/** Money of a payment, credited or not; all null if nothing was received. */
export interface Received {
  readonly paidFen: number | null
  readonly paidCurrency: string | null
  readonly paidAt: number | null
}

interface PaidRow {
  readonly state: PaymentState
  readonly amountFen: number
  readonly paidAt: number | null
  readonly note: string | null
}

const nothing: Received = { paidFen: null, paidCurrency: null, paidAt: null }

/** What was received with the transaction of a payment. `own` is what was recorded of it when it was not credited. */
export function receivedOf(
  { state, amountFen, paidAt, note }: PaidRow,
  own: { readonly amountFen: number; readonly currency: string } | null,
): Received {
  if (state === 'paid') return { paidFen: amountFen, paidCurrency: currency, paidAt }
  if (own) return { paidFen: own.amountFen, paidCurrency: own.currency, paidAt }
  // 0.2.0 recorded it only in the note.
  const { fen, currency: paidCurrency } = (state === 'review' && note && readPaymentNote(note)?.facts) || {}
  return fen && paidCurrency ? { paidFen: Number(fen), paidCurrency, paidAt } : nothing
}
