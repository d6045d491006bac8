import { newSortableId } from '../../../../base/ids.ts'
import { paymentNote } from '../../../../contract/payment-notes.ts'
import { creditsOfFen, currency as orderCurrency } from '../../../../contract/prices.ts'
import type { PaidThere } from '../../../../providers/payments/payment-provider.ts'
import { lockBalance } from '../../../../storage/balance-rows.ts'
import { claimQueue } from '../../../../storage/claim-queue.ts'
import type { Engine, Reader, Writer } from '../../../../storage/engine.ts'
import { type AddEvent, addEvent, writeWithEvents } from '../../../../storage/event-rows.ts'
import { integer, orNull, type RowOf, rowMapper, text } from '../../../../storage/row-mapper.ts'
import { placeholders } from '../../../../storage/sql-text.ts'
import { needsDecision, type PaymentRow, paymentRows } from './payments.ts'

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

const queue = claimQueue({ table: 'uncredited_payments', id: 'uncredited_id', dueAt: 'next_query_at' })
export const adoptUncredited = queue.adopt
const claimDue = queue.claim({
  candidates: `SELECT uncredited_id FROM uncredited_payments WHERE ${queue.isDue} ORDER BY next_query_at LIMIT $4`,
  set: 'claimed_by = $2, next_query_at = $3',
  returning: rows.list,
})

const ofPayment = (tx: Reader, paymentId: string) =>
  rows.all(tx, 'WHERE payment_id = $1 ORDER BY paid_at, uncredited_id LIMIT 100', [paymentId])

const hasLot = async (tx: Reader, method: string, transactionId: string): Promise<boolean> =>
  (await tx.get('SELECT 1 AS found FROM credit_lots WHERE reference = $1', [`${method}:${transactionId}`])) !==
  undefined

/** What is left to pay back. Null if it was refunded there by hand, and the provider does not say how much. */
export const leftOf = ({ amountFen, returnedFen }: Pick<UncreditedRow, 'amountFen' | 'returnedFen'>): number | null =>
  returnedFen === null ? null : Math.max(0, amountFen - returnedFen)

/** At least 1, for the limits of one operator. */
export const creditsFor = (amountFen: number): number => Math.max(1, Math.ceil(creditsOfFen(amountFen)))

type UncreditedDecision = Pick<UncreditedRow, 'decidedBy' | 'decidedAt' | 'reason' | 'refundId' | 'nextQueryAt'> & {
  readonly state: 'crediting' | 'refunding'
}

export const uncreditedReads = (tx: Reader) => ({
  uncreditedOf: (paymentId: string) => ofPayment(tx, paymentId),
  uncreditedById: (uncreditedId: string) => rows.get(tx, 'WHERE uncredited_id = $1', [uncreditedId]),
})

/** Money that is not credited, in the transaction of an operator action. */
export const uncreditedWrites = (tx: Reader & Writer) => ({
  paymentBy: (paymentId: string) => paymentRows.get(tx, 'WHERE payment_id = $1', [paymentId]),
  uncreditedBy: (refundId: string) => rows.get(tx, 'WHERE refund_id = $1', [refundId]),
  /** An operator found out what happened to a refund. False if it has ended. */
  endUnclear: async (row: UncreditedRow, to: 'refunded' | 'returned', at: number): Promise<boolean> =>
    to === 'refunded'
      ? markRefunded(tx, (event) => addEvent(tx, event), row, { providerRefundId: null, at })
      : (await reopen(tx, row, paymentNote('NOT_REFUNDED'))) === 1,
  decideUncredited: (uncreditedId: string, decision: UncreditedDecision) =>
    rows.update(tx, { ...decision, failures: 0, note: null }, "uncredited_id = $1 AND state = 'open'", [uncreditedId]),
  /** Without what was credited since, to this payment or to another. */
  openUncreditedOf: async ({ paymentId, method }: PaymentRow, until: number): Promise<UncreditedRow[]> => {
    const open: UncreditedRow[] = []
    for (const row of await ofPayment(tx, paymentId))
      if (row.state === 'open' && row.foundAt <= until && !(await hasLot(tx, method, row.transactionId))) open.push(row)
    return open
  },
  /** The order and its payment bring what was paid. Until it is credited, no other amount is. */
  setPaid: async ({ orderId, paymentId }: PaymentRow, amountFen: number) => {
    const credits = creditsOfFen(amountFen)
    await tx.run('UPDATE orders SET credit_amount = $2, cancelled_at = NULL WHERE order_id = $1', [orderId, credits])
    await paymentRows.update(tx, { amountFen, credits }, 'payment_id = $1', [paymentId])
  },
  /** The ledger credits it no more, whatever the provider says later. */
  stopOrder: ({ orderId }: PaymentRow, at: number) =>
    tx.run("UPDATE orders SET cancelled_at = $2 WHERE order_id = $1 AND state = 'pending'", [orderId, at]),
})

/** More than any project has; the payer's list shows those of its orders. */
const maxPerProject = 1000
const idsPerRead = 500

export type FoundMoney = Omit<PaidThere, 'kind'>
/** `known`: it was recorded before, or has been credited since; `failed`: it was credited to another payment. */
export type Recorded = 'review' | 'paid_twice' | 'known' | 'failed'

export const uncreditedTable = (engine: Engine, onEvents: () => void) => ({
  ofProject: (projectId: string) =>
    engine.read((tx) =>
      rows.all(tx, `WHERE project_id = $1 ORDER BY payment_id, paid_at, uncredited_id LIMIT ${maxPerProject}`, [
        projectId,
      ]),
    ),
  ofPayment: async (paymentId: string | null): Promise<readonly UncreditedRow[]> =>
    paymentId === null ? [] : engine.read((tx) => ofPayment(tx, paymentId)),
  find: (uncreditedId: string) => engine.read((tx) => rows.get(tx, 'WHERE uncredited_id = $1', [uncreditedId])),
  byRefund: (refundId: string) => engine.read((tx) => rows.get(tx, 'WHERE refund_id = $1', [refundId])),
  ofPayments: (ids: readonly string[]) =>
    engine.read(async (tx) => {
      const found: UncreditedRow[] = []
      for (let from = 0; from < ids.length; from += idsPerRead) {
        const some = ids.slice(from, from + idsPerRead)
        found.push(...(await rows.all(tx, `WHERE payment_id IN (${placeholders(some)}) ORDER BY uncredited_id`, some)))
      }
      return found
    }),
  ...uncreditedEnds(engine, onEvents),
  /** Records money that was received and is not credited, with its event. A payment that is not paid is in review then. */
  record: (paymentId: string, money: FoundMoney, note: string | null, at: number): Promise<Recorded> =>
    writeWithEvents(engine, onEvents, async (tx, add) => {
      const find = async () => (await paymentRows.get(tx, 'WHERE payment_id = $1', [paymentId]))!
      const { projectId, orderId, amountFen, method } = await find()
      // Serializes this with decisions, and with batches that credit the order.
      await lockBalance(tx, projectId)
      const payment = await find()
      const { transactionId, amountFen: paidFen, currency, paidAt, refundedFen = 0 } = money
      if (await hasLot(tx, method, transactionId)) return creditedBefore(tx, payment, transactionId, at)
      const added = await rows.insert(
        tx,
        {
          ...{ uncreditedId: newSortableId('unc', at), paymentId, projectId, transactionId, amountFen: paidFen },
          ...{ currency, returnedFen: refundedFen, paidAt, foundAt: at, state: 'open' as const, note, failures: 0 },
        },
        'ON CONFLICT (payment_id, transaction_id) DO NOTHING',
      )
      if (added === 0) return 'known'
      const paid = { paymentId, orderId, paidFen, ...foreign(currency) }
      if (payment.state === 'paid') {
        await add({ type: 'payment.paid_twice', at, projectId, data: paid })
        return 'paid_twice'
      }
      await paymentRows.update(tx, inReview(note, money), 'payment_id = $1', [paymentId])
      await add({ type: 'payment.in_review', at, projectId, data: { ...paid, amountFen } })
      return 'review'
    }),
})

/** Nothing of a transaction is open that was credited: most often to this payment, otherwise to another one. */
async function creditedBefore(
  tx: Writer,
  { paymentId, state, transactionId: own }: PaymentRow,
  transactionId: string,
  at: number,
): Promise<Recorded> {
  const isOpen = "payment_id = $1 AND transaction_id = $2 AND state IN ('open', 'crediting')"
  await rows.update(tx, { ...done, state: 'credited', endedAt: at }, isOpen, [paymentId, transactionId])
  if (state === 'paid' || state === 'failed' || (state === 'review' && own !== transactionId)) return 'known'
  const failed = {
    state: 'failed',
    note: paymentNote('TRANSACTION_CREDITED'),
    clientAddress: null,
    failures: 0,
  } as const
  await paymentRows.update(tx, { ...failed, nextQueryAt: null, claimedBy: null }, 'payment_id = $1', [paymentId])
  return 'failed'
}

/** Events name a currency only if it is not that of the orders. */
const foreign = (paidCurrency: string) => (paidCurrency === orderCurrency ? {} : { paidCurrency })

const inReview = (note: string | null, { transactionId, paidAt }: FoundMoney): Partial<PaymentRow> => ({
  ...{ state: 'review', note, transactionId, paidAt },
  ...{ clientAddress: null, nextQueryAt: null, claimedBy: null, failures: 0 },
})

/** Carries out what an operator decided. Each change is made once: it depends on the state before. */
const uncreditedEnds = (engine: Engine, onEvents: () => void) => ({
  hasDue: (now: number) => engine.read((tx) => queue.hasDue(tx, now)),
  claim: (by: string, now: number, until: number, limit: number): Promise<UncreditedRow[]> =>
    engine.write((tx) => tx.all<UncreditedRow>(claimDue, [now, by, until, limit])),
  /** It was paid back: its payment has ended, and the payer is notified. False if that was recorded before. */
  refunded: (row: UncreditedRow, providerRefundId: string | null, at: number) =>
    writeWithEvents(engine, onEvents, (tx, add) => markRefunded(tx, add, row, { providerRefundId, at })),
  /** The outcome was not reached: an operator decides again. */
  reopen: (row: UncreditedRow, note: string) => engine.write((tx) => reopen(tx, row, note)),
  unclear: (row: UncreditedRow, note: string) =>
    engine.write((tx) =>
      rows.update(tx, { ...done, state: 'review', note }, `${isDecided} AND state = 'refunding'`, decisionOf(row)),
    ),
  later: (row: UncreditedRow, change: Pick<UncreditedRow, 'nextQueryAt' | 'failures' | 'note'>) =>
    engine.write((tx) =>
      rows.update(
        tx,
        { ...change, claimedBy: null },
        `${isDecided} AND state IN ('crediting', 'refunding')`,
        decisionOf(row),
      ),
    ),
  countOpen: () => count(engine, `SELECT COUNT(*) AS count FROM payments p WHERE ${needsDecision}`),
  countUnclear: () => count(engine, `SELECT COUNT(*) AS count FROM uncredited_payments WHERE state = 'review'`),
})

const done = { nextQueryAt: null, claimedBy: null } as const
const isRefunding = `(state = 'refunding' OR state = 'review')`

/** A slower end of an earlier decision, which was reopened since, changes nothing of the next one. */
const isDecided = `uncredited_id = $1 AND COALESCE(refund_id, '') = $2`
const decisionOf = ({ uncreditedId, refundId }: UncreditedRow) => [uncreditedId, refundId ?? '']

async function markRefunded(
  tx: Writer,
  add: AddEvent,
  row: UncreditedRow,
  { providerRefundId, at }: { readonly providerRefundId: string | null; readonly at: number },
): Promise<boolean> {
  const { paymentId, projectId } = row
  await tx.run('UPDATE payments SET state = state WHERE payment_id = $1', [paymentId])
  const change = { ...done, state: 'refunded', endedAt: at, providerRefundId } as const
  if ((await rows.update(tx, change, `${isDecided} AND ${isRefunding}`, decisionOf(row))) === 0) return false
  const payment = (await paymentRows.get(tx, 'WHERE payment_id = $1', [paymentId]))!
  if (payment.state === 'review' && payment.transactionId === row.transactionId)
    await paymentRows.update(tx, { state: 'failed', note: paymentNote('REFUNDED') }, 'payment_id = $1', [paymentId])
  const { orderId } = payment
  const data = { paymentId, orderId, refundedFen: leftOf(row) || row.amountFen, ...foreign(row.currency) }
  await add({ type: 'payment.refunded', at, projectId, data })
  return true
}

const reopen = (tx: Writer, row: UncreditedRow, note: string) =>
  rows.update(
    tx,
    { ...done, state: 'open', note, decidedBy: null, decidedAt: null, reason: null, refundId: null, failures: 0 },
    `${isDecided} AND (state = 'crediting' OR ${isRefunding})`,
    decisionOf(row),
  )

const count = (engine: Engine, sql: string) => engine.read(async (tx) => (await tx.get<{ count: number }>(sql))!.count)
