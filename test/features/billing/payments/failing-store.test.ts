import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { systemClock, useClock } from '../../../../src/base/clock.ts'
import type { WorkLoop } from '../../../../src/base/work-loop.ts'
import { StoreUnavailable } from '../../../../src/storage/engine.ts'
import { type PaymentWorld, paymentWorld } from '../../../../testkit/payments/world.ts'
import { createTestAdministration } from '../../../../testkit/store/administration.ts'
import { engines, freshStore, type Store } from '../../../../testkit/store/engines.ts'

const ada = { name: 'ada', via: 'web' } as const
const reason = 'looked there'

afterEach(() => useClock(systemClock))

/** The store, and when its writes are lost: before the commit, or after it. */
function breakable(store: Store) {
  const failing: { before: (write: number) => boolean; after: (write: number) => boolean } = {
    before: () => false,
    after: () => false,
  }
  let writes = 0
  const lost = () => new StoreUnavailable('the connection was lost')
  const write: Store['write'] = async (work) => {
    writes += 1
    const number = writes
    if (failing.before(number)) throw lost()
    const result = await store.write(work)
    if (failing.after(number)) throw lost()
    return result
  }
  const engine = new Proxy(store, {
    get(target, name) {
      if (name === 'write') return write
      const value = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return {
    engine,
    /** The claim is the first write from now on. */
    loseClaims: () => {
      const claim = writes + 1
      failing.after = (number) => number === claim
    },
    loseWhatFollows: () => {
      const claim = writes + 1
      failing.before = (number) => number > claim
    },
    heal: () => Object.assign(failing, { before: () => false, after: () => false }),
  }
}

async function allDue(worker: Pick<WorkLoop, 'wake' | 'idle'>): Promise<void> {
  worker.wake()
  await worker.idle()
}

/** A row that is due, who works on it, and what it is afterwards. */
const kinds = {
  async 'a payment'(world: PaymentWorld) {
    const { paymentId } = await world.create(5000)
    world.clock.now += 3000
    return async () => {
      await allDue(world.gateway.worker)
      world.provider.pay(paymentId, 5000)
      return (await world.store.payments.find(paymentId))!.state
    }
  },
  async 'a refund'(world: PaymentWorld) {
    const { paymentId } = await world.create(5000)
    world.provider.pay(paymentId, 5000)
    world.clock.now += 3000
    await world.work()
    const operate = createTestAdministration(world.rig, { clock: () => world.clock.now })
    const { refundId } = await operate.refundPayment(ada, { paymentId, amountFen: 100, reference: 'ticket', reason })
    world.provider.refundResponse = 'lost'
    return async () => {
      await allDue(world.gateway.refundWorker)
      world.provider.refundResponse = null
      return (await world.refunds.find(refundId))!.state
    }
  },
  async 'an end'(world: PaymentWorld) {
    const { paymentId } = await world.create(5000)
    world.provider.pay(paymentId, 3000)
    world.clock.now += 3000
    await world.work()
    const operate = createTestAdministration(world.rig, { clock: () => world.clock.now })
    await operate.endPayment(ada, { paymentId, outcome: 'refund', reason })
    world.provider.refundResponse = 'lost'
    return async () => {
      await allDue(world.gateway.endWorker)
      world.provider.refundResponse = null
      return (await world.store.uncredited.ofPayment(paymentId))[0]!.state
    }
  },
}
const outcomes = { 'a payment': 'paid', 'a refund': 'refunded', 'an end': 'refunded' } as const

describe.each(engines)('after a loss of the database on %s', (kind) => {
  test.each(
    (['a payment', 'a refund', 'an end'] as const).flatMap((name) => [
      { name, what: 'its claim is lost' },
      { name, what: 'its outcome cannot be written' },
    ]),
  )('$name goes on within seconds if $what', async ({ name, what }) => {
    const { store, remove } = await freshStore(kind)
    onTestFinished(remove)
    let monotonic = 0
    useClock({ ...systemClock, monotonicMs: () => monotonic })
    const { engine, loseClaims, loseWhatFollows, heal } = breakable(store)
    const world = await paymentWorld(engine, 8000)
    const work = await kinds[name](world)
    monotonic += 2000
    if (what === 'its claim is lost') loseClaims()
    else loseWhatFollows()
    expect(await work()).not.toBe(outcomes[name])
    heal()
    monotonic += 2000
    world.clock.now += 2000
    expect(await work()).toBe(outcomes[name])
  })
})
