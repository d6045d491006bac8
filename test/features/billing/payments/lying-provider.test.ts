import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayOf, dayText } from '../../../../src/base/time.ts'
import { differenceId } from '../../../../src/features/billing/payments/differences.ts'
import { createPaymentStore } from '../../../../src/features/billing/payments/store/store.ts'
import { reconcile } from '../../../../src/features/records/reconcile/reconcile.ts'
import { paymentWorld, playPayments } from '../../../../testkit/payments/world.ts'
import { createTestAdministration } from '../../../../testkit/store/administration.ts'
import { engines, freshStore, isFullMatrix, type Store } from '../../../../testkit/store/engines.ts'

/** `npm run bench:payments` plays 10,000. */
const seeds = isFullMatrix ? 25 : 10

describe.each(engines)('a payment provider that lies, on %s', (engine) => {
  let store: Store
  let remove: () => Promise<void>
  beforeAll(async () => {
    const fresh = await freshStore(engine)
    store = fresh.store
    remove = fresh.remove
  })
  afterAll(() => remove())

  it(`${seeds} histories end with the credits of the provider's own records`, { timeout: 180_000 }, async () => {
    for (let seed = 1; seed <= seeds; seed += 1)
      expect({ seed, faults: await playPayments(store, seed) }).toEqual({ seed, faults: [] })
    expect((await reconcile(store)).differences).toEqual([])
  })

  it('what a callback says is never credited: only the query is', async () => {
    const world = await paymentWorld(store, 5001)
    const { paymentId } = await world.create(1000)
    expect(await world.callback(paymentId)).toMatchObject({ status: 200, body: 'success' })
    await world.work()
    expect(await world.available()).toBe(0)
    world.provider.pay(paymentId, 1000)
    await world.callback(paymentId)
    await world.work()
    expect(await world.available()).toBe(100)
  })

  it('a payment after its expiry is credited, and the payer is notified', async () => {
    const world = await paymentWorld(store, 5002)
    const { paymentId, orderId } = await world.create(1000)
    world.clock.now += 901_000
    await world.work()
    expect((await world.store.payments.find(paymentId))!.state).toBe('expired')
    world.provider.pay(paymentId, 1000)
    await world.callback(paymentId)
    await world.work()
    expect((await world.store.payments.find(paymentId))!.state).toBe('paid')
    const events = await store.read((tx) =>
      tx.all<{ type: string; data: string }>(
        "SELECT type, data FROM events WHERE project_id = $1 AND type <> 'key.created' ORDER BY event_id",
        [world.projectId],
      ),
    )
    expect(events.map(({ type }) => type)).toEqual(['order.credited', 'payment.credited_late'])
    expect(JSON.parse(events[1]!.data)).toEqual({ paymentId, orderId, credits: 100, available: 100 })
  })

  it('another amount or currency goes to review and is not credited', async () => {
    const world = await paymentWorld(store, 5003)
    const [first, second] = [await world.create(1000), await world.create(2000)]
    world.provider.pay(first.paymentId, 1100)
    world.provider.pay(second.paymentId, 2000, 'USD')
    world.clock.now += 3000
    await world.work()
    for (const { paymentId } of [first, second])
      expect((await world.store.payments.find(paymentId))!.state, paymentId).toBe('review')
    expect(await world.available()).toBe(0)
    const found = await world.compareAll(world.clock.now)
    expect(found.map(({ kind, outcome }) => [kind, outcome])).toEqual([
      ['amount_differs', 'review'],
      ['currency_differs', 'review'],
    ])
  })

  it('a second payment of one order is never credited, and is a difference', async () => {
    const world = await paymentWorld(store, 5004)
    const { paymentId } = await world.create(1000)
    world.provider.pay(paymentId, 1000)
    world.provider.pay(paymentId, 1000)
    await world.callback(paymentId)
    await world.work()
    await world.callback(paymentId)
    await world.work()
    expect(await world.available()).toBe(100)
    expect((await world.compareAll(world.clock.now)).map(({ kind }) => kind)).toEqual(['paid_twice'])
  })

  it('while the provider is down for an hour nothing ends, and afterwards what was paid is credited', async () => {
    const world = await paymentWorld(store, 5006)
    const [paid, unpaid] = [await world.create(1000), await world.create(2000)]
    world.provider.pay(paid.paymentId, 1000)
    world.provider.isDown = true
    for (let minute = 0; minute < 60; minute += 1) {
      world.clock.now += 60_000
      await world.work()
    }
    const stateOf = async ({ paymentId }: { paymentId: string }) => (await world.store.payments.find(paymentId))!.state
    expect([await stateOf(paid), await stateOf(unpaid)]).toEqual(['waiting', 'waiting'])
    world.provider.isDown = false
    // The longest pause while it fails.
    world.clock.now += 60_000
    await world.work()
    expect([await stateOf(paid), await stateOf(unpaid)]).toEqual(['paid', 'expired'])
    expect(await world.available()).toBe(100)
  })

  it('a bill that misses, adds and changes lines credits nothing, and each is a difference', async () => {
    const world = await paymentWorld(store, 5007)
    const [first, second, third] = [await world.create(1000), await world.create(2000), await world.create(3000)]
    for (const { paymentId, amountFen } of [first, second]) world.provider.pay(paymentId, amountFen)
    world.clock.now += 3000
    await world.work()
    expect(await world.available()).toBe(300)
    const honest = world.provider.bill
    const [one, two] = (await honest(dayText(dayOf(world.clock.now))))!
    const extra = { ...one!, paymentId: third.paymentId, transactionId: 'never', amountFen: 3000 }
    const unknown = { ...extra, paymentId: 'pay_unknown0000000000000', transactionId: 'unknown' }
    Object.assign(world.provider, { bill: async () => [{ ...two!, amountFen: 2100 }, extra, unknown] })
    const found = await world.compareAll(world.clock.now)
    expect(found.map(({ kind, transactionId, outcome }) => [kind, transactionId, outcome])).toEqual([
      ['amount_differs', two!.transactionId, 'open'],
      ['not_here', 'never', 'open'],
      ['not_here', 'unknown', 'open'],
      ['not_there', one!.transactionId, 'open'],
    ])
    expect(await world.available()).toBe(300)
    Object.assign(world.provider, { bill: honest })
    expect(await world.compareAll(world.clock.now)).toEqual([])
  })

  it('a difference that an operator has settled stays so and no longer counts, until something about it changes', async () => {
    const world = await paymentWorld(store, 5008)
    const operate = createTestAdministration(world.rig, { clock: () => world.clock.now })
    const { comparisons } = createPaymentStore(store)
    const [first, second] = [await world.create(1000), await world.create(2000)]
    for (const { paymentId, amountFen } of [first, second]) world.provider.pay(paymentId, amountFen)
    world.clock.now += 3000
    await world.work()
    const date = dayText(dayOf(world.clock.now))
    const [one, two] = (await world.provider.bill(date))!
    const saying = (fen: number) =>
      Object.assign(world.provider, {
        bill: async () => [{ ...one!, amountFen: fen }, two!, { ...two!, transactionId: 'again' }],
      })
    saying(1100)
    const before = await comparisons.countOpen()
    const compare = async () => {
      const { differences } = await world.gateway.compare(date, world.method)
      return { all: differences, states: differences.map(({ settled }) => settled?.by ?? 'open') }
    }
    const { all, states } = await compare()
    expect(states).toEqual(['open', 'open'])
    expect((await comparisons.countOpen()) - before).toBe(2)
    const id = differenceId(all[0]!)
    const ada = { name: 'ada', via: 'web' } as const
    const settle = (given: object = {}) =>
      operate.settleDifference(ada, { date, method: world.method, differenceId: id, reason: 'asked there', ...given })
    for (const [given, code] of [
      [{ reason: '' }, 'REASON_INVALID'],
      [{ differenceId: 'dif_00000000000000000000' }, 'DIFFERENCE_NOT_FOUND'],
      [{ method: 'unknown' }, 'COMPARISON_NOT_FOUND'],
    ] as const)
      await expect(async () => settle(given)).rejects.toMatchObject({ code })
    // At once, also with a comparison: one of them settles it, and the comparison does not undo that.
    const sent = await Promise.allSettled([settle(), compare(), settle(), compare()])
    const refused = sent.filter(({ status }) => status === 'rejected')
    expect(refused).toMatchObject([{ reason: { code: 'DIFFERENCE_NOT_OPEN' } }])
    expect((await compare()).states).toEqual(['ada', 'open'])
    expect((await comparisons.countOpen()) - before).toBe(1)
    const audited = await store.read((tx) =>
      tx.all('SELECT acted_by AS "by", reason FROM audit_entries WHERE object = $1', [`${date}.${world.method}`]),
    )
    expect(audited).toEqual([{ by: 'ada', reason: 'asked there' }])
    saying(1200)
    expect((await compare()).states).toEqual(['open', 'open'])
  })

  it('a payment that only the bill knows is credited by the comparison, once', async () => {
    const world = await paymentWorld(store, 5005)
    const { paymentId } = await world.create(1000)
    world.clock.now += 901_000
    await world.work()
    world.provider.pay(paymentId, 1000)
    const first = await world.compareAll(world.clock.now)
    expect(first).toMatchObject([{ kind: 'not_here', paymentId, outcome: 'credited' }])
    expect(await world.compareAll(world.clock.now)).toEqual([])
    expect(await world.available()).toBe(100)
  })
})
