import { dayOf, dayText } from '../../src/base/time.ts'
import {
  type BillLine,
  type PaidThere,
  PaymentFault,
  type PaymentProvider,
  type RefundResponse,
} from '../../src/providers/payments/payment-provider.ts'

interface Trade {
  readonly amountFen: number
  isClosed: boolean
  readonly paid: PaidThere[]
}

/** A payment provider in memory with its own records. `chance` decides about each lie; an honest one has a chance of 0. */
export class LyingProvider implements PaymentProvider {
  readonly trades = new Map<string, Trade>()
  /** `of` is the transaction that a refund names. */
  readonly refunds = new Map<string, BillLine & { readonly at: number; readonly of: string | null }>()
  readonly #clock: () => number
  readonly #random: () => number
  #transactions = 0
  readonly refusedRefunds = new Set<string>()
  chance = 0
  isDown = false
  /** What the last bill said wrong, by transaction. */
  readonly billLies = new Map<string, 'missing' | 'extra' | 'changed'>()
  refundResponse: RefundResponse | 'lost' | null = null
  /** Says nothing of what was refunded by hand, like Alipay; otherwise it does, like WeChat Pay. */
  hidesRefunds = false
  /** What was refunded by hand, by transaction; null if it does not say how much. */
  readonly byHand = new Map<string, number | null>()
  /** Called before and after each call; it throws where the gateway is killed. */
  onStep: () => void = () => {}

  constructor(clock: () => number, random: () => number) {
    this.#clock = clock
    this.#random = random
  }

  /** Somebody pays, whatever the state there: a late payment is still money. */
  pay(paymentId: string, amountFen: number, currency = 'CNY'): void {
    this.#transactions += 1
    const transactionId = `tx${this.#transactions}-${paymentId}`
    this.trades.get(paymentId)?.paid.push({ kind: 'paid', transactionId, amountFen, currency, paidAt: this.#clock() })
  }

  /** Refunds part of the last transaction of a payment, in the merchant platform. */
  refundByHand(paymentId: string, amountFen: number | null): void {
    const paid = this.trades.get(paymentId)?.paid.at(-1)
    if (paid) this.byHand.set(paid.transactionId, amountFen)
  }

  readonly create: PaymentProvider['create'] = async ({ paymentId, amountFen, display }) => {
    this.#begin()
    if (this.#lies(0.2)) return { kind: 'refused', reason: 'PARAM_ERROR' }
    if (!this.trades.has(paymentId)) this.trades.set(paymentId, { amountFen, isClosed: false, paid: [] })
    this.#end()
    const address = `https://pay.example/${paymentId}`
    return {
      kind: 'created',
      qrText: display === 'qr' ? address : null,
      redirectUrl: display === 'qr' ? null : address,
    }
  }

  readonly query: PaymentProvider['query'] = async (paymentId) => {
    this.#begin()
    const trade = this.trades.get(paymentId)
    this.#end()
    if (!trade || this.#lies(0.1)) return { kind: 'unknown' }
    const paid = trade.paid[Math.floor(this.#random() * trade.paid.length)]
    // Paid, then not paid, then paid.
    if (!paid || this.#lies(0.3)) return { kind: trade.isClosed ? 'closed' : 'waiting' }
    const refundedFen = this.byHand.get(paid.transactionId)
    if (this.hidesRefunds) return { ...paid, mayBeRefunded: true }
    return refundedFen === undefined ? paid : { ...paid, refundedFen }
  }

  readonly close: PaymentProvider['close'] = async (paymentId) => {
    this.#begin()
    const trade = this.trades.get(paymentId)
    // Succeeds although it was paid.
    if (trade) trade.isClosed = true
    this.#end()
  }

  /** What is left of a transaction. */
  leftOf(paymentId: string, transactionId: string): number {
    const paid = this.trades.get(paymentId)?.paid.find((one) => one.transactionId === transactionId)
    const back = [...this.refunds.values()].filter((one) => one.of === transactionId)
    const backFen = back.reduce((sum, { amountFen }) => sum + amountFen, this.byHand.get(transactionId) ?? 0)
    return (paid?.amountFen ?? 0) - backFen
  }

  readonly refund: PaymentProvider['refund'] = async ({ refundId, paymentId, transactionId: of = null, amountFen }) => {
    this.#begin()
    if (this.refundResponse === 'lost') throw new PaymentFault('the answer was lost')
    if (this.refundResponse) return this.refundResponse
    const isDone = this.refunds.has(refundId)
    const isBeyond = !isDone && of !== null && this.leftOf(paymentId, of) < amountFen
    // Once refused, it stays refused.
    if (this.refusedRefunds.has(refundId) || isBeyond || (!isDone && this.#lies(0.1))) {
      this.refusedRefunds.add(refundId)
      return { kind: 'refused', reason: 'NOT_ENOUGH' }
    }
    // It may be carried out before or after such a response.
    const vague = this.#lies(0.3) ? 'pending' : this.#lies(0.2) ? 'unclear' : null
    if (!isDone && (vague === null || this.#random() < 0.5)) {
      const line = { kind: 'refund', paymentId, refundId, transactionId: `r-${refundId}`, amountFen } as const
      this.refunds.set(refundId, { ...line, of, currency: 'CNY', at: this.#clock() })
    }
    this.#end()
    if (vague === 'unclear') return { kind: vague, reason: 'ABNORMAL' }
    return { kind: vague ?? 'refunded', providerRefundId: `r-${refundId}` }
  }

  readonly bill: PaymentProvider['bill'] = async (date) => {
    this.#begin()
    const isOfDay = (at: number) => dayText(dayOf(at)) === date
    const lines: BillLine[] = []
    for (const [paymentId, { paid }] of this.trades)
      for (const { transactionId, amountFen, currency, paidAt } of paid)
        if (isOfDay(paidAt))
          lines.push({ kind: 'payment', paymentId, transactionId, refundId: null, amountFen, currency })
    for (const { at, of: _, ...line } of this.refunds.values()) if (isOfDay(at)) lines.push(line)
    const reported = this.#lieAbout(lines)
    this.#end()
    return reported.length === 0 ? null : reported
  }

  /** Leaves lines out, changes them, and adds lines of payments that were not made. */
  #lieAbout(lines: readonly BillLine[]): BillLine[] {
    this.billLies.clear()
    const reported = lines.flatMap((line): BillLine[] => {
      if (line.kind === 'refund' || !this.#lies(0.4)) return [line]
      const isMissing = this.#random() < 0.5
      this.billLies.set(line.transactionId, isMissing ? 'missing' : 'changed')
      if (isMissing) return []
      return [this.#random() < 0.7 ? { ...line, amountFen: line.amountFen + 100 } : { ...line, currency: 'USD' }]
    })
    const known = [...this.trades.keys()]
    while (this.#lies(0.3)) {
      const transactionId = `never-${this.billLies.size}-${Math.floor(this.#random() * 1e9)}`
      const isKnown = this.#random() < 0.7 && known.length > 0
      const paymentId = isKnown ? known[Math.floor(this.#random() * known.length)]! : 'pay_nobody00000000000000'
      const amountFen = this.trades.get(paymentId)?.amountFen ?? 100
      this.billLies.set(transactionId, 'extra')
      reported.push({ kind: 'payment', paymentId, transactionId, refundId: null, amountFen, currency: 'CNY' })
    }
    return reported
  }

  readonly readCallback: PaymentProvider['readCallback'] = async ({ header, body }) => {
    if (header('signature') !== 'right') return null
    const [eventId = '', paymentId = ''] = Buffer.from(body).toString().split(' ')
    return { eventId, paymentId }
  }

  readonly callbackResponse: PaymentProvider['callbackResponse'] = (isAccepted) => ({
    contentType: 'text/plain',
    body: isAccepted ? 'success' : 'failure',
  })

  /** The request may be lost. */
  #begin(): void {
    this.onStep()
    if (this.isDown || this.#lies(0.3)) throw new PaymentFault('the provider is down')
  }

  /** It was carried out, and the response may be lost. */
  #end(): void {
    this.onStep()
    if (this.#lies(0.3)) throw new PaymentFault('the answer was lost')
  }

  #lies(share: number): boolean {
    return this.#random() < share * this.chance
  }
}
