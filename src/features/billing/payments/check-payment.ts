import { newId } from '../../../base/ids.ts'
import { minuteMs } from '../../../base/time.ts'
import { paymentNote } from '../../../contract/payment-notes.ts'
import { currency } from '../../../contract/prices.ts'
import type { Ledger } from '../../../ledger/ledger.ts'
import {
  type CreatedPayment,
  type PaidThere,
  PaymentFault,
  type PaymentProvider,
} from '../../../providers/payments/payment-provider.ts'
import { UniqueViolation } from '../../../storage/engine.ts'
import { fewerQueries, nextAfterHint, nextQueryAt, retryAt, type Schedule } from './schedule.ts'
import type { PaymentChange, PaymentRow } from './store/payments.ts'
import type { PaymentStore } from './store/store.ts'

export type Verdict =
  /** The ledger has credited it, now or before. */
  | { readonly kind: 'credited'; readonly isNew: boolean }
  /** Paid once more, under another transaction. Nothing is credited. */
  | { readonly kind: 'paid_twice'; readonly transactionId: string }
  /** It cannot be credited as it was paid: an operator decides. Or its transaction was credited to another payment. */
  | { readonly kind: 'review' | 'failed'; readonly note: string }
  /** Money that was recorded before, and that only an operator ends. */
  | { readonly kind: 'known' }
  | { readonly kind: 'changed'; readonly nextQueryAt: number | null; readonly change: PaymentChange }

export interface PaymentCheckDeps {
  readonly store: PaymentStore
  readonly ledger: Pick<Ledger, 'credit'>
  readonly providers: ReadonlyMap<string, PaymentProvider>
  readonly schedule: Schedule
  readonly clock: () => number
}

/** Asks the provider about a payment, and does what follows. Throws `PaymentFault` if the provider gave no certain response. */
export function createPaymentCheck({ store, ledger, providers, schedule, clock }: PaymentCheckDeps) {
  const providerOf = ({ method }: PaymentRow): PaymentProvider => {
    const provider = providers.get(method)
    if (!provider) throw new PaymentFault(`the method ${method} is not configured`)
    return provider
  }

  /** Credits it through the ledger, which adds at most one lot for the order. */
  async function credit(row: PaymentRow, paid: PaidThere): Promise<Verdict> {
    const { paymentId, orderId, projectId, method, credits } = row
    if (row.state === 'paid') return repeated(row, paid)
    const note = reviewNote(row, paid, clock())
    // Only an operator ends a review: what was refunded by hand since may not show in what the provider says now.
    if (note !== null || row.state === 'review') return uncredited(row, paid, note ?? paidNote(paid))
    const { transactionId, paidAt } = paid
    const reference = `${method}:${transactionId}`
    const payment = { paymentId, transactionId, reference, paidAt, credits, isLate: isEnded(row) }
    try {
      const result = await ledger.credit({
        type: 'credit',
        orderId,
        projectId,
        lotId: newId('lot'),
        payment,
        at: clock(),
      })
      if (result.kind === 'credited') return { kind: 'credited', isNew: true }
      const now = await store.payments.find(paymentId)
      if (now?.state === 'paid') return repeated(now, paid)
      // Another command of the batch credited it; the next query finds that.
      if (result.code === 'ORDER_CONFIRM_CONFLICT') throw new PaymentFault('the order is being credited')
      return uncredited(row, paid, paymentNote('ORDER_NOT_CREDITED', { code: result.code }))
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error
      return uncredited(row, paid, null)
    }
  }

  const { repeated, uncredited } = createRecorder(store, clock)

  const ended = (change: PaymentChange): Verdict => ({ kind: 'changed', nextQueryAt: null, change })

  /** Closes it, then checks for a last-moment payment. */
  async function closeAndQuery(row: PaymentRow): Promise<PaidThere | null> {
    const provider = providerOf(row)
    await provider.close(row.paymentId)
    const response = await provider.query(row.paymentId)
    return response.kind === 'paid' ? response : null
  }

  return async function checkPayment(row: PaymentRow): Promise<Verdict> {
    const provider = providerOf(row)
    const response = await provider.query(row.paymentId)
    if (response.kind === 'paid') return credit(row, response)
    const now = clock()
    switch (row.state) {
      case 'created':
      case 'waiting': {
        if (now >= row.expiresAt || (response.kind === 'closed' && row.state === 'waiting')) {
          const paid = response.kind === 'closed' ? null : await closeAndQuery(row)
          return paid ? credit(row, paid) : ended({ state: 'expired', failures: 0, clientAddress: null })
        }
        const change = row.state === 'waiting' ? {} : createdChange(await provider.create(row))
        const next = nextQueryAt(row, await scheduleFor(row, store, schedule), clock())
        return { kind: 'changed', nextQueryAt: next, change: { failures: 0, ...change } }
      }
      case 'cancelled': {
        // Without further queries, it was closed before.
        const paid = response.kind === 'closed' || row.queries > 0 ? null : await closeAndQuery(row)
        return paid ? credit(row, paid) : later(row, now)
      }
      default:
        return later(row, now)
    }
  }

  /** For a payment that has ended, but that a hint says was paid. */
  function later(row: PaymentRow, now: number): Verdict {
    const next = row.state === 'paid' || row.state === 'review' ? null : nextAfterHint(row.queries, schedule, now)
    return { kind: 'changed', nextQueryAt: next, change: { queries: row.queries + 1, failures: 0 } }
  }
}

const scheduleFor = async ({ projectId }: PaymentRow, { payments }: PaymentStore, schedule: Schedule) =>
  (await payments.hasPaid(projectId)) ? schedule : fewerQueries(schedule)

/** Records what was paid and is not credited. */
function createRecorder(store: PaymentStore, clock: () => number) {
  async function uncredited({ paymentId }: PaymentRow, paid: PaidThere, note: string | null): Promise<Verdict> {
    const kind = await store.uncredited.record(paymentId, paid, note, clock())
    if (kind === 'paid_twice') return { kind, transactionId: paid.transactionId }
    if (kind === 'failed') return { kind, note: paymentNote('TRANSACTION_CREDITED') }
    return kind === 'review' ? { kind, note: note ?? '' } : { kind }
  }
  return {
    uncredited,
    async repeated(row: PaymentRow, paid: PaidThere): Promise<Verdict> {
      if (row.transactionId === paid.transactionId) return { kind: 'credited', isNew: false }
      return uncredited(row, paid, null)
    },
  }
}

const paidNote = ({ amountFen, currency }: PaidThere) => paymentNote('PAID', { fen: String(amountFen), currency })

/** Too soon for a refund by hand. */
const soonMs = 10 * minuteMs

/** Why it cannot be credited as it was paid; null if it can. */
function reviewNote(row: PaymentRow, paid: PaidThere, now: number): string | null {
  const { amountFen, refundedFen } = paid
  const facts = { fen: String(amountFen), currency: paid.currency }
  if (refundedFen === null) return paymentNote('PAID_THEN_REFUNDED_UNKNOWN', facts)
  if (refundedFen !== undefined) {
    const left = { refundedFen: String(refundedFen), leftFen: String(amountFen - refundedFen) }
    return paymentNote('PAID_THEN_REFUNDED', { ...facts, ...left })
  }
  if (amountFen !== row.amountFen || paid.currency !== currency) return paidNote(paid)
  const isUncertain = paid.mayBeRefunded && isEnded(row) && now - paid.paidAt > soonMs
  return isUncertain ? paymentNote('PAID_AFTER_END', facts) : null
}

export type CheckPayment = ReturnType<typeof createPaymentCheck>

export const createdChange = (response: CreatedPayment): PaymentChange =>
  response.kind === 'refused'
    ? { state: 'failed', note: response.reason, clientAddress: null }
    : { state: 'waiting', qrText: response.qrText, redirectUrl: response.redirectUrl, clientAddress: null }

export const isEnded = ({ state }: Pick<PaymentRow, 'state'>): boolean =>
  state === 'expired' || state === 'cancelled' || state === 'failed'

/** The next attempt after a failure of the provider. */
export const afterFailure = (row: PaymentRow, schedule: Schedule, now: number) => ({
  nextQueryAt: retryAt(row.failures, schedule, now),
  change: { failures: row.failures + 1 },
})
