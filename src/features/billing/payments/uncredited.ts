import { newId } from '../../../base/ids.ts'
import { paymentNote } from '../../../contract/payment-notes.ts'
import type { Ledger } from '../../../ledger/ledger.ts'
import { PaymentFault, type PaymentProvider } from '../../../providers/payments/payment-provider.ts'
import { UniqueViolation } from '../../../storage/engine.ts'
import type { RefundObserver } from './refunds.ts'
import { retryAt, type Schedule } from './schedule.ts'
import type { PaymentStore } from './store/store.ts'
import { leftOf, type UncreditedRow } from './store/uncredited.ts'

export interface UncreditedDeps {
  readonly store: PaymentStore
  readonly providers: ReadonlyMap<string, PaymentProvider>
  readonly ledger: Pick<Ledger, 'credit'>
  readonly schedule: Schedule
  readonly clock: () => number
  readonly observer?: Pick<RefundObserver, 'unclear'>
}

/** Carries out what an operator decided about money that was not credited. A repeat finds what was done before. */
export function createUncreditedEnder({ store, providers, ledger, schedule, clock, observer }: UncreditedDeps) {
  const { uncredited, payments } = store

  /** The ledger adds at most one lot for the order: if another transaction has been credited, this one is open again. */
  async function credit(row: UncreditedRow): Promise<void> {
    const { paymentId, projectId, transactionId, paidAt } = row
    const { orderId, method, credits } = (await payments.find(paymentId))!
    const reference = `${method}:${transactionId}`
    const payment = { paymentId, transactionId, reference, paidAt, credits, isLate: false }
    try {
      await ledger.credit({ type: 'credit', orderId, projectId, lotId: newId('lot'), payment, at: clock() })
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error
      return void (await uncredited.record(paymentId, row, null, clock()))
    }
    const now = (await payments.find(paymentId))!
    if (now.state !== 'paid') throw new PaymentFault('the order could not be credited')
    if (now.transactionId !== transactionId) await uncredited.reopen(row, paymentNote('ORDER_PAID'))
  }

  async function refund(row: UncreditedRow): Promise<void> {
    const { paymentId, transactionId, amountFen: totalFen, refundId, reason } = row
    const amountFen = leftOf(row)
    // Refunded at the provider by hand: there is nothing to ask for.
    if (!amountFen) return void (await uncredited.refunded(row, null, clock()))
    const provider = providers.get((await payments.find(paymentId))?.method ?? '')
    if (!provider) throw new PaymentFault('the method of the payment is not configured')
    const asked = { refundId: refundId!, paymentId, transactionId, amountFen, totalFen, reason: reason! }
    const response = await provider.refund(asked)
    if (response.kind === 'refunded') await uncredited.refunded(row, response.providerRefundId, clock())
    else if (response.kind === 'refused')
      await uncredited.reopen(row, paymentNote('REFUND_REFUSED', { reason: response.reason }))
    else if (response.kind === 'pending') throw new PaymentFault('the provider has not finished the refund')
    else if ((await uncredited.unclear(row, response.reason)) === 1)
      observer?.unclear({ refundId: refundId!, paymentId }, response.reason)
  }

  return async function carryOut(row: UncreditedRow): Promise<void> {
    try {
      if (row.state === 'crediting') await credit(row)
      else if (row.state === 'refunding') await refund(row)
    } catch (error) {
      if (!(error instanceof PaymentFault)) throw error
      const nextQueryAt = retryAt(row.failures, schedule, clock())
      const note = error.message.slice(0, 200)
      await uncredited.later(row, { nextQueryAt, failures: row.failures + 1, note })
    }
  }
}

export type UncreditedEnder = ReturnType<typeof createUncreditedEnder>
