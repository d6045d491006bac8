import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Browser } from '../../../../testkit/gateway/browser.ts'
import { type Gateway, startGateway } from '../../../../testkit/gateway/gateway.ts'
import { AlipayServer } from '../../../../testkit/payments/alipay-server.ts'
import { WechatServer } from '../../../../testkit/payments/wechat-server.ts'
import { migratedDatabase } from '../../../../testkit/store/engines.ts'

let wechat: WechatServer
let alipay: AlipayServer
let gateway: Gateway
let payer: Browser
let removeDatabase: () => Promise<void>

beforeAll(async () => {
  wechat = await new WechatServer().listen()
  alipay = await new AlipayServer().listen()
  const database = await migratedDatabase('sqlite')
  removeDatabase = database.remove
  await writeFile(`${database.dataDir}/wechat.pem`, wechat.platform.publicKey)
  gateway = await startGateway({
    database,
    environment: {
      TEST_WECHAT_KEY: wechat.merchant.privateKey,
      TEST_WECHAT_V3: wechat.apiV3Key,
      TEST_ALIPAY_KEY: alipay.application.privateKey,
      TEST_ALIPAY_PUBLIC: alipay.own.publicKey,
    },
    file: {
      payments: {
        ...{ wechat: wechat.settings(database.dataDir), alipay: alipay.settings() },
        ...{ queryAfterSeconds: [3600], openPerProject: 30 },
      },
    },
  })
  payer = new Browser(gateway)
  await payer.register()
})
afterAll(async () => {
  await gateway.stop()
  await removeDatabase()
  wechat.stop()
  alipay.stop()
})

let keys = 0
const create = async (method: string, amountFen = 1000, display = 'qr') => {
  keys += 1
  return payer.post('/v1/console/payments', { amountFen, method, display }, { 'idempotency-key': `key ${keys}` })
}
const stateOf = async (paymentId: string) => (await payer.get(`/v1/console/payments/${paymentId}`)).body.state
const noteOf = (paymentId: string) => {
  const line = gateway.log.find((one) => one.includes('a payment needs a review') && one.includes(paymentId))
  return JSON.parse(line ?? '{}').note
}
const send = (method: string, body: string, headers: Record<string, string> = {}) =>
  gateway.send('POST', `/v1/payments/callbacks/${method}`, headers, body)
const form = { 'content-type': 'application/x-www-form-urlencoded' }

describe('WeChat Pay', () => {
  it('a QR code is paid, the callback brings the query forward, and the credits arrive', async () => {
    const { status, body } = await create('wechat')
    expect({ status, body }).toMatchObject({
      status: 201,
      body: {
        state: 'waiting',
        qrText: `weixin://wxpay/bizpayurl?pr=${body.paymentId}`,
        redirectUrl: null,
        credits: 100,
      },
    })
    const sent = JSON.parse(wechat.requests.find(({ path }) => path.endsWith('native'))!.body)
    expect(sent).toMatchObject({
      out_trade_no: body.paymentId,
      notify_url: 'http://localhost:8787/v1/payments/callbacks/wechat',
      amount: { total: 1000, currency: 'CNY' },
    })
    wechat.pay(body.paymentId)
    const callback = wechat.callback(body.paymentId)
    expect(await send('wechat', callback.body, callback.headers)).toMatchObject({ status: 200 })
    await expect.poll(() => stateOf(body.paymentId)).toBe('paid')
    expect((await payer.get('/v1/me')).body.credits.available).toBe(100)
    const { items } = (await payer.get('/v1/console/ledger')).body
    expect(items[0]).toMatchObject({ kind: 'credit', reference: `wechat:42${body.paymentId}` })
    // The same again changes nothing.
    expect((await send('wechat', callback.body, callback.headers)).status).toBe(200)
    expect((await payer.post(`/v1/orders/${body.orderId}/confirm`, {})).body.error.code).toBe('ORDER_NOT_PAYABLE')
    expect((await payer.post(`/v1/console/payments/${body.paymentId}/cancel`, {})).body.error.code).toBe(
      'PAYMENT_NOT_CANCELLABLE',
    )
  })

  it('phones get a redirect with the address of the payer', async () => {
    const { body } = await create('wechat', 1000, 'redirect')
    expect(body).toMatchObject({ qrText: null, redirectUrl: `https://wx.tenpay.com/${body.paymentId}` })
    const sent = JSON.parse(wechat.requests.find(({ path }) => path.endsWith('h5'))!.body)
    expect(sent.scene_info).toEqual({ payer_client_ip: '127.0.0.1', h5_info: { type: 'Wap' } })
  })

  it.each([
    ['a changed body', (body: string) => ({ body: body.replace('EV-', 'EW-') })],
    ['a probe', (body: string) => ({ body, signature: 'WECHATPAY/SIGNTEST/abc' })],
    ['another serial', (body: string) => ({ body, serial: 'PUB_KEY_ID_0000000000000000000000000000' })],
    ['an old time', (body: string) => ({ body, age: 400_000 })],
  ])('a callback with %s is 401 and changes nothing', async (_, change) => {
    const { paymentId } = (await create('wechat')).body
    const changed: { body: string; signature?: string; serial?: string; age?: number } = change('')
    const { headers, body } = wechat.callback(paymentId, 'EV-1', Date.now() - (changed.age ?? 0))
    const response = await send('wechat', change(body).body, {
      ...headers,
      ...(changed.signature && { 'wechatpay-signature': changed.signature }),
      ...(changed.serial && { 'wechatpay-serial': changed.serial }),
    })
    expect(response).toMatchObject({ status: 401, body: { code: 'FAIL' } })
  })

  it('a callback for an unknown order is answered so that it is repeated', async () => {
    const { headers, body } = wechat.callback('pay_nobody00000000000000')
    expect(await send('wechat', body, headers)).toMatchObject({ status: 404, body: { code: 'FAIL' } })
    const metrics = (await gateway.operator('/metrics')).text
    expect(metrics).toContain('gateway_payment_callbacks_total{method="wechat",result="unknown_order"} 1')
    expect(metrics).toMatch(/gateway_payment_callbacks_total\{method="wechat",result="bad_signature"\} [4-9]/)
  })

  it('a lost response to the creation is resolved by a query and another creation', async () => {
    wechat.losesResponses = true
    const { status, body } = await create('wechat')
    wechat.losesResponses = false
    expect({ status, body }).toMatchObject({ status: 201, body: { state: 'created', qrText: null } })
    expect((await payer.post(`/v1/console/payments/${body.paymentId}/check`, {})).status).toBe(202)
    await expect.poll(() => stateOf(body.paymentId)).toBe('waiting')
  })

  it('a response that is not signed is never credited', async () => {
    const { paymentId } = (await create('wechat')).body
    wechat.pay(paymentId)
    wechat.signsResponses = false
    await payer.post(`/v1/console/payments/${paymentId}/check`, {})
    await expect
      .poll(() => gateway.log.some((line) => line.includes('but not signed') && line.includes(paymentId)))
      .toBe(true)
    expect(await stateOf(paymentId)).toBe('waiting')
    wechat.signsResponses = true
    await payer.post(`/v1/console/payments/${paymentId}/check`, {})
    await expect.poll(() => stateOf(paymentId)).toBe('paid')
  })

  it.each([
    ['does not say how much', undefined, 'paid 1000 fen CNY, refunded at the provider, which does not say how much'],
    ['says so', 400, 'paid 1000 fen CNY, 400 fen of it refunded at the provider: 600 fen are left'],
  ])('a payment that was paid back by hand is not credited: the response %s', async (_, refunded, note) => {
    const { available } = (await payer.get('/v1/me')).body.credits
    const { paymentId } = (await create('wechat')).body
    await payer.post(`/v1/console/payments/${paymentId}/cancel`, {})
    await expect.poll(() => wechat.orders.get(paymentId)!.state).toBe('CLOSED')
    wechat.pay(paymentId)
    wechat.payBack(paymentId, refunded)
    await payer.post(`/v1/console/payments/${paymentId}/check`, {})
    await expect.poll(() => stateOf(paymentId)).toBe('review')
    expect(noteOf(paymentId)).toBe(note)
    expect((await payer.get('/v1/me')).body.credits.available).toBe(available)
  })

  it('a cancelled payment is closed at the provider, and cancelling it again is the same', async () => {
    const { paymentId } = (await create('wechat')).body
    expect(await payer.post(`/v1/console/payments/${paymentId}/cancel`, {})).toMatchObject({
      status: 200,
      body: { state: 'cancelled' },
    })
    await expect.poll(() => wechat.orders.get(paymentId)!.state).toBe('CLOSED')
    expect((await payer.post(`/v1/console/payments/${paymentId}/cancel`, {})).status).toBe(200)
  })
})

describe('Alipay', () => {
  it('a QR code is paid, and the callback is answered with success', async () => {
    const { body } = await create('alipay', 1200)
    expect(body).toMatchObject({ state: 'waiting', qrText: `https://qr.alipay.com/${body.paymentId}` })
    const early = await send('alipay', alipay.callback(body.paymentId, 'n0'), form)
    expect({ status: early.status, text: early.text }).toEqual({ status: 200, text: 'success' })
    alipay.pay(body.paymentId)
    await send('alipay', alipay.callback(body.paymentId, 'n1'), form)
    await expect.poll(() => stateOf(body.paymentId)).toBe('paid')
    const forged = alipay.callback(body.paymentId, 'n2').replace('TRADE_SUCCESS', 'TRADE_FINISHED')
    expect(await send('alipay', forged, form)).toMatchObject({ status: 401, text: 'failure' })
  })

  it('page pay is a signed address, and closing never cancels', async () => {
    const { body } = await create('alipay', 1000, 'redirect')
    const url = new URL(body.redirectUrl)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      method: 'alipay.trade.page.pay',
      sign_type: 'RSA2',
      notify_url: 'http://localhost:8787/v1/payments/callbacks/alipay',
    })
    await payer.post(`/v1/console/payments/${body.paymentId}/cancel`, {})
    await expect.poll(() => alipay.calls.includes('alipay.trade.close')).toBe(true)
    expect(alipay.calls).not.toContain('alipay.trade.cancel')
  })

  it('another amount goes to review', async () => {
    const { body } = await create('alipay', 1000)
    alipay.pay(body.paymentId, '0.01')
    await payer.post(`/v1/console/payments/${body.paymentId}/check`, {})
    await expect.poll(() => stateOf(body.paymentId)).toBe('review')
  })

  it('a partial refund by hand goes to review with what is left', async () => {
    const { paymentId } = (await create('alipay', 1000)).body
    alipay.pay(paymentId)
    alipay.trades.get(paymentId)!.refundFee = '4.00'
    await payer.post(`/v1/console/payments/${paymentId}/check`, {})
    await expect.poll(() => stateOf(paymentId)).toBe('review')
    expect(noteOf(paymentId)).toBe('paid 1000 fen CNY, 400 fen of it refunded at the provider: 600 fen are left')
  })
})

describe('Alipay, which does not say what was refunded by hand', () => {
  const cancelled = async () => {
    const { paymentId } = (await create('alipay', 1000)).body
    const { length } = alipay.calls
    await payer.post(`/v1/console/payments/${paymentId}/cancel`, {})
    await expect.poll(() => alipay.calls.slice(length)).toContain('alipay.trade.close')
    alipay.pay(paymentId)
    return paymentId
  }
  const chinaTime = (at: number) => new Date(at + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

  it('a cancelled payment that is found long after it was paid goes to review', async () => {
    const paymentId = await cancelled()
    alipay.trades.get(paymentId)!.paidAt = chinaTime(Date.now() - 660_000)
    await payer.post(`/v1/console/payments/${paymentId}/check`, {})
    await expect.poll(() => stateOf(paymentId)).toBe('review')
    expect(noteOf(paymentId)).toContain('does not say whether part of it was refunded')
    // As it is sent with every partial refund by hand.
    const { length } = alipay.calls
    expect((await send('alipay', alipay.callback(paymentId, 'n-refunded'), form)).text).toBe('success')
    await expect.poll(() => alipay.calls.slice(length)).toContain('alipay.trade.query')
    const { available } = (await payer.get('/v1/me')).body.credits
    const next = (await create('alipay', 1000)).body
    alipay.pay(next.paymentId)
    await send('alipay', alipay.callback(next.paymentId, 'n-next'), form)
    await expect.poll(() => stateOf(next.paymentId)).toBe('paid')
    expect(await stateOf(paymentId)).toBe('review')
    expect((await payer.get('/v1/me')).body.credits.available).toBe(available + 100)
  })

  it('a cancelled payment that was just paid is credited', async () => {
    const paymentId = await cancelled()
    alipay.trades.get(paymentId)!.paidAt = chinaTime(Date.now() - 60_000)
    await payer.post(`/v1/console/payments/${paymentId}/check`, {})
    await expect.poll(() => stateOf(paymentId)).toBe('paid')
  })
})

describe('the simulated provider', () => {
  it('the page of the simulated provider pays, and the credits arrive by its signed callback', async () => {
    const { body } = await create('simulated', 500)
    const path = new URL(body.qrText).pathname
    expect((await gateway.send('GET', path)).text).toContain('5.00')
    const act = (fields: string, origin = 'http://localhost:8787') =>
      gateway.send('POST', path, { ...form, origin }, fields)
    expect((await act('action=pay', 'https://evil.example')).status).toBe(403)
    expect((await act('action=pay')).status).toBe(200)
    await expect.poll(() => stateOf(body.paymentId)).toBe('paid')
  })
})

describe('what a payer sends', () => {
  it.each([
    [{ amountFen: 150, method: 'wechat' }, 'RECHARGE_AMOUNT_INVALID'],
    [{ amountFen: 1000, method: 'cash' }, 'PAYMENT_METHOD_INVALID'],
    [{ amountFen: 1000 }, 'PAYMENT_METHOD_INVALID'],
    [{ amountFen: 1000, method: 'wechat', extra: 1 }, 'UNKNOWN_FIELDS'],
  ])('%o is refused', async (body, code) => {
    const response = await payer.post('/v1/console/payments', body, { 'idempotency-key': 'wrong' })
    expect(response).toMatchObject({ status: 400, body: { error: { code } } })
  })

  it('too many open payments are refused until one is cancelled', async () => {
    const other = new Browser(gateway)
    await other.register()
    const begin = (key: number) =>
      other.post('/v1/console/payments', { amountFen: 100, method: 'simulated' }, { 'idempotency-key': `open ${key}` })
    const begun = await Promise.all(Array.from({ length: 30 }, (_, key) => begin(key)))
    expect(begun.map(({ status }) => status)).toEqual(Array(30).fill(201))
    expect(await begin(30)).toMatchObject({ status: 409, body: { error: { code: 'TOO_MANY_OPEN_PAYMENTS' } } })
    expect((await begin(0)).status).toBe(201)
    await other.post(`/v1/console/payments/${begun[0]!.body.paymentId}/cancel`, {})
    expect((await begin(30)).status).toBe(201)
  })

  it('an Idempotency-Key is needed, repeats the payment, and refuses another one', async () => {
    const post = (body: object, key?: string) =>
      payer.post('/v1/console/payments', body, key ? { 'idempotency-key': key } : {})
    expect((await post({ amountFen: 1000, method: 'wechat' })).body.error.code).toBe('IDEMPOTENCY_KEY_REQUIRED')
    const first = await post({ amountFen: 1000, method: 'wechat' }, 'repeated')
    const again = await post({ amountFen: 1000, method: 'wechat' }, 'repeated')
    expect(again.body).toEqual({ ...first.body, idempotentReplay: true })
    expect((await post({ amountFen: 1100, method: 'wechat' }, 'repeated')).body.error.code).toBe('IDEMPOTENCY_CONFLICT')
  })

  it("another project's payment is not found, and pages list each once, the newest first", async () => {
    const { paymentId } = (await create('wechat')).body
    const other = new Browser(gateway)
    await other.register()
    expect((await other.get(`/v1/console/payments/${paymentId}`)).body.error.code).toBe('PAYMENT_NOT_FOUND')
    const seen: string[] = []
    for (let after = ''; ; ) {
      const { items, nextAfter } = (await payer.get(`/v1/console/payments?limit=3${after && `&after=${after}`}`)).body
      seen.push(...items.map((item: { paymentId: string }) => item.paymentId))
      if (nextAfter === null) break
      after = nextAfter
    }
    expect(seen[0]).toBe(paymentId)
    expect(seen).toEqual([...new Set(seen)].sort().reverse())
  })
})
