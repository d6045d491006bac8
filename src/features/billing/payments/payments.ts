import { isoOf, isoOrNull } from '../../../base/time.ts'
import { Refusal } from '../../../contract/errors.ts'
import { type Display, PaymentFault, type PaymentProvider } from '../../../providers/payments/payment-provider.ts'
import { pageOf } from '../../../storage/sql-text.ts'
import { createdChange } from './check-payment.ts'
import type { Payment, PaymentPage } from './contract.ts'
import { receivedOf } from './received.ts'
import type { Schedule } from './schedule.ts'
import type { ShownPaymentRow } from './store/payments.ts'
import type { PaymentStore } from './store/store.ts'
import type { UncreditedRow } from './store/uncredited.ts'

export interface PaymentsDeps {
  readonly store: PaymentStore
  readonly providers: ReadonlyMap<string, PaymentProvider>
  readonly schedule: Schedule & { readonly openPerProject: number }
  readonly clock: () => number
  /** Something may be due. */
  readonly wake: () => void
  readonly onFault: (paymentId: string, method: string, fault: PaymentFault) => void
}

interface CreateRequest {
  readonly projectId: string
  readonly amountFen: number
  readonly method: string
  readonly display: Display
  readonly idempotencyDigest: string
  readonly clientAddress: string
}

export type Payments = ReturnType<typeof createPayments>

export function createPayments({ store, providers, schedule, clock, wake, onFault }: PaymentsDeps) {
  async function require(projectId: string, paymentId: string): Promise<ShownPaymentRow> {
    const row = await store.payments.read(projectId, paymentId)
    if (!row) throw new Refusal('PAYMENT_NOT_FOUND')
    return row
  }

  /** The row is committed. Without a response it stays as it is, and the worker queries the provider. */
  async function createThere(row: ShownPaymentRow, provider: PaymentProvider): Promise<void> {
    try {
      await store.payments.created(row.paymentId, createdChange(await provider.create(row)))
    } catch (error) {
      if (!(error instanceof PaymentFault)) throw error
      onFault(row.paymentId, row.method, error)
    }
  }

  return {
    methods: [...providers.keys()],
    async create(request: CreateRequest): Promise<Payment> {
      const { amountFen, method, display } = request
      const provider = providers.get(method)
      if (!provider) throw new Refusal('PAYMENT_METHOD_INVALID')
      const stored = await store.payments.insertOrFind(newRow(request, schedule, clock()), schedule.openPerProject)
      if (!stored) throw new Refusal('TOO_MANY_OPEN_PAYMENTS')
      const { row, isNew } = stored
      // Not the payment's own amount, which an operator may have changed to what was paid.
      if (row.orderFen !== amountFen || row.method !== method || row.display !== display)
        throw new Refusal('IDEMPOTENCY_CONFLICT')
      if (isNew) await createThere(row, provider)
      const found = await require(row.projectId, row.paymentId)
      return publicPayment(found, !isNew)
    },
    async page(projectId: string, after: string | undefined, limit: number): Promise<PaymentPage> {
      const found = await store.payments.page(projectId, after ?? null, limit + 1)
      const { rows, next } = pageOf(found, limit, ({ paymentId }) => paymentId)
      return { items: rows.map((row) => publicPayment(row)), nextAfter: next }
    },
    read: async (projectId: string, paymentId: string) => publicPayment(await require(projectId, paymentId)),
    /** The payer says that it was paid: the provider is asked now. */
    async check(projectId: string, paymentId: string): Promise<Payment> {
      const row = await require(projectId, paymentId)
      if (row.state !== 'paid' && row.state !== 'review') {
        await store.payments.hint(paymentId, null)
        wake()
      }
      return publicPayment(row)
    },
    async cancel(projectId: string, paymentId: string): Promise<Payment> {
      if (await store.payments.cancel(projectId, paymentId, clock())) wake()
      const row = await require(projectId, paymentId)
      if (row.state === 'paid' || row.state === 'review') throw new Refusal('PAYMENT_NOT_CANCELLABLE')
      return publicPayment(row)
    },
  }
}

const newRow = (request: CreateRequest, schedule: Schedule, at: number) => ({
  ...request,
  clientAddress: request.display === 'redirect' ? request.clientAddress : null,
  at,
  expiresAt: at + schedule.expirySeconds * 1000,
  nextQueryAt: at + (schedule.queryAfterSeconds[0] ?? schedule.queryEverySeconds) * 1000,
})

export function publicPayment(row: ShownPaymentRow, idempotentReplay = false): Payment {
  const { paymentId, orderId, amountFen, orderFen, credits, method, display, state, qrText, redirectUrl } = row
  const { uncreditedFen, uncreditedCurrency } = row
  const own = uncreditedFen === null ? null : { amountFen: uncreditedFen, currency: uncreditedCurrency! }
  const { paidFen, paidCurrency } = receivedOf(row, own)
  return {
    ...{ paymentId, orderId, amountFen, orderFen, paidFen, paidCurrency, credits, method, display, state },
    ...{ qrText, redirectUrl },
    expiresAt: isoOf(row.expiresAt),
    createdAt: isoOf(row.createdAt),
    paidAt: isoOrNull(row.paidAt),
    creditedAt: isoOrNull(row.creditedAt),
    idempotentReplay,
  }
}

export function shownPayment(row: ShownPaymentRow) {
  const { idempotentReplay: _, ...payment } = publicPayment(row)
  return { ...payment, projectId: row.projectId, transactionId: row.transactionId, note: row.note }
}

/** With what was received and not credited, and what waits for a second operator. */
export async function operatedPayments(
  { uncredited, payments }: Pick<PaymentStore, 'uncredited' | 'payments'>,
  rows: readonly ShownPaymentRow[],
) {
  const ids = rows.map(({ paymentId }) => paymentId)
  const received = Map.groupBy(await uncredited.ofPayments(ids), ({ paymentId }) => paymentId)
  const approvals = new Map((await payments.pendingApprovals(ids)).map((row) => [row.paymentId, row.approvalId]))
  return rows.map((row) => ({
    ...shownPayment(row),
    uncredited: (received.get(row.paymentId) ?? []).slice(0, 100).map(shownUncredited),
    approvalId: approvals.get(row.paymentId) ?? null,
  }))
}

const shownUncredited = (row: UncreditedRow) => {
  const { transactionId, amountFen, currency, returnedFen, paidAt, state, note, refundId, decidedBy, reason } = row
  const facts = { transactionId, amountFen, currency, returnedFen, paidAt: isoOf(paidAt), state }
  return { ...facts, note, refundId, decidedBy, reason }
}
