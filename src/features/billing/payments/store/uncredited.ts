import { newSortableId } from '../../../../base/ids.ts'
import type { PaidThere } from '../../../../providers/payments/payment-provider.ts'
import type { Engine } from '../../../../storage/engine.ts'
import { writeWithEvents } from '../../../../storage/event-rows.ts'
import { integer, orNull, type RowOf, rowMapper, text } from '../../../../storage/row-mapper.ts'
import { type PaymentRow, paymentRows } from './payments.ts'

export type UncreditedState = 'open' | 'crediting' | 'credited' | 'refunding' | 'refunded' | 'review'

const rows = rowMapper('uncredited_payments', {
  uncreditedId: text(),
  paymentId: text(),
  projectId: text(),
  transactionId: text(),
  amountFen: integer(),
  currency: text(),
  /** Paid back at the provider by hand; null if it does not say how much. */
  returnedFen: orNull(integer()),
  paidAt: integer(),
  foundAt: integer(),
  state: text<UncreditedState>(),
  note: orNull(text()),
  decidedBy: orNull(text()),
  decidedAt: orNull(integer()),
  reason: orNull(text()),
  refundId: orNull(text()),
  providerRefundId: orNull(text()),
  endedAt: orNull(integer()),
  failures: integer(),
  nextQueryAt: orNull(integer()),
  claimedBy: orNull(text()),
})
export type UncreditedRow = RowOf<typeof rows.columns>

/** More than any project has; the payer's list shows those of its orders. */
const maxPerProject = 1000

export type FoundMoney = Omit<PaidThere, 'kind'>
/** `known`: it was recorded before, or has been credited since. */
export type Recorded = 'review' | 'paid_twice' | 'known'

export const uncreditedTable = (engine: Engine, onEvents: () => void) => ({
  ofProject: (projectId: string) =>
    engine.read((tx) =>
      rows.all(tx, `WHERE project_id = $1 ORDER BY payment_id, paid_at, uncredited_id LIMIT ${maxPerProject}`, [
        projectId,
      ]),
    ),
  ofPayment: async (paymentId: string | null): Promise<readonly UncreditedRow[]> =>
    paymentId === null
      ? []
      : engine.read((tx) =>
          rows.all(tx, 'WHERE payment_id = $1 ORDER BY paid_at, uncredited_id LIMIT 100', [paymentId]),
        ),
  /** Records money that was received and is not credited, with its event. A payment that is not paid is in review then. */
  record: (paymentId: string, money: FoundMoney, note: string | null, at: number): Promise<Recorded> =>
    writeWithEvents(engine, onEvents, async (tx, add) => {
      // Locks the payment, so that the ledger does not credit it at the same time.
      await tx.run('UPDATE payments SET state = state WHERE payment_id = $1', [paymentId])
      const payment = (await paymentRows.get(tx, 'WHERE payment_id = $1', [paymentId]))!
      const { transactionId, amountFen: paidFen, currency, paidAt, refundedFen = 0 } = money
      if (payment.state === 'paid' && payment.transactionId === transactionId) return 'known'
      const { projectId, orderId, amountFen } = payment
      const added = await rows.insert(
        tx,
        {
          ...{ uncreditedId: newSortableId('unc', at), paymentId, projectId, transactionId, amountFen: paidFen },
          ...{ currency, returnedFen: refundedFen, paidAt, foundAt: at, state: 'open' as const, note, failures: 0 },
        },
        'ON CONFLICT (payment_id, transaction_id) DO NOTHING',
      )
      if (added === 0) return 'known'
      if (payment.state === 'paid') {
        await add({ type: 'payment.paid_twice', at, projectId, data: { paymentId, orderId, paidFen } })
        return 'paid_twice'
      }
      await paymentRows.update(tx, inReview(note, money), 'payment_id = $1', [paymentId])
      await add({ type: 'payment.in_review', at, projectId, data: { paymentId, orderId, amountFen, paidFen } })
      return 'review'
    }),
})

const inReview = (note: string | null, { transactionId, paidAt }: FoundMoney): Partial<PaymentRow> => ({
  ...{ state: 'review', note, transactionId, paidAt },
  ...{ clientAddress: null, nextQueryAt: null, claimedBy: null, failures: 0 },
})
