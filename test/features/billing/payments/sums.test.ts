import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMoneySums } from '../../../../src/features/billing/payments/store/sums.ts'
import { paymentWorld } from '../../../../testkit/payments/world.ts'
import { createTestAdministration } from '../../../../testkit/store/administration.ts'
import { engines, freshStore, onDisk, type Store } from '../../../../testkit/store/engines.ts'

const ada = { name: 'ada', via: 'web' } as const

describe.each(engines)('sums of money on %s', (engine) => {
  let store: Store
  let remove: () => Promise<void>
  beforeAll(async () => {
    ;({ store, remove } = await freshStore(engine, onDisk))
  })
  afterAll(() => remove())

  test('what needs a decision is counted until it is decided, and what was decided is summed', async () => {
    const world = await paymentWorld(store, 1)
    const { open, between } = createMoneySums(store)
    const operate = createTestAdministration(world.rig, { approvalAboveCredits: null, clock: () => world.clock.now })
    const end = (paymentId: string, outcome: 'credit' | 'refund') =>
      operate.endPayment(ada, { paymentId, outcome, reason: 'looked there' })
    const from = world.clock.now
    const [credited, refunded] = [(await world.create(5000)).paymentId, (await world.create(6000)).paymentId]
    world.provider.pay(credited, 3000)
    world.provider.pay(refunded, 4000)
    for (const paymentId of [credited, refunded]) await world.callback(paymentId)
    await world.work()
    expect(await open()).toEqual({ paymentsInReview: 2, refundsInReview: 0, openDifferences: 0 })
    await world.compareAll(world.clock.now)
    expect(await open()).toEqual({ paymentsInReview: 2, refundsInReview: 0, openDifferences: 2 })
    await end(credited, 'credit')
    await world.end()
    expect(await open()).toEqual({ paymentsInReview: 1, refundsInReview: 0, openDifferences: 1 })
    await end(refunded, 'refund')
    await world.end()
    expect(await open()).toEqual({ paymentsInReview: 0, refundsInReview: 0, openDifferences: 0 })
    const to = world.clock.now + 1
    expect(await between(from, to)).toEqual({ rechargedFen: 3000, refundedFen: 4000 })
    expect(await between(to, to + 1)).toEqual({ rechargedFen: 0, refundedFen: 0 })
    expect(await between(0, from)).toEqual({ rechargedFen: 0, refundedFen: 0 })
  })
})
