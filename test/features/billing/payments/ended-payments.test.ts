import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Refusal } from '../../../../src/contract/errors.ts'
import { createOrders } from '../../../../src/features/billing/payments/orders.ts'
import { reconcile } from '../../../../src/features/records/reconcile/reconcile.ts'
import { type PaymentWorld, paymentWorld } from '../../../../testkit/payments/world.ts'
import { createTestAdministration } from '../../../../testkit/store/administration.ts'
import { engines, freshStore, onDisk, type Store } from '../../../../testkit/store/engines.ts'

const ada = { name: 'ada', via: 'web' } as const
const bo = { name: 'bo', via: 'web' } as const
const reason = 'looked there'

describe.each(engines)('operators end payments in review on %s', (engine) => {
  let store: Store
  let remove: () => Promise<void>
  let seed = 9000
  beforeAll(async () => {
    ;({ store, remove } = await freshStore(engine, onDisk))
  })
  afterAll(() => remove())

  /** An order of 50 yuan that was paid with another amount, and operators who may end some credits alone. */
  async function paidWith(paidFen: number, limit: number | null = null) {
    seed += 1
    const world = await paymentWorld(store, seed)
    const { paymentId } = await world.create(5000)
    world.provider.pay(paymentId, paidFen)
    await world.callback(paymentId)
    await world.work()
    return { world, paymentId, ...operators(world, limit) }
  }

  function operators(world: PaymentWorld, limit: number | null) {
    const operate = createTestAdministration(world.rig, { approvalAboveCredits: limit, clock: () => world.clock.now })
    const end = (paymentId: string, outcome: 'credit' | 'refund', actor: typeof ada | typeof bo = ada) =>
      operate.endPayment(actor, { paymentId, outcome, reason })
    return { operate, end }
  }

  async function orderIn({ rig, store: payments, projectId, clock }: PaymentWorld) {
    const deps = { store: payments, ledger: rig.ledger, clock: () => clock.now, paymentMode: 'disabled' as const }
    return (await createOrders(deps).page(projectId, { limit: 10 })).items[0]!
  }

  const openDifferences = async ({ method }: PaymentWorld) => {
    const sql = 'SELECT COALESCE(SUM(open_differences), 0) AS open FROM payment_comparisons WHERE method = $1'
    return Number((await store.read((tx) => tx.get<{ open: number }>(sql, [method])))!.open)
  }
  const typesOf = async ({ projectId }: PaymentWorld) => {
    const sql = "SELECT type FROM events WHERE project_id = $1 AND type LIKE '%.%' ORDER BY seq"
    const rows = await store.read((tx) => tx.all<{ type: string }>(sql, [projectId]))
    return rows.map(({ type }) => type).filter((type) => /^(payment|order|credits)\./.test(type))
  }
  const refundedThere = ({ provider }: PaymentWorld) =>
    [...provider.refunds.values()].reduce((sum, { amountFen }) => sum + amountFen, 0)
  const stateOf = async ({ store: payments }: PaymentWorld, paymentId: string) =>
    (await payments.payments.find(paymentId))!.state

  it('what was paid is credited, and its difference is settled with it', async () => {
    const { world, paymentId, end } = await paidWith(3000)
    await world.compareAll(world.clock.now)
    expect(await openDifferences(world)).toBe(1)
    await end(paymentId, 'credit')
    expect(await openDifferences(world)).toBe(0)
    await world.end()
    expect(await world.available()).toBe(300)
    expect(await orderIn(world)).toMatchObject({ state: 'credited', amountFen: 5000, creditAmount: 300 })
    expect(await typesOf(world)).toEqual(['payment.in_review', 'order.credited'])
    await expect(end(paymentId, 'refund')).rejects.toMatchObject({ code: 'PAYMENT_NOT_IN_REVIEW' })
    await world.compareAll(world.clock.now)
    expect(await openDifferences(world)).toBe(0)
    expect((await reconcile(store)).differences).toEqual([])
  })

  it('what was paid is refunded there; late callbacks and bills change nothing', async () => {
    const { world, paymentId, end } = await paidWith(3000)
    await end(paymentId, 'refund')
    await world.end()
    expect(refundedThere(world)).toBe(3000)
    expect(await orderIn(world)).toMatchObject({ state: 'failed', paidFen: 3000, refundedFen: 3000, extraPayments: [] })
    await world.callback(paymentId)
    await world.work()
    await world.compareAll(world.clock.now)
    expect(await openDifferences(world)).toBe(0)
    expect(await stateOf(world, paymentId)).toBe('failed')
    expect(await world.available()).toBe(0)
    expect(await typesOf(world)).toEqual(['payment.in_review', 'payment.refunded'])
    await expect(end(paymentId, 'credit')).rejects.toMatchObject({ code: 'PAYMENT_NOT_IN_REVIEW' })
    expect((await reconcile(store)).differences).toEqual([])
  })

  it('operators, callbacks and a right payment at once: each transaction has one end', async () => {
    for (let round = 0; round < 6; round += 1) {
      const { world, paymentId, end } = await paidWith(3000)
      const decide = (outcome: 'credit' | 'refund', actor: typeof ada | typeof bo) =>
        end(paymentId, outcome, actor).catch((error) => {
          if (!(error instanceof Refusal)) throw error
        })
      const ask = async () => {
        await world.callback(paymentId)
        await world.work()
      }
      if (round % 2 === 1) world.provider.pay(paymentId, 5000)
      await Promise.all([decide('credit', ada), ask(), decide('refund', bo), world.end(), ask(), decide('credit', bo)])
      await world.end()
      for (let more = 0; more < 5; more += 1) await ask()
      await world.compareAll(world.clock.now)
      await world.end()
      const rows = await world.store.uncredited.ofPayment(paymentId)
      const sumOf = (state: string) =>
        rows.filter((row) => row.state === state).reduce((sum, { amountFen }) => sum + amountFen, 0)
      const paidFen = world.provider.trades.get(paymentId)!.paid.reduce((sum, { amountFen }) => sum + amountFen, 0)
      const creditedFen = (await world.available()) * 10
      expect({ round, refunded: sumOf('refunded') }).toEqual({ round, refunded: refundedThere(world) })
      expect({ round, fen: creditedFen + sumOf('refunded') + sumOf('open') }).toEqual({ round, fen: paidFen })
    }
    expect((await reconcile(store)).differences).toEqual([])
  })

  it('a second payment is refunded there, and cannot be credited', async () => {
    const { world, paymentId, end } = await paidWith(5000)
    world.provider.pay(paymentId, 5000)
    await world.compareAll(world.clock.now)
    expect(await openDifferences(world)).toBe(1)
    await expect(end(paymentId, 'credit')).rejects.toMatchObject({ code: 'PAYMENT_NOT_IN_REVIEW' })
    const results = await Promise.allSettled([end(paymentId, 'refund'), end(paymentId, 'refund', bo)])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await world.end()
    expect(refundedThere(world)).toBe(5000)
    expect(await openDifferences(world)).toBe(0)
    expect(await orderIn(world)).toMatchObject({
      ...{ state: 'credited', refundedFen: 0 },
      extraPayments: [{ amountFen: 5000, refundedFen: 5000 }],
    })
    // The refund is in the bill too.
    await world.compareAll(world.clock.now)
    expect(await openDifferences(world)).toBe(0)
    expect(await world.available()).toBe(500)
  })

  it('above the limit of one operator a second one approves, also for several within 24 hours', async () => {
    const { world, paymentId, operate, end } = await paidWith(3000, 299)
    const { approvalId } = await end(paymentId, 'refund')
    expect(approvalId).toMatch(/^apv_/)
    expect((await end(paymentId, 'refund')).approvalId).toBe(approvalId)
    await world.end()
    expect(refundedThere(world)).toBe(0)
    await expect(operate.approve(ada, { approvalId: approvalId! })).rejects.toMatchObject({
      code: 'APPROVAL_OWN_REQUEST',
    })
    await operate.approve(bo, { approvalId: approvalId! })
    await world.end()
    expect(refundedThere(world)).toBe(3000)
    const second = await paidWith(2000, 299)
    const third = await world.create(5000)
    expect((await second.end(second.paymentId, 'credit')).approvalId).toBeNull()
    world.clock.now = Math.max(world.clock.now, second.world.clock.now)
    world.provider.pay(third.paymentId, 1000)
    await world.callback(third.paymentId)
    await world.work()
    const alone = operators(world, 299)
    expect((await alone.end(third.paymentId, 'credit')).approvalId).toMatch(/^apv_/)
    expect((await reconcile(store)).differences).toEqual([])
  })

  it('a refund that the provider refuses is open again; one that it does not tell is decided by an operator', async () => {
    const { world, paymentId, operate, end } = await paidWith(3000)
    world.provider.refundResponse = { kind: 'refused', reason: 'NOT_ENOUGH' }
    await end(paymentId, 'refund')
    await world.end()
    expect((await world.store.uncredited.ofPayment(paymentId))[0]).toMatchObject({ state: 'open' })
    world.provider.refundResponse = { kind: 'unclear', reason: 'ABNORMAL' }
    await end(paymentId, 'refund')
    await world.end()
    const [row] = await world.store.uncredited.ofPayment(paymentId)
    expect(row).toMatchObject({ state: 'review', note: 'ABNORMAL' })
    await expect(end(paymentId, 'credit')).rejects.toMatchObject({ code: 'PAYMENT_NOT_IN_REVIEW' })
    const decide = () => operate.decideUncredited(ada, { refundId: row!.refundId!, to: 'refunded', reason })
    expect(await decide()).toMatchObject({ paymentId, state: 'refunded' })
    await expect(decide()).rejects.toMatchObject({ code: 'REFUND_NOT_IN_REVIEW' })
    expect(await orderIn(world)).toMatchObject({ state: 'failed', refundedFen: 3000 })
    expect(await typesOf(world)).toEqual(['payment.in_review', 'payment.refunded'])
  })

  it.each(['refused', 'unclear'] as const)(
    'a slower end of an earlier refund, %s, changes nothing of the next',
    async (kind) => {
      const { world, paymentId, end } = await paidWith(3000)
      const rowOf = async () => (await world.store.uncredited.ofPayment(paymentId))[0]!
      await end(paymentId, 'refund')
      const earlier = await rowOf()
      world.provider.refundResponse = { kind: 'refused', reason: 'NOT_ENOUGH' }
      await world.end()
      await end(paymentId, 'refund')
      const decided = await rowOf()
      expect(decided.refundId).not.toBe(earlier.refundId)
      // As another gateway does that was asking at the same time.
      world.provider.refundResponse = { kind, reason: 'NOT_ENOUGH' }
      await world.gateway.carryOut(earlier)
      expect(await rowOf()).toEqual(decided)
      world.provider.refundResponse = 'lost'
      await world.gateway.carryOut(earlier)
      expect(await rowOf()).toEqual(decided)
      world.provider.refundResponse = null
      await world.end()
      expect(await rowOf()).toMatchObject({ state: 'refunded', refundId: decided.refundId })
      expect(refundedThere(world)).toBe(3000)
    },
  )

  it('an unclear refund above the limit is decided by two operators, also for several within 24 hours', async () => {
    const unclear = async (paidFen: number, limit: number) => {
      const { world, paymentId } = await paidWith(paidFen)
      const refundIdOf = async () => (await world.store.uncredited.ofPayment(paymentId))[0]!.refundId!
      const refund = async () => {
        world.provider.refundResponse = { kind: 'unclear', reason: 'ABNORMAL' }
        await operators(world, null).end(paymentId, 'refund')
        await world.end()
        return refundIdOf()
      }
      const { operate } = operators(world, limit)
      const decide = (refundId: string, to: 'refunded' | 'returned', actor = ada) =>
        operate.decideUncredited(actor, { refundId, to, reason })
      return { world, paymentId, operate, refund, decide }
    }
    const { world, paymentId, operate, refund, decide } = await unclear(3000, 299)
    const first = await refund()
    const { approvalId } = (await decide(first, 'returned'))!
    expect(approvalId).toMatch(/^apv_/)
    expect(await decide(first, 'returned')).toMatchObject({
      approvalId,
      state: 'review',
      reference: expect.any(String),
    })
    expect((await world.store.uncredited.ofPayment(paymentId))[0]!.state).toBe('review')
    expect(await world.store.payments.pendingApprovals([paymentId])).toEqual([{ paymentId, approvalId }])
    const approval = { approvalId: approvalId! }
    await expect(operate.approve(ada, approval)).rejects.toMatchObject({ code: 'APPROVAL_OWN_REQUEST' })
    expect(await operate.approve(bo, approval)).toMatchObject({ credits: 300 })
    expect((await world.store.uncredited.ofPayment(paymentId))[0]).toMatchObject({ state: 'open', refundId: null })
    // The same money once more, as paid back: the other approval is not about it.
    const second = await refund()
    const again = (await decide(second, 'refunded'))!
    expect(again.approvalId).not.toBe(approvalId)
    await operate.approve(bo, { approvalId: again.approvalId! })
    expect(await orderIn(world)).toMatchObject({ state: 'failed', refundedFen: 3000 })
    // Two of 20 yuan are under the limit, but not together.
    const [one, other] = [await unclear(2000, 299), await unclear(2000, 299)]
    other.world.clock.now = one.world.clock.now
    expect(await one.decide(await one.refund(), 'refunded')).toMatchObject({ state: 'refunded', approvalId: null })
    expect(await other.decide(await other.refund(), 'refunded')).toMatchObject({
      approvalId: expect.stringMatching(/^apv_/),
    })
    expect((await reconcile(store)).differences).toEqual([])
  })

  it('only whole credits in yuan are credited', async () => {
    const odd = await paidWith(3005)
    await expect(odd.end(odd.paymentId, 'credit')).rejects.toMatchObject({ code: 'PAYMENT_NOT_CREDITABLE' })
    seed += 1
    const world = await paymentWorld(store, seed)
    const { paymentId } = await world.create(5000)
    world.provider.pay(paymentId, 5000, 'USD')
    await world.callback(paymentId)
    await world.work()
    await expect(operators(world, null).end(paymentId, 'credit')).rejects.toMatchObject({
      code: 'PAYMENT_NOT_CREDITABLE',
    })
  })
})
