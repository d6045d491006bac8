import { createPaymentStore } from '../../../src/features/billing/payments/store/store.ts'
import { Person } from '../actors.ts'
import { currentCode } from '../code.ts'
import { payingMethod } from '../payments.ts'
import { silentLogger } from '../silent-logger.ts'
import type { BeginLife, LifeScene } from './life.ts'

const rounds = 2
const amountFen = 1000
const expiryMs = 900_000
/** How soon a payment is credited once the database is back. */
const creditedSeconds = 60

/** Pays while the database is lost for a moment. */
class LastPayer extends Person {
  readonly #life: LifeScene

  constructor(scene: LifeScene) {
    super('last payer', scene)
    this.#life = scene
  }

  start(): void {
    this.begin(async () => {
      for (let round = 0; round < rounds; round += 1) await this.#pay(round)
    })
  }

  async #pay(round: number): Promise<void> {
    const { world, store, payments, projects } = this.#life
    const paymentId = await this.#create(world.random.pick(projects), round)
    payments.open(paymentId, amountFen)
    payments.pay(paymentId)
    await this.callback(paymentId, 'right')
    await this.pause(1, 900)
    store.isDown = true
    store.endSessions()
    await this.pause(200, 2000)
    store.isDown = false
    const stateOf = () =>
      store.db.get<{ state: string }>('SELECT state FROM payments WHERE payment_id = $1', [paymentId])!.state
    for (let seconds = 0; stateOf() !== 'paid'; seconds += 1) {
      if (seconds === creditedSeconds)
        return world.fail(`${paymentId} was paid, and is ${stateOf()} ${seconds} s after a loss of the database`)
      await this.pause(1000, 1000)
    }
    world.reach('payment: credited after a loss of the database')
  }

  async #create(projectId: string, round: number): Promise<string> {
    const engine = currentCode.openEngine(this.#life.store, this.process, silentLogger)
    const at = this.process.now()
    const payment = { projectId, amountFen, method: payingMethod, display: 'qr', clientAddress: null } as const
    const times = { at, expiresAt: at + expiryMs, nextQueryAt: at + expiryMs }
    const { payments } = createPaymentStore(engine)
    const created = await payments.insertOrFind({ ...payment, ...times, idempotencyDigest: `loss ${round}` }, 1000)
    return created!.row.paymentId
  }
}

/** Once all faults have healed, a loss of the database delays a paid payment by seconds. */
export const paymentsAfterLosses: BeginLife = (scene) => ({ last: new LastPayer(scene) })
