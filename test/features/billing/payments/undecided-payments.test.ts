import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PaymentNoteCode, readPaymentNote } from '../../../../src/contract/payment-notes.ts'
import { createPaymentCheck } from '../../../../src/features/billing/payments/check-payment.ts'
import { reconcile } from '../../../../src/features/records/reconcile/reconcile.ts'
import { type PaymentWorld, paymentWorld } from '../../../../testkit/payments/world.ts'
import { createTestAdministration } from '../../../../testkit/store/administration.ts'
import { engines, freshStore, type Store } from '../../../../testkit/store/engines.ts'

const ada = { name: 'ada', via: 'web' } as const
const bo = { name: 'bo', via: 'web' } as const
const reason = 'looked there'
const refundedFen = 700
const hour = 3_600_000

describe.each(engines)('a payment in review on %s', (engine) => {
  let store: Store
  let remove: () => Promise<void>
  let seed = 9500
  beforeAll(async () => {
    ;({ store, remove } = await freshStore(engine))
  })
  afterAll(() => remove())

  async function begin(hidesRefunds: boolean) {
    seed += 1
    const world = await paymentWorld(store, seed)
    world.provider.hidesRefunds = hidesRefunds
    const { paymentId, orderId } = await world.create(5000)
    const operate = createTestAdministration(world.rig, { approvalAboveCredits: 0, clock: () => world.clock.now })
    return { world, paymentId, orderId, operate }
  }
  type Begun = Awaited<ReturnType<typeof begin>>

  const ask = async (world: PaymentWorld, paymentId: string) => {
    await world.callback(paymentId)
    await world.work()
  }
  const rowOf = async ({ world, paymentId }: Begun) => (await world.store.uncredited.ofPayment(paymentId))[0]!
  const stateOf = async ({ world, paymentId }: Begun) => (await world.store.payments.find(paymentId))!.state

  /** Decided by two operators. */
  async function end({ world, paymentId, operate }: Begun, outcome: 'credit' | 'refund') {
    const { approvalId } = await operate.endPayment(ada, { paymentId, outcome, reason })
    await operate.approve(bo, { approvalId: approvalId! })
    await world.end()
  }

  /** Refunded by two operators, as the provider responds. */
  async function refundedAs(begun: Begun, response: NonNullable<PaymentWorld['provider']['refundResponse']>) {
    begun.world.provider.refundResponse = response
    await end(begun, 'refund')
    begun.world.provider.refundResponse = null
  }

  const paidWrong = async ({ world, paymentId }: Begun) => {
    world.provider.pay(paymentId, 5000, 'USD')
    await ask(world, paymentId)
    Object.assign(world.provider.trades.get(paymentId)!.paid[0]!, { currency: 'CNY' })
  }
  const refundedBefore = async ({ world, paymentId }: Begun, fen: number | null) => {
    world.provider.pay(paymentId, 5000)
    world.provider.hidesRefunds = false
    world.provider.refundByHand(paymentId, fen)
    await ask(world, paymentId)
    world.provider.byHand.clear()
  }

  /** How a payment gets into review. Afterwards its provider says nothing any more that would be a reason. */
  const ways: readonly [PaymentNoteCode, (begun: Begun) => Promise<unknown>][] = [
    ['PAID', paidWrong],
    ['PAID_THEN_REFUNDED', (begun) => refundedBefore(begun, refundedFen)],
    ['PAID_THEN_REFUNDED_UNKNOWN', (begun) => refundedBefore(begun, null)],
    [
      'PAID_AFTER_END',
      async ({ world, paymentId }) => {
        world.clock.now += hour
        await world.work()
        world.provider.hidesRefunds = true
        world.provider.pay(paymentId, 5000)
        world.clock.now += hour
        await ask(world, paymentId)
      },
    ],
    [
      'ORDER_NOT_CREDITED',
      async ({ world, paymentId, orderId }) => {
        const change = (at: string) =>
          store.write((tx) => tx.run(`UPDATE orders SET cancelled_at = ${at} WHERE order_id = $1`, [orderId]))
        await change('1')
        world.provider.hidesRefunds = false
        world.provider.pay(paymentId, 5000)
        await ask(world, paymentId)
        await change('NULL')
      },
    ],
    [
      'REFUND_REFUSED',
      async (begun) => {
        await paidWrong(begun)
        await refundedAs(begun, { kind: 'refused', reason: 'NOT_ENOUGH' })
      },
    ],
    [
      'NOT_REFUNDED',
      async (begun) => {
        await paidWrong(begun)
        await refundedAs(begun, { kind: 'unclear', reason: 'ABNORMAL' })
        const decision = { refundId: (await rowOf(begun)).refundId!, to: 'returned', reason } as const
        const { approvalId } = (await begun.operate.decideUncredited(ada, decision))!
        await begun.operate.approve(bo, { approvalId: approvalId! })
      },
    ],
  ]
  const cases = ways.flatMap(([code, lead]) => [
    { code, lead, method: 'WeChat Pay' as const },
    { code, lead, method: 'Alipay' as const },
  ])

  it.each(cases)(
    'as $code at $method is credited by no callback, comparison or hint',
    async ({ code, lead, method }) => {
      const begun = await begin(method === 'Alipay')
      const { world, paymentId } = begun
      await lead(begun)
      world.provider.hidesRefunds = method === 'Alipay'
      const found = await rowOf(begun)
      expect(readPaymentNote(found.note!)?.code).toBe(code)
      for (const days of [0, 1]) {
        world.clock.now += days * 24 * hour
        await ask(world, paymentId)
        await world.gateway.payments.check(world.projectId, paymentId)
        await world.store.payments.hint(paymentId, null)
        await world.work()
        await world.compareAll(world.clock.now - 24 * hour)
      }
      expect(await stateOf(begun)).toBe('review')
      expect(await rowOf(begun)).toEqual(found)
      expect(await world.available()).toBe(0)
      // Something new is recorded all the same.
      world.provider.pay(paymentId, 5000)
      for (let time = 0; time < 8; time += 1) await ask(world, paymentId)
      expect((await world.store.uncredited.ofPayment(paymentId)).map(({ state }) => state)).toEqual(['open', 'open'])
      expect(await world.available()).toBe(0)
    },
  )

  it.each(['WeChat Pay', 'Alipay'])(
    'at %s is credited by an operator once, and not refunded as well',
    async (method) => {
      const begun = await begin(method === 'Alipay')
      const { world, paymentId, operate } = begun
      if (method === 'Alipay') await ways.find(([code]) => code === 'PAID_AFTER_END')![1](begun)
      else {
        world.provider.pay(paymentId, 3000)
        await ask(world, paymentId)
      }
      const request = (outcome: 'credit' | 'refund') => operate.endPayment(ada, { paymentId, outcome, reason })
      const [credit, refund] = [await request('credit'), await request('refund')]
      await operate.approve(bo, { approvalId: credit.approvalId! })
      await ask(world, paymentId)
      await world.end()
      const credits = method === 'Alipay' ? 500 : 300
      expect(await world.available()).toBe(credits)
      expect(await rowOf(begun)).toMatchObject({ state: 'credited', nextQueryAt: null, claimedBy: null })
      await expect(operate.approve(bo, { approvalId: refund.approvalId! })).rejects.toMatchObject({
        code: 'PAYMENT_NOT_IN_REVIEW',
      })
      await ask(world, paymentId)
      await world.compareAll(world.clock.now)
      await world.end()
      expect(world.provider.refunds.size).toBe(0)
      expect(await world.available()).toBe(credits)
      expect((await reconcile(store)).differences).toEqual([])
    },
  )

  it('a payment in review is not credited by a check that began before it', async () => {
    const begun = await begin(true)
    const { world, paymentId } = begun
    const stale = (await world.store.payments.find(paymentId))!
    await ways.find(([code]) => code === 'PAID_AFTER_END')![1](begun)
    const check = createPaymentCheck({
      ...{ store: world.store, ledger: world.rig.ledger, clock: () => world.clock.now },
      providers: new Map([[world.method, world.provider]]),
      schedule: { expirySeconds: 900, queryAfterSeconds: [3], queryEverySeconds: 60 },
    })
    expect(stale.state).toBe('waiting')
    expect(await check(stale)).toEqual({ kind: 'known' })
    expect(await world.available()).toBe(0)
    expect(await stateOf(begun)).toBe('review')
  })

  it('a transaction that was credited to another payment is neither credited nor refunded again', async () => {
    const begun = await begin(false)
    const { world, paymentId, operate } = begun
    const other = await world.create(3000)
    world.provider.pay(other.paymentId, 3000)
    const [paid] = world.provider.trades.get(other.paymentId)!.paid
    // The provider contradicts itself before and after.
    world.provider.trades.get(paymentId)!.paid.push(paid!)
    await ask(world, paymentId)
    expect(await stateOf(begun)).toBe('review')
    await ask(world, other.paymentId)
    expect(await world.available()).toBe(300)
    const refund = () => operate.endPayment(ada, { paymentId, outcome: 'refund', reason })
    await expect(refund()).rejects.toMatchObject({ code: 'PAYMENT_NOT_IN_REVIEW' })
    expect((await reconcile(store)).differences).toMatchObject([{ invariant: 'I9', found: 1 }])
    for (let time = 0; time < 2; time += 1) await ask(world, paymentId)
    expect(await world.store.payments.find(paymentId)).toMatchObject({
      ...{ state: 'failed', note: 'its transaction was credited to another payment', nextQueryAt: null },
    })
    expect(await world.available()).toBe(300)
    await expect(refund()).rejects.toMatchObject({ code: 'PAYMENT_NOT_IN_REVIEW' })
    expect(world.provider.refunds.size).toBe(0)
    expect((await reconcile(store)).differences).toEqual([])
  })
})
