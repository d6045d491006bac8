import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { paymentEvents } from '../../../../src/contract/payment-events.ts'
import { compile } from '../../../../src/contract/validate.ts'
import { ListedOrder } from '../../../../src/features/billing/payments/contract.ts'
import { createOrders } from '../../../../src/features/billing/payments/orders.ts'
import { type PaymentWorld, paymentWorld } from '../../../../testkit/payments/world.ts'
import { createTestAdministration } from '../../../../testkit/store/administration.ts'
import { engines, freshStore, type Store } from '../../../../testkit/store/engines.ts'

const isListedOrder = compile(ListedOrder)
const ada = { name: 'ada', via: 'web' } as const

describe.each(engines)('orders as their payer sees them, on %s', (engine) => {
  let store: Store
  let remove: () => Promise<void>
  let seed = 8000
  beforeAll(async () => {
    ;({ store, remove } = await freshStore(engine))
  })
  afterAll(() => remove())

  async function world() {
    seed += 1
    return paymentWorld(store, seed)
  }

  /** The only order of the world, in the list and on its own. */
  async function orderIn({ rig, store: payments, projectId, clock }: PaymentWorld) {
    const orders = createOrders({
      ...{ store: payments, ledger: rig.ledger, clock: () => clock.now },
      paymentMode: 'disabled',
    })
    const [order] = (await orders.page(projectId, { limit: 10 })).items
    expect(await orders.read(projectId, order!.orderId)).toEqual(order)
    expect(isListedOrder(order)).toEqual({ ok: true })
    return order!
  }

  const eventsOf = async ({ projectId }: PaymentWorld) => {
    const sql = "SELECT type, data FROM events WHERE project_id = $1 AND type LIKE 'payment.%' ORDER BY event_id"
    const rows = await store.read((tx) => tx.all<{ type: string; data: string }>(sql, [projectId]))
    return rows.map(({ type, data }) => ({ type, data: JSON.parse(data) }))
  }

  it('an order paid with another amount is in review, and its payer is notified once', async () => {
    const one = await world()
    const { paymentId, orderId } = await one.create(5000)
    one.provider.pay(paymentId, 3000)
    for (let round = 0; round < 2; round += 1) {
      await one.callback(paymentId)
      await one.work()
    }
    const paidAt = new Date(one.clock.now).toISOString()
    const received = { paidFen: 3000, paidCurrency: 'CNY', paidAt }
    expect(await orderIn(one)).toMatchObject({ state: 'in_review', refundedFen: 0, extraPayments: [], ...received })
    expect(await eventsOf(one)).toEqual([
      { type: 'payment.in_review', data: { paymentId, orderId, amountFen: 5000, paidFen: 3000 } },
    ])
  })

  it('an order paid in another currency names it, also one of 0.2.0, which recorded it in the note only', async () => {
    const one = await world()
    const { paymentId, orderId } = await one.create(5000)
    one.provider.pay(paymentId, 700, 'USD')
    await one.callback(paymentId)
    await one.work()
    const received = { state: 'in_review', amountFen: 5000, paidFen: 700, paidCurrency: 'USD' }
    expect(await orderIn(one)).toMatchObject(received)
    const data = { paymentId, orderId, amountFen: 5000, paidFen: 700, paidCurrency: 'USD' }
    expect(await eventsOf(one)).toEqual([{ type: 'payment.in_review', data }])
    expect(paymentEvents['payment.in_review'].alert(data)).toMatchObject({
      en: expect.stringMatching(/^7\.00 USD was received for your order of 50\.00 yuan/),
      zh: expect.stringContaining('订单金额 50.00 元，实收 7.00 USD，'),
    })
    await store.write((tx) => tx.run('DELETE FROM uncredited_payments WHERE payment_id = $1', [paymentId]))
    expect(await orderIn(one)).toMatchObject(received)
    expect(await one.gateway.payments.read(one.projectId, paymentId)).toMatchObject({
      paidFen: 700,
      paidCurrency: 'USD',
    })
  })

  it('an order whose payment the provider refused has failed', async () => {
    const one = await world()
    Object.assign(one.provider, { create: async () => ({ kind: 'refused', reason: 'PARAM_ERROR' }) })
    await one.create(5000)
    expect(await orderIn(one)).toMatchObject({ state: 'failed', paidFen: null, paidCurrency: null, paidAt: null })
  })

  it('a second payment is on the order, and its payer is notified once', async () => {
    const one = await world()
    const { paymentId, orderId } = await one.create(1000)
    one.provider.pay(paymentId, 1000)
    await one.callback(paymentId)
    await one.work()
    one.provider.pay(paymentId, 1000)
    const paidAt = new Date(one.clock.now).toISOString()
    // The query returns one of the two.
    for (let round = 0; round < 20; round += 1) {
      await one.callback(paymentId)
      await one.work()
    }
    const extraPayments = [{ amountFen: 1000, paidAt, refundedFen: 0 }]
    expect(await orderIn(one)).toMatchObject({ state: 'credited', refundedFen: 0, extraPayments })
    expect(await eventsOf(one)).toEqual([{ type: 'payment.paid_twice', data: { paymentId, orderId, paidFen: 1000 } }])
  })

  it('a second payment that only the bill has is on the order too', async () => {
    const one = await world()
    const { paymentId } = await one.create(1000)
    one.provider.pay(paymentId, 1000)
    await one.callback(paymentId)
    await one.work()
    one.provider.pay(paymentId, 1000)
    for (let round = 0; round < 2; round += 1) await one.compareAll(one.clock.now)
    expect((await orderIn(one)).extraPayments).toMatchObject([{ amountFen: 1000, refundedFen: 0 }])
    expect((await eventsOf(one)).map(({ type }) => type)).toEqual(['payment.paid_twice'])
  })

  it('a second payment in another currency is named with it, also when it is refunded', async () => {
    const one = await world()
    const { paymentId, orderId } = await one.create(1000)
    one.provider.pay(paymentId, 1000)
    await one.callback(paymentId)
    await one.work()
    one.provider.pay(paymentId, 300, 'USD')
    for (let round = 0; round < 20; round += 1) {
      await one.callback(paymentId)
      await one.work()
    }
    const foreign = { amountFen: 300, currency: 'USD' }
    expect(await orderIn(one)).toMatchObject({ paidCurrency: 'CNY', extraPayments: [{ ...foreign, refundedFen: 0 }] })
    const operate = createTestAdministration(one.rig, { approvalAboveCredits: null, clock: () => one.clock.now })
    await operate.endPayment(ada, { paymentId, outcome: 'refund', reason: 'paid twice' })
    await one.end()
    expect(await orderIn(one)).toMatchObject({ extraPayments: [{ ...foreign, refundedFen: 300 }] })
    const of = { paymentId, orderId, paidCurrency: 'USD' }
    expect(await eventsOf(one)).toEqual([
      { type: 'payment.paid_twice', data: { ...of, paidFen: 300 } },
      { type: 'payment.refunded', data: { ...of, refundedFen: 300 } },
    ])
  })

  it('what was refunded of a payment is on its order', async () => {
    const one = await world()
    const { paymentId } = await one.create(2000)
    one.provider.pay(paymentId, 2000)
    await one.callback(paymentId)
    await one.work()
    const operate = createTestAdministration(one.rig, { approvalAboveCredits: null, clock: () => one.clock.now })
    for (const [reference, amountFen] of [['a', 500] as const, ['b', 300] as const])
      await operate.refundPayment(ada, { paymentId, amountFen, reference, reason: 'asked for it' })
    expect((await orderIn(one)).refundedFen).toBe(0)
    await one.refund()
    expect(await orderIn(one)).toMatchObject({ state: 'credited', refundedFen: 800 })
  })
})
