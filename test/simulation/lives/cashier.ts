import { Refusal } from '../../../src/contract/errors.ts'
import { endPayment, type PaymentOutcome } from '../../../src/features/billing/payments/operator/end-payment.ts'
import { decideUncredited } from '../../../src/features/billing/payments/operator/unclear-refunds.ts'
import { createPaymentTools, type PaymentTools } from '../../../src/features/billing/payments/tools.ts'
import { createLedger, type Ledger } from '../../../src/ledger/ledger.ts'
import { createBatchStore } from '../../../src/storage/batch-store.ts'
import type { OpenedEngine } from '../../../src/storage/open-store.ts'
import { Person } from '../actors.ts'
import { currentCode } from '../code.ts'
import { createLyingPayments, payingMethod } from '../payments.ts'
import { silentLogger } from '../silent-logger.ts'
import type { LifeScene } from './life.ts'

interface OpenMoney {
  readonly paymentId: string
  readonly transactionId: string
  readonly amountFen: number
  readonly currency: string
}

const reason = 'looked there'

/** An operator at the console, which carries out at once what a worker carries out too; and in the merchant platform. */
export class Cashier extends Person {
  readonly #life: LifeScene
  readonly #engine: OpenedEngine
  readonly #ledger: Ledger
  readonly #tools: PaymentTools

  constructor(name: string, scene: LifeScene) {
    super(name, scene)
    this.#life = scene
    const { world, plan, payments, store, template } = scene
    this.#engine = currentCode.openEngine(store, this.process, silentLogger)
    this.#ledger = createLedger({ store: createBatchStore(this.#engine) })
    this.#tools = createPaymentTools(
      { config: template.config, engine: this.#engine, ledger: this.#ledger, clock: this.process.now },
      new Map([[payingMethod, createLyingPayments(world, plan, payments, this.process)]]),
    )
  }

  start(): void {
    const { plan, world } = this.#life
    this.begin(async () => {
      for (let turn = 0; turn < 15 && plan.isOn('operators'); turn += 1) {
        await this.pause(500, 8000)
        // The store may fail, and someone else may be faster: the next turn looks again.
        await this.#turn().catch((error) => {
          if (!(error instanceof Refusal)) world.trace(`${this.name}: ${error}`)
        })
      }
    })
  }

  #turn(): Promise<unknown> {
    const turns = [this.#end, this.#end, this.#refundByHand, this.#proceed, this.#decide]
    return this.#life.world.random.pick(turns).call(this)
  }

  /** Ends money that was not credited; perhaps twice at once, in both ways. */
  async #end(): Promise<void> {
    const { world, payments } = this.#life
    const open = this.#open()
    if (!open) return
    const { paymentId, transactionId, amountFen, currency } = open
    const isCreditable = currency === 'CNY' && payments.leftOf(paymentId, transactionId) === amountFen
    const outcomes: readonly PaymentOutcome[] = isCreditable ? ['credit', 'refund'] : ['refund']
    const ends = world.random.chance(0.3) ? [1, 2] : [1]
    await Promise.allSettled(ends.map(() => this.#endAs(paymentId, world.random.pick(outcomes))))
  }

  async #endAs(paymentId: string, outcome: PaymentOutcome): Promise<void> {
    const { uncredited } = this.#tools.store
    const { decided } = await endPayment(this.#operating, this.#actor, { paymentId, outcome, reason })
    this.#life.world.reach(`operator: ended a payment with a ${outcome}`)
    for (const id of decided) await this.#tools.carryOut((await uncredited.find(id))!)
  }

  /** Refunds part of what is in review; the provider sends a callback about it. */
  async #refundByHand(): Promise<void> {
    const { world, payments } = this.#life
    const open = this.#open()
    if (!open || payments.byHand.has(open.transactionId)) return
    const { paymentId, transactionId } = open
    const leftFen = payments.leftOf(paymentId, transactionId)
    if (leftFen < 20) return
    payments.byHand.set(transactionId, 10 * world.random.between(1, leftFen / 10 - 1))
    world.reach('payment: refunded by hand')
    await this.callback(paymentId, 'right')
  }

  /** Asks for refunds that a worker may be asking for too. */
  async #proceed(): Promise<void> {
    const select = `SELECT refund_id AS "refundId" FROM payment_refunds WHERE state IN ('held', 'pending')
      ORDER BY refund_id DESC LIMIT 3`
    for (const { refundId } of this.#life.store.db.all<{ refundId: string }>(select)) {
      this.#life.world.reach('operator: asked for a refund alongside a worker')
      await this.#tools.proceed((await this.#tools.store.refunds.find(refundId))!)
    }
  }

  /** Ends refunds of such money that are in review, as the provider's own records say. */
  async #decide(): Promise<void> {
    const { world, payments, store } = this.#life
    const select = `SELECT refund_id AS "refundId" FROM uncredited_payments WHERE state = 'review' ORDER BY refund_id LIMIT 3`
    for (const { refundId } of store.db.all<{ refundId: string }>(select)) {
      const to = payments.refunds.has(refundId) ? 'refunded' : 'returned'
      if (to === 'returned' && !payments.lookedAt.has(refundId)) payments.lookedAt.set(refundId, world.time)
      await decideUncredited(this.#operating, this.#actor, { refundId, to, reason })
    }
  }

  #open(): OpenMoney | undefined {
    const { store, world } = this.#life
    const rows = store.db.all<OpenMoney>(
      `SELECT payment_id AS "paymentId", transaction_id AS "transactionId", amount_fen AS "amountFen", currency
      FROM uncredited_payments WHERE state = 'open' ORDER BY uncredited_id LIMIT 20`,
    )
    return rows.length === 0 ? undefined : world.random.pick(rows)
  }

  get #actor() {
    return { name: this.name, via: 'web' } as const
  }

  get #operating() {
    const { process } = this
    return { engine: this.#engine, ledger: this.#ledger, approvalAboveCredits: null, clock: process.now }
  }
}
