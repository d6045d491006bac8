import { dayOf, dayText } from '../../src/base/time.ts'
import {
  type BillLine,
  type PaidThere,
  PaymentFault,
  type PaymentProvider,
  type RefundResponse,
} from '../../src/providers/payments/payment-provider.ts'
import type { SimulatedTransaction } from '../../src/providers/payments/simulated.ts'
import type { Plan } from './plan.ts'
import type { SimulatedStore } from './store.ts'
import type { Process, World } from './world.ts'

export const payingMethod = 'lying'

interface Trade {
  readonly amountFen: number
  isClosed: boolean
  readonly paid: PaidThere[]
}

interface PaidBack {
  readonly paymentId: string
  /** The one that it names; null if it is of the credited one. */
  readonly transactionId: string | null
  readonly amountFen: number
  /** In the time of the world. */
  readonly at: number
}

/** The payment provider's own records: what was really paid, and paid back. */
export class ProviderRecords {
  readonly trades = new Map<string, Trade>()
  readonly refunds = new Map<string, PaidBack>()
  readonly refusedRefunds = new Set<string>()
  /** Whether it says nothing of what was refunded by hand, like Alipay. */
  readonly hidesRefunds: boolean
  /** What was refunded by hand, by transaction. */
  readonly byHand = new Map<string, number>()
  /** When an operator looked here first and did not find a refund in review. */
  readonly lookedAt = new Map<string, number>()
  readonly #world: World
  #transactions = 0

  constructor(world: World) {
    this.#world = world
    this.hidesRefunds = world.random.chance(0.5)
  }

  /** What a query says about a transaction. */
  reported(paid: PaidThere): PaidThere {
    const refundedFen = this.byHand.get(paid.transactionId)
    if (this.hidesRefunds) return { ...paid, mayBeRefunded: true }
    return refundedFen === undefined ? paid : { ...paid, refundedFen }
  }

  /** What is left of a transaction; 0 if there is none. */
  leftOf(paymentId: string, transactionId: string): number {
    const paid = this.trades.get(paymentId)?.paid.find((one) => one.transactionId === transactionId)
    const backFen = [...this.refunds.values()]
      .filter((one) => one.transactionId === transactionId)
      .reduce((sum, { amountFen }) => sum + amountFen, 0)
    return (paid?.amountFen ?? 0) - backFen - (this.byHand.get(transactionId) ?? 0)
  }

  /** Pays, whatever the state at the provider. */
  pay(paymentId: string, more: Partial<Pick<SimulatedTransaction, 'amountFen' | 'currency'>> = {}): boolean {
    const trade = this.trades.get(paymentId)
    if (!trade) return false
    this.#transactions += 1
    const { amountFen = trade.amountFen, currency = 'CNY' } = more
    const paidAt = this.#world.outside.now()
    if (trade.isClosed) this.#world.reach('payment: paid after its end')
    if (trade.paid.length > 0) this.#world.reach('payment: paid twice')
    trade.paid.push({ kind: 'paid', transactionId: `tx${this.#transactions}`, amountFen, currency, paidAt })
    this.#world.trace(`${paymentId} is paid there: ${amountFen} ${currency}`)
    return true
  }

  /** Opens a trade unless it is there. */
  open(paymentId: string, amountFen: number): void {
    if (!this.trades.has(paymentId)) this.trades.set(paymentId, { amountFen, isClosed: false, paid: [] })
  }

  /** Pays back once for each refund. */
  payBack(refundId: string, { paymentId, transactionId, amountFen }: Omit<PaidBack, 'at'>): void {
    if (this.refunds.has(refundId)) return
    this.refunds.set(refundId, { paymentId, transactionId, amountFen, at: this.#world.time })
    this.#world.trace(`${refundId} is paid back there: ${amountFen}`)
  }
}

/** The provider as one gateway reaches it: requests and responses get lost, and what it says may be wrong while its fault is on. */
export function createLyingPayments(
  world: World,
  plan: Plan,
  records: ProviderRecords,
  owner: Process,
): PaymentProvider {
  const lies = (what: string, share = plan.providerFaultShare) => {
    const isLie = plan.isOn('payment-lies') && world.random.chance(share)
    if (isLie) world.reach(`payment: ${what}`)
    return isLie
  }
  async function exchange<T>(work: () => T): Promise<T> {
    await world.sleep(world.random.between(1, 400), owner, 'to the payment provider')
    if (lies('lost the request')) throw new PaymentFault('no connection')
    const result = work()
    await world.sleep(world.random.between(1, 400), owner, 'from the payment provider')
    if (lies('lost the answer')) throw new PaymentFault('no answer')
    return result
  }
  return {
    create: ({ paymentId, amountFen }) =>
      exchange(() => {
        if (lies('refused', 0.05)) return { kind: 'refused', reason: 'PARAM_ERROR' }
        records.open(paymentId, amountFen)
        return { kind: 'created', qrText: `https://pay.example/${paymentId}`, redirectUrl: null }
      }),
    query: (paymentId) =>
      exchange(() => {
        const trade = records.trades.get(paymentId)
        if (!trade) return { kind: 'unknown' }
        if (trade.paid.length > 0 && !lies('said that nothing was paid'))
          return records.reported(world.random.pick(trade.paid))
        return { kind: trade.isClosed ? 'closed' : 'waiting' }
      }),
    close: (paymentId) =>
      exchange(() => {
        const trade = records.trades.get(paymentId)
        if (!trade) return
        if (!trade.isClosed && trade.paid.length === 0 && world.random.chance(0.3)) {
          world.reach('payment: paid between query and close')
          records.pay(paymentId)
        }
        if (!lies('closed without closing')) trade.isClosed = true
      }),
    refund: ({ refundId, transactionId = null, ...refund }) =>
      exchange((): RefundResponse => {
        const isDone = records.refunds.has(refundId)
        const isBeyond =
          !isDone && transactionId !== null && records.leftOf(refund.paymentId, transactionId) < refund.amountFen
        // Once refused, it stays refused.
        if (records.refusedRefunds.has(refundId) || isBeyond || (!isDone && lies('refused a refund', 0.1))) {
          records.refusedRefunds.add(refundId)
          return { kind: 'refused', reason: 'NOT_ENOUGH' }
        }
        const isPending = lies('is slow with a refund', 0.3)
        const isUnclear = !isPending && lies('does not say how a refund ended', 0.4)
        // Such a response may come before the refund is carried out, or after.
        if (!(isPending || isUnclear) || world.random.chance(0.5))
          records.payBack(refundId, { ...refund, transactionId })
        if (isUnclear) return { kind: 'unclear', reason: 'ABNORMAL' }
        return { kind: isPending ? 'pending' : 'refunded', providerRefundId: refundId }
      }),
    bill: (date) =>
      exchange(() => {
        const lines = [...records.trades].flatMap(([paymentId, { paid }]): BillLine[] =>
          paid
            .filter(({ paidAt }) => dayText(dayOf(paidAt)) === date)
            .map(({ transactionId, amountFen, currency }) => ({
              ...{ kind: 'payment' as const, paymentId, transactionId, refundId: null, amountFen, currency },
            })),
        )
        for (const [refundId, { paymentId, amountFen, at }] of records.refunds)
          if (dayText(dayOf(world.epoch + at)) === date)
            lines.push({ kind: 'refund', paymentId, transactionId: refundId, refundId, amountFen, currency: 'CNY' })
        return lines.length === 0 ? null : lines
      }),
    readCallback: async ({ header, body }) => {
      if (header('x-signature') !== 'right') return null
      return JSON.parse(Buffer.from(body).toString('utf8'))
    },
    callbackResponse: (isAccepted) => ({ contentType: 'text/plain', body: isAccepted ? 'success' : 'failure' }),
  }
}

interface StoredPayment {
  readonly paymentId: string
  readonly state: string
  readonly amountFen: number
  readonly transactionId: string | null
}

/** Credits here are the payments of the provider's own records, each exactly once. That each has one lot, `reconcile` proves (I9). */
export function comparePayments(
  world: World,
  { db }: Pick<SimulatedStore, 'db'>,
  records: ProviderRecords,
  hasLostCommits: boolean,
): void {
  const rows = db.all<StoredPayment>(
    `SELECT payment_id AS "paymentId", state, amount_fen AS "amountFen", transaction_id AS "transactionId" FROM payments
    WHERE method = $1`,
    [payingMethod],
  )
  const known = new Map(rows.map((row) => [row.paymentId, row]))
  for (const [paymentId, { paid }] of records.trades) {
    const row = known.get(paymentId)
    // A payment is on disk before its provider hears of it.
    if (!row && !hasLostCommits) world.fail(`the payment ${paymentId} is at its provider and not here`)
    if (!row || paid.length === 0) continue
    const right = paid.filter(({ amountFen, currency }) => amountFen === row.amountFen && currency === 'CNY')
    const isCredited = right.some(({ transactionId }) => transactionId === row.transactionId) && row.state === 'paid'
    if (isCredited) world.reach('payment: credited')
    // One that was found late may have been refunded by hand.
    const mayBeRefunded = records.hidesRefunds || paid.some(({ transactionId }) => records.byHand.has(transactionId))
    const isReviewed = row.state === 'review' && (right.length < paid.length || mayBeRefunded)
    if (!isCredited && !isReviewed && !hasDecision(db, paymentId))
      world.fail(`the payment ${paymentId} was paid there and is ${row.state} here`)
  }
  for (const { paymentId, state } of rows)
    if (state === 'paid' && (records.trades.get(paymentId)?.paid.length ?? 0) === 0)
      world.fail(`the payment ${paymentId} is credited and was never paid`)
}

/** Whether operators have ended money of it, or are to. */
const hasDecision = (db: SimulatedStore['db'], paymentId: string): boolean =>
  db.get(
    `SELECT 1 AS found FROM uncredited_payments u JOIN payments p ON p.payment_id = u.payment_id
    WHERE p.payment_id = $1 AND (u.state = 'refunded' OR p.state = 'review')`,
    [paymentId],
  ) !== undefined

interface StoredRefund {
  readonly refundId: string
  readonly state: string
  readonly amountFen: number
}

/** What was paid back there is gone here, and what was not is not, each exactly once. That each has its entries, `reconcile` proves. */
export function compareRefunds(
  world: World,
  { db }: Pick<SimulatedStore, 'db'>,
  records: ProviderRecords,
  hasLostCommits: boolean,
): void {
  // What an operator decided may be lost, and what was held.
  if (hasLostCommits) return
  const rows = db.all<StoredRefund>(
    `SELECT refund_id AS "refundId", state, amount_fen AS "amountFen" FROM payment_refunds`,
  )
  for (const { refundId, state, amountFen } of rows) {
    const there = records.refunds.get(refundId)
    world.reach(`refund: ${state}`)
    if (there && there.amountFen !== amountFen) world.fail(`the refund ${refundId} has another amount there`)
    if (state === 'refunded' && !there) world.fail(`the refund ${refundId} is gone here and was never paid back`)
    // A gateway that was frozen may ask the provider after an operator has looked there.
    const isLater = (there?.at ?? 0) > (records.lookedAt.get(refundId) ?? Number.POSITIVE_INFINITY)
    if ((state === 'returned' || state === 'waiting') && there && !isLater)
      world.fail(`the refund ${refundId} was paid back there and is ${state} here`)
  }
  const known = new Set(rows.map(({ refundId }) => refundId))
  for (const [refundId, { transactionId }] of records.refunds)
    if (transactionId === null && !known.has(refundId))
      world.fail(`the refund ${refundId} is at its provider and not here`)
}
