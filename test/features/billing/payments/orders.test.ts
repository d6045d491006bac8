import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConfirmedOrder, CreatedOrder } from '../../../../src/contract/schemas/account.ts'
import { compile } from '../../../../src/contract/validate.ts'
import { Browser } from '../../../../testkit/gateway/browser.ts'
import { type Gateway, startGateway } from '../../../../testkit/gateway/gateway.ts'
import { sharedGateway } from '../../../../testkit/gateway/shared-gateway.ts'
import { httpEngines, openDatabase } from '../../../../testkit/store/engines.ts'

const [isCreatedOrder, isConfirmedOrder] = [compile(CreatedOrder), compile(ConfirmedOrder)]

describe.each(httpEngines)('on %s', (engine) => {
  let gateway: Gateway
  let payer: Browser

  beforeAll(async () => {
    gateway = await sharedGateway(engine)
    payer = new Browser(gateway)
    await payer.register()
  })
  afterAll(() => gateway.stop())

  const create = (amountFen: unknown, key = 'key', browser = payer) =>
    browser.post('/v1/orders', { amountFen }, { 'idempotency-key': key })
  const confirm = (orderId: string, browser = payer) => browser.post(`/v1/orders/${orderId}/confirm`, {})
  const available = async (browser = payer) => (await browser.get('/v1/me')).body.credits.available

  it.each([100, 1_000_000, 12_300])('201: %i fen make a pending order at ten credits per yuan', async (amountFen) => {
    const { status, body } = await create(amountFen, `amount ${amountFen}`)
    expect(status).toBe(201)
    expect(isCreatedOrder(body)).toEqual({ ok: true })
    expect(body).toMatchObject({
      amountFen,
      creditAmount: amountFen / 10,
      state: 'pending',
      creditedAt: null,
      idempotentReplay: false,
    })
  })

  it.each([0, 99, 150, 1_000_100, -100, 100.5, '100', null, undefined, 1e300])(
    '400 RECHARGE_AMOUNT_INVALID for %o',
    async (amountFen) => {
      expect(await create(amountFen)).toMatchObject({
        status: 400,
        body: { error: { code: 'RECHARGE_AMOUNT_INVALID' } },
      })
    },
  )

  it.each(['', 'x'.repeat(129)])('400 IDEMPOTENCY_KEY_REQUIRED for a key of length %#', async (key) => {
    expect(await create(100, key)).toMatchObject({ status: 400, body: { error: { code: 'IDEMPOTENCY_KEY_REQUIRED' } } })
  })

  it('400 IDEMPOTENCY_KEY_REQUIRED without a key, before the amount is checked', async () => {
    expect(await payer.post('/v1/orders', { amountFen: 1 })).toMatchObject({
      body: { error: { code: 'IDEMPOTENCY_KEY_REQUIRED' } },
    })
  })

  it('the same key and amount replay the order as it was created, even after it was paid', async () => {
    const first = await create(2000, 'replayed')
    const again = await create(2000, 'replayed')
    expect(again.body).toEqual({ ...first.body, idempotentReplay: true })
    await confirm(first.body.orderId)
    expect((await create(2000, 'replayed')).body).toEqual({ ...first.body, idempotentReplay: true })
  })

  it('409 IDEMPOTENCY_CONFLICT for the same key with another amount; another project may use the key', async () => {
    await create(2000, 'conflict')
    expect(await create(2100, 'conflict')).toMatchObject({
      status: 409,
      body: { error: { code: 'IDEMPOTENCY_CONFLICT' } },
    })
    const other = new Browser(gateway)
    await other.register()
    expect((await create(2100, 'conflict', other)).status).toBe(201)
  })

  it('20 concurrent requests with one key create one order', async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => create(500, 'at once')))
    expect(new Set(responses.map(({ body }) => body.orderId)).size).toBe(1)
    expect(responses.filter(({ body }) => !body.idempotentReplay)).toHaveLength(1)
  })

  it('200: confirming credits the project', async () => {
    const before = await available()
    const { orderId } = (await create(3000, 'confirmed')).body
    const { status, body } = await confirm(orderId)
    expect(status).toBe(200)
    expect(isConfirmedOrder(body)).toEqual({ ok: true })
    expect(body).toMatchObject({
      orderId,
      state: 'credited',
      creditedAmount: 300,
      creditKind: 'simulated_prepaid',
      idempotentReplay: false,
    })
    expect(body.simulatedPaidAt).toBe(body.creditedAt)
    expect(await available()).toBe(before + 300)
    expect(await confirm(orderId)).toMatchObject({ status: 409, body: { error: { code: 'ORDER_NOT_PAYABLE' } } })
    expect(await available()).toBe(before + 300)
  })

  it('100 concurrent confirmations credit once', async () => {
    const before = await available()
    const { orderId } = (await create(1000, 'raced')).body
    const responses = await Promise.all(Array.from({ length: 100 }, () => confirm(orderId)))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    const codes = new Set(responses.filter(({ status }) => status !== 200).map(({ body }) => body.error.code))
    for (const code of codes) expect(['ORDER_NOT_PAYABLE', 'ORDER_CONFIRM_CONFLICT']).toContain(code)
    expect(await available()).toBe(before + 100)
  })

  it('an order that is confirmed and cancelled at once is either credited or cancelled', async () => {
    const before = await available()
    const orders = await Promise.all(Array.from({ length: 20 }, (_, i) => create(100, `either ${i}`)))
    const ends = await Promise.all(
      orders.map(async ({ body: { orderId } }) => {
        const cancel = () => payer.post(`/v1/console/orders/${orderId}/cancel`, {})
        const [confirmed, cancelled] = await Promise.all([confirm(orderId), cancel()])
        return [confirmed.status, cancelled.status]
      }),
    )
    for (const end of ends)
      expect(end).toSatisfy((statuses) => String(statuses) === '200,409' || String(statuses) === '409,200')
    expect(await available()).toBe(before + 10 * ends.filter(([status]) => status === 200).length)
  })

  it.each(['ord_unknown', 'nonsense', 'ord_'])('404 ORDER_NOT_FOUND for %s', async (orderId) => {
    expect(await confirm(orderId)).toMatchObject({ status: 404, body: { error: { code: 'ORDER_NOT_FOUND' } } })
  })

  it("404 ORDER_NOT_FOUND for another project's order, which stays payable for its owner", async () => {
    const { orderId } = (await create(100, 'mine')).body
    const other = new Browser(gateway)
    await other.register()
    expect(await confirm(orderId, other)).toMatchObject({ status: 404, body: { error: { code: 'ORDER_NOT_FOUND' } } })
    expect(await available(other)).toBe(0)
    expect((await confirm(orderId)).status).toBe(200)
  })

  it('409 ORDER_CREDIT_CONFLICT when the books already have a lot for a pending order', async () => {
    const { orderId } = (await create(100, 'odd')).body
    const before = await available()
    const store = await openDatabase(gateway.database, { exclusive: false })
    await store.write((tx) =>
      tx.run(
        `INSERT INTO credit_lots (lot_id, project_id, order_id, kind, amount, created_at)
        SELECT 'lot_odd', project_id, order_id, 'simulated_prepaid', 10, 1 FROM orders WHERE order_id = $1`,
        [orderId],
      ),
    )
    await store.close()
    expect(await confirm(orderId)).toMatchObject({ status: 409, body: { error: { code: 'ORDER_CREDIT_CONFLICT' } } })
    expect(await available()).toBe(before)
  })

  it('/v1/me shows the last 20 orders, newest first', async () => {
    const browser = new Browser(gateway)
    await browser.register()
    for (let i = 1; i <= 22; i += 1) await create(i * 100, `order ${i}`, browser)
    const { latestOrder, recentOrders } = (await browser.get('/v1/me')).body
    expect(recentOrders.map((order: { amountFen: number }) => order.amountFen)).toEqual(
      Array.from({ length: 20 }, (_, i) => (22 - i) * 100),
    )
    expect(latestOrder).toEqual(recentOrders[0])
  })
})

describe('with payment disabled', () => {
  let gateway: Gateway
  let payer: Browser

  beforeAll(async () => {
    gateway = await startGateway({ environment: { GATEWAY_PAYMENT_MODE: 'disabled' } })
    payer = new Browser(gateway)
    await payer.register()
  })
  afterAll(() => gateway.stop())

  it('404 SIMULATED_PAYMENT_DISABLED, before the body is checked', async () => {
    for (const path of ['/v1/orders', '/v1/orders/ord_1/confirm']) {
      expect(await payer.post(path, { nonsense: 1 })).toMatchObject({
        status: 404,
        body: { error: { code: 'SIMULATED_PAYMENT_DISABLED' } },
      })
    }
    expect((await gateway.send('GET', '/v1/pricing')).body).toMatchObject({
      paymentMode: 'disabled',
      productionPayment: 'NOT_RUN',
    })
  })
})
