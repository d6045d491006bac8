import type { Config } from '../../src/config/config.ts'
import { Refusal } from '../../src/contract/errors.ts'
import type { Actor } from '../../src/operator-kit/actor.ts'
import type { Administration } from '../../testkit/store/administration.ts'
import type { Scene } from './actors.ts'
import { type Code, currentCode } from './code.ts'
import { silentLogger } from './silent-logger.ts'
import type { SimulatedStore } from './store.ts'
import type { Payer } from './template.ts'
import { Process } from './world.ts'

interface OperatorDeps {
  readonly config: Config
  readonly payers: readonly Payer[]
  readonly code?: Code
}

/** Decides reviews, grants twice, refunds and suspends, on a connection of its own, as the command line does. */
export class Operator {
  readonly process: Process
  readonly #scene: Scene
  readonly #store: SimulatedStore
  readonly #projects: readonly string[]
  readonly #accounts: readonly string[]
  readonly #act: Administration
  isStarted = false
  isDone = false

  constructor(name: string, scene: Scene, store: SimulatedStore, { config, payers, code = currentCode }: OperatorDeps) {
    this.#scene = scene
    this.#store = store
    this.#projects = payers.map(({ projectId }) => projectId)
    this.#accounts = payers.map(({ accountId }) => accountId)
    this.process = new Process(name, scene.world)
    const engine = code.openEngine(store, this.process, silentLogger)
    this.#act = code.administrate(engine, config, this.process.now)
  }

  get name(): string {
    return this.process.name
  }

  start(): void {
    this.isStarted = true
    const { world, plan } = this.#scene
    world.schedule(world.random.between(0, 5000), this.process, 'begin', () => {
      const work = async () => {
        for (let turn = 0; turn < 12 && plan.isOn('operators'); turn += 1) {
          await world.sleep(world.random.between(500, 10_000), this.process, 'pause')
          // The store may fail him, and another operator may be faster: he looks again later.
          await this.#turn().catch((error) => {
            if (!(error instanceof Refusal)) world.trace(`operator: ${error}`)
          })
        }
      }
      void work().then(() => {
        this.isDone = true
      })
    })
  }

  async #turn(): Promise<void> {
    const { world } = this.#scene
    const { random } = world
    const actor = { name: this.process.name, via: 'command line' } as const
    const turns = [
      'review',
      'review',
      'review',
      'credits',
      'credits',
      'suspend',
      'refund',
      'refund',
      'refunds',
    ] as const
    switch (random.pick(turns)) {
      case 'refund':
        for (const _ of [1, 2, 3]) await this.#refund(actor)
        return
      case 'refunds':
        return this.#endRefunds(actor)
      case 'review': {
        const { rows } = await this.#act.listReviews({ after: '', limit: 5 })
        const review = rows[0]
        if (!review) return
        const to = random.pick(['settled', 'released'] as const)
        const decision = { chargeId: review.chargeId, to, reason: 'looked at it' }
        world.reach(`operator: ${to} a review`)
        await Promise.allSettled([
          this.#act.decideReview(actor, decision),
          ...(random.chance(0.5) ? [this.#act.decideReview(actor, decision)] : []),
        ])
        return
      }
      case 'credits': {
        const grant = {
          kind: random.pick(['grant', 'grant', 'withdraw'] as const),
          projectId: random.pick(this.#projects),
          credits: random.between(1, 50),
          reference: `transfer ${random.between(1, 6)}`,
          reason: 'a bank transfer',
          again: true,
        }
        world.reach(`operator: ${grant.kind}`)
        await Promise.allSettled([this.#act.moveCredits(actor, grant), this.#act.moveCredits(actor, grant)])
        return
      }
      case 'suspend': {
        const account = random.pick(this.#accounts)
        const suspension = { accountId: account, reason: 'a complaint' }
        world.reach('operator: suspended an account')
        await this.#act.suspendAccount(actor, suspension)
        await world.sleep(random.between(100, 5000), this.process, 'pause')
        await this.#act.reinstateAccount(actor, suspension)
      }
    }
  }

  /** Refunds a part of something that was paid, perhaps twice at once. */
  async #refund(actor: Actor): Promise<void> {
    const { world, payments } = this.#scene
    const { random } = world
    const paid = [...payments.trades].filter(([, trade]) => trade.paid.length > 0)
    if (paid.length === 0) return
    const [paymentId, { amountFen }] = random.pick(paid)
    const request = {
      ...{ paymentId, amountFen: 10 * random.between(1, amountFen / 10), reason: 'asked for it' },
      reference: `ticket ${random.between(1, 4)}`,
    }
    const asked = await Promise.allSettled([
      this.#act.refundPayment(actor, request),
      ...(random.chance(0.5) ? [this.#act.refundPayment(actor, request)] : []),
    ])
    if (asked.some(({ status }) => status === 'fulfilled')) world.reach('operator: asked for a refund')
  }

  /** Looks into the provider's own records, and ends the refunds in review as it says. */
  async #endRefunds(actor: Actor): Promise<void> {
    const { world, payments } = this.#scene
    const select = `SELECT refund_id AS "refundId" FROM payment_refunds WHERE state = 'review' ORDER BY refund_id LIMIT 5`
    for (const { refundId } of this.#store.db.all<{ refundId: string }>(select)) {
      const to = payments.refunds.has(refundId) ? 'refunded' : 'returned'
      if (to === 'returned' && !payments.lookedAt.has(refundId)) payments.lookedAt.set(refundId, world.time)
      const decision = { refundId, to, reason: 'looked there' } as const
      const decided = await Promise.allSettled([
        this.#act.decideRefund(actor, decision),
        ...(world.random.chance(0.5) ? [this.#act.decideRefund(actor, decision)] : []),
      ])
      if (decided.some(({ status }) => status === 'fulfilled')) world.reach(`operator: ended a refund as ${to}`)
    }
  }
}
