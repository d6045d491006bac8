import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { verifyReceipt } from '../../../../sdk/src/index.ts'
import { look } from '../../../../testkit/gateway/console-contract.ts'
import { type Gateway, startGateway, TestClock } from '../../../../testkit/gateway/gateway.ts'
import {
  expectInOperatorContract,
  type OperatorBrowser,
  signedInOperator,
} from '../../../../testkit/gateway/operator-browser.ts'
import { PayingCustomer } from '../../../../testkit/gateway/paying-customer.ts'
import { engines } from '../../../../testkit/store/engines.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever was signed
const payloadOf = (jws: string): any => JSON.parse(Buffer.from(jws.split('.')[1]!, 'base64url').toString())

describe.each(engines)('an order of 50 yuan that was paid with 51, on %s', (engine) => {
  let gateway: Gateway
  let payer: PayingCustomer
  let admin: OperatorBrowser
  let paymentId: string
  let orderId: string
  let receivedAt: string
  const clock = new TestClock()
  const order = { amountFen: 5000, method: 'simulated' }
  const key = { 'idempotency-key': 'fifty yuan' }

  beforeAll(async () => {
    gateway = await startGateway({ engine, clock: clock.read })
    payer = await PayingCustomer.join(gateway, { amountFen: 0 })
    admin = await signedInOperator(gateway, 'admin', 'admin', clock.read)
    const { body } = await payer.browser.post('/v1/console/payments', order, key)
    ;({ paymentId, orderId } = body)
    clock.advanceSeconds(60)
    receivedAt = new Date(clock.now).toISOString()
    const form = { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://localhost:8787' }
    await gateway.send('POST', new URL(body.qrText).pathname, form, 'action=pay_other')
    await vi.waitFor(async () => expect((await listed()).state).toBe('in_review'), { timeout: 10_000 })
  })
  afterAll(() => gateway.stop())

  const listed = async () => (await look(payer.browser, 'console.orders.list')).items[0]
  const payment = async () => (await look(payer.browser, 'console.payments.list')).items[0]
  const received = () => ({ paidFen: 5100, paidCurrency: 'CNY', paidAt: receivedAt })

  async function operated() {
    const shown = await admin.get(`/api/payments/${paymentId}`)
    expectInOperatorContract('operator.payments.show', shown)
    const list = await admin.get('/api/payments')
    expectInOperatorContract('operator.payments.list', list)
    const { refunds: _, ...one } = shown.body
    expect(list.body.items).toEqual([one])
    return one
  }

  async function receipt() {
    const jws = (await payer.browser.get(`/v1/console/orders/${orderId}/receipt.jws`)).text
    return { jws, payload: payloadOf(jws) }
  }

  test('in review, lists say what was received, and the receipt that nothing is paid and credited', async () => {
    expect(await listed()).toMatchObject({ amountFen: 5000, ...received(), simulatedPaidAt: null })
    expect(await payment()).toMatchObject({ state: 'review', orderFen: 5000, ...received() })
    expect(await operated()).toMatchObject({ state: 'review', orderFen: 5000, ...received() })
    const pending = { amountFen: 5000, paidFen: null, paidAt: null, credits: 0 }
    expect((await receipt()).payload).toMatchObject({ state: 'pending', ...pending })
  })

  test('credited as paid, lists, ledger and receipt name both amounts and the time of the payment', async () => {
    clock.advanceSeconds(300)
    const decidedAt = new Date(clock.now).toISOString()
    const body = { outcome: 'credit', reason: 'the payer agreed' }
    expect((await admin.post(`/api/payments/${paymentId}/end`, body)).status).toBe(200)
    const credited = { creditedAt: decidedAt, ...received() }
    const inList = { state: 'credited', amountFen: 5000, creditAmount: 510, simulatedPaidAt: receivedAt, ...credited }
    expect(await listed()).toMatchObject(inList)
    expect(await payment()).toMatchObject({ state: 'paid', orderFen: 5000, credits: 510, ...credited })
    expect(await operated()).toMatchObject({ state: 'paid', orderFen: 5000, credits: 510, ...credited })
    const { accountId } = (await payer.browser.get('/v1/me')).body.account
    expect((await admin.get(`/api/accounts/${accountId}/orders`)).body.items).toMatchObject([inList])

    const entry = { kind: 'credit', amount: 510, orderFen: 5000, paidFen: 5100, paidAt: receivedAt }
    expect((await look(payer.browser, 'console.ledger.list')).items).toMatchObject([{ ...entry, enteredAt: decidedAt }])
    expect((await admin.get(`/api/accounts/${accountId}/ledger`)).body.items).toMatchObject([entry])
    for (const [language, cells] of [
      ['en', 'orderFen,paidFen,paidAt (Asia/Shanghai)', ',5000,5100,2026-09-03 16:01:00.000'],
      ['zh', '订单金额（元）,实付金额（元）,付款时间（北京时间）', ',50.00,51.00,2026-09-03 16:01:00.000'],
    ].map(([of, ...lines]) => [of!, lines] as const)) {
      const { text } = await payer.browser.get(`/v1/console/ledger.csv?language=${language}&kind=credit`)
      const lines = text.trim().split('\r\n')
      expect(lines.map((line, index) => line.endsWith(cells[index]!))).toEqual([true, true])
    }

    const { jws, payload } = await vi.waitFor(
      async () => {
        const found = await receipt()
        expect(found.payload.status).toBe('included')
        return found
      },
      { timeout: 20_000 },
    )
    const facts = { amountFen: 5000, paidFen: 5100, paidAt: receivedAt, credits: 510, endedAt: decidedAt }
    expect(payload).toMatchObject({ type: 'order', state: 'credited', ...facts })
    const { ok, steps } = await verifyReceipt(jws, { jwks: (await gateway.send('GET', '/.well-known/jwks.json')).body })
    expect({ ok, detail: steps.find(({ name }) => name === 'payment')?.detail }).toEqual({
      ok: true,
      detail: '51.00 yuan was paid for the order of 50.00 yuan, and buys its 510 credits.',
    })
  })

  test('a repeat of its creation is a replay, although its amount is now what was paid', async () => {
    const again = await payer.browser.post('/v1/console/payments', order, key)
    expect([again.status, again.body]).toMatchObject([201, { paymentId, idempotentReplay: true }])
  })
})

describe.each(engines)('orders without a payment, on %s', (engine) => {
  const clock = new TestClock()
  let gateway: Gateway
  beforeAll(async () => {
    gateway = await startGateway({
      engine,
      clock: clock.read,
      environment: { GATEWAY_PAYMENT_MODE: 'local-simulated' },
    })
  })
  afterAll(() => gateway.stop())

  test('an order that is confirmed is paid with its own amount', async () => {
    const payer = await PayingCustomer.join(gateway, { amountFen: 5000 })
    const at = new Date(clock.now).toISOString()
    const paid = { paidFen: 5000, paidAt: at }
    const [order] = (await look(payer.browser, 'console.orders.list')).items
    expect(order).toMatchObject({ ...paid, paidCurrency: 'CNY', creditedAt: at, simulatedPaidAt: at })
    expect((await look(payer.browser, 'console.ledger.list')).items).toMatchObject([{ ...paid, orderFen: 5000 }])
    const { text } = await payer.browser.get(`/v1/console/orders/${order.orderId}/receipt.jws`)
    expect(payloadOf(text)).toMatchObject({ ...paid, amountFen: 5000, credits: 500 })
  })
})
