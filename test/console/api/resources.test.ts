import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Browser, newPhone, password } from '../../../testkit/gateway/browser.ts'
import { expectRefused, look } from '../../../testkit/gateway/console-contract.ts'
import { type Gateway, origin, startGateway, TestClock } from '../../../testkit/gateway/gateway.ts'
import { PayingCustomer } from '../../../testkit/gateway/paying-customer.ts'
import { httpEngines } from '../../../testkit/store/engines.ts'

describe.each(httpEngines)('resources in the console on %s', (engine) => {
  const clock = new TestClock()
  let gateway: Gateway
  beforeAll(async () => {
    gateway = await startGateway({ engine, clock: clock.read })
  })
  afterAll(() => gateway.stop())

  test('keys are listed as by GET /v1/keys, with their usage', async () => {
    const customer = await PayingCustomer.join(gateway)
    const unused = await customer.browser.createKey(['pick:read'])
    await customer.call('model.chat', { prompt: 'hello' }, 'once')
    await customer.call('model.chat', { prompt: 'hello' }, 'once')
    await customer.browser.post(`/v1/keys/${unused.keyId}/revoke`, {})
    const { items, maxActive } = await look(customer.browser, 'console.keys.list')
    expect(maxActive).toBe(50)
    const at = new Date(clock.now).toISOString()
    const plain = (await customer.browser.get('/v1/keys')).body.items
    const uses = [
      // A replay does not count as a call.
      { calls: 1, lastUsedAt: at, lastUsedFrom: '127.0.0.x' },
      { keyId: unused.keyId, calls: 0, lastUsedAt: null, lastUsedFrom: null },
    ]
    const settings = {
      name: null,
      budget: null,
      budgetSpent: null,
      budgetResetsAt: null,
      allowedAddresses: null,
      showsBalance: true,
      logsContent: false,
    }
    expect(items).toEqual(plain.map((key: object, i: number) => ({ ...key, ...settings, ...uses[i] })))
    expect(items.map(({ state }: { state: string }) => state)).toEqual(['active', 'revoked'])
  })

  test('orders are listed with their state, newest first', async () => {
    const browser = new Browser(gateway)
    await browser.register()
    await browser.recharge(100)
    clock.advanceSeconds(1)
    const pending = await browser.post('/v1/orders', { amountFen: 200 }, { 'idempotency-key': 'pending' })
    const { items } = await look(browser, 'console.orders.list')
    // The public contract knows neither an end of the time to pay nor payments.
    const { recentOrders } = (await browser.get('/v1/me')).body
    const own = { paymentId: null, extraPayments: [], refundedFen: 0, expiresAt: expect.anything() }
    const unpaid = { paidFen: null, paidCurrency: null, paidAt: null }
    const paid = { paidFen: 100, paidCurrency: 'CNY', paidAt: recentOrders[1].creditedAt }
    expect(items).toEqual([
      { ...recentOrders[0], ...own, ...unpaid },
      { ...recentOrders[1], ...own, ...paid },
    ])
    expect(items.map(({ state }: { state: string }) => state)).toEqual(['pending', 'credited'])
    expect(items[0].orderId).toBe(pending.body.orderId)
  })

  test('an order is read by its id, by its owner only', async () => {
    const [owner, other] = [new Browser(gateway), new Browser(gateway)]
    await owner.register()
    await other.register()
    await owner.recharge(100)
    const { items } = await look(owner, 'console.orders.list')
    const path = `/v1/console/orders/${items[0].orderId}`
    expect(await look(owner, 'console.orders.read', '', path)).toEqual(items[0])
    for (const [browser, at] of [
      [other, path],
      [owner, '/v1/console/orders/ord_none'],
      [owner, '/v1/console/orders/none'],
    ] as const) {
      expectRefused('console.orders.read', await browser.get(at), 'ORDER_NOT_FOUND')
    }
  })

  test('an unpaid order expires or is cancelled; neither can be confirmed or brings credits', async () => {
    const browser = new Browser(gateway)
    await browser.register()
    const order = async (key: string) =>
      (await browser.post('/v1/orders', { amountFen: 100 }, { 'idempotency-key': key })).body.orderId
    const cancel = (orderId: string) => browser.post(`/v1/console/orders/${orderId}/cancel`, {})
    const stateOf = async (orderId: string) =>
      (await look(browser, 'console.orders.read', '', `/v1/console/orders/${orderId}`)).state
    const [cancelled, late] = [await order('cancelled'), await order('late')]
    expect(await cancel(cancelled)).toMatchObject({ status: 200, body: { orderId: cancelled, state: 'cancelled' } })
    expect(await cancel(cancelled)).toMatchObject({ status: 200, body: { state: 'cancelled' } })
    clock.advanceSeconds(30 * 60 - 1)
    expect(await stateOf(late)).toBe('pending')
    clock.advanceSeconds(1)
    expect(await stateOf(late)).toBe('expired')
    for (const orderId of [cancelled, late]) {
      const confirmed = await browser.post(`/v1/orders/${orderId}/confirm`, {})
      expect(confirmed).toMatchObject({ status: 409, body: { error: { code: 'ORDER_NOT_PAYABLE' } } })
    }
    expect((await browser.get('/v1/me')).body).toMatchObject({ credits: { available: 0 }, recentOrders: [] })
    // The same Idempotency-Key still finds its order.
    expect(await order('cancelled')).toBe(cancelled)

    const paid = await order('paid')
    await browser.post(`/v1/orders/${paid}/confirm`, {})
    expectRefused('console.orders.cancel', await cancel(paid), 'ORDER_NOT_PAYABLE')
    expectRefused('console.orders.cancel', await cancel('ord_none'), 'ORDER_NOT_FOUND')
    const other = new Browser(gateway)
    await other.register()
    const foreign = await other.post(`/v1/console/orders/${await order('foreign')}/cancel`, {})
    expectRefused('console.orders.cancel', foreign, 'ORDER_NOT_FOUND')
  })

  test('signing out everywhere ends every session of the account and of no other', async () => {
    const phone = newPhone()
    const [desk, other] = [new Browser(gateway), new Browser(gateway)]
    await desk.register(phone)
    await other.register()
    clock.advanceSeconds(60)
    const laptop = new Browser(gateway)
    await laptop.post('/v1/auth/login', { identifier: phone, password })
    const { items } = await look(laptop, 'console.sessions.list')
    expect(items.map(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).toEqual([true, false])
    expect(items[0]).toMatchObject({
      network: '127.0.0.x',
      createdAt: new Date(clock.now).toISOString(),
      expiresAt: new Date(clock.now + 43_200_000).toISOString(),
    })

    const response = await laptop.post('/v1/console/sessions/end-all', {})
    expect(response).toMatchObject({ status: 200, body: { state: 'logged_out', endedSessions: 2 } })
    expect(response.headers['set-cookie']).toBe('gateway_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict')
    laptop.cookie = undefined
    for (const browser of [desk, laptop]) {
      expectRefused('console.sessions.list', await browser.get('/v1/console/sessions'), 'GATEWAY_AUTH_REQUIRED')
    }
    expect((await look(other, 'console.sessions.list')).items).toHaveLength(1)
  })

  test('signing out everywhere needs the origin, the session, the CSRF token and an empty body', async () => {
    const browser = new Browser(gateway)
    await browser.register()
    const path = '/v1/console/sessions/end-all'
    const id = 'console.sessions.end_all'
    const { cookie = '', csrfToken = '' } = browser
    const send = (headers: Record<string, string>, body = '{}') => gateway.send('POST', path, headers, body)
    expectRefused(id, await send({ cookie, 'x-csrf-token': csrfToken }), 'ORIGIN_INVALID')
    expectRefused(id, await send({ origin, 'x-csrf-token': csrfToken }), 'GATEWAY_AUTH_REQUIRED')
    expectRefused(id, await send({ origin, cookie }), 'CSRF_INVALID')
    expectRefused(id, await send({ origin, cookie, 'x-csrf-token': csrfToken }, '{"all":true}'), 'UNKNOWN_FIELDS')
    expect((await look(browser, 'console.sessions.list')).items).toHaveLength(1)
  })
})

describe('the catalog', () => {
  test('the catalog shows what a call may name and nothing private to the operator', async () => {
    const gateway = await startGateway({
      file: {
        models: {
          default: 'model_provider_b',
          providers: {
            model_provider_b: {
              adapter: 'openai',
              baseUrl: 'http://upstream.test/v1',
              apiKeyEnv: 'SECRET_NAME',
              models: { fast: 'upstream-name', slow: 'other-upstream-name' },
              maxPromptChars: 500,
              maxOutputTokens: 4096,
            },
            model_provider_c: { adapter: 'disabled' },
          },
        },
        shopping: {
          mode: 'pick-http',
          providers: {
            shop_provider_a: { baseUrl: 'http://shop.test', linkHosts: ['item.shop.test'] },
            shop_provider_b: { baseUrl: 'http://shop.test', disabled: true },
          },
        },
      },
    })
    const browser = new Browser(gateway)
    await browser.register()
    const off = { enabled: false, adapter: null }
    expect(await look(browser, 'console.models.list')).toEqual({
      defaultMediaProvider: 'media_provider_a',
      mediaCreditsPerSecond: 5,
      mediaProviders: [
        { provider: 'media_provider_a', enabled: true, adapter: 'local' },
        { provider: 'media_provider_b', ...off },
        { provider: 'media_provider_c', ...off },
      ],
      defaultModelProvider: 'model_provider_b',
      modelProviders: [
        {
          provider: 'model_provider_a',
          enabled: true,
          adapter: 'local',
          models: ['local-small', 'local-large'],
          defaultModel: 'local-small',
          maxPromptChars: 8000,
          maxOutputTokens: 4096,
        },
        {
          provider: 'model_provider_b',
          enabled: true,
          adapter: 'remote',
          models: ['fast', 'slow'],
          defaultModel: 'fast',
          maxPromptChars: 500,
          maxOutputTokens: 4096,
        },
        {
          provider: 'model_provider_c',
          ...off,
          models: [],
          defaultModel: null,
          maxPromptChars: null,
          maxOutputTokens: null,
        },
      ],
      shoppingMode: 'pick-http',
      shops: [
        { provider: 'shop_provider_a', enabled: true, adapter: 'remote' },
        { provider: 'shop_provider_b', ...off },
        { provider: 'shop_provider_c', ...off },
      ],
    })
    await gateway.stop()
  })

  test('the catalog shows local fixtures as local, and no inbox without an operator listener', async () => {
    const gateway = await startGateway({ environment: { GATEWAY_OPERATOR_LISTEN: 'off' } })
    const browser = new Browser(gateway)
    await browser.register()
    const { shoppingMode, shops } = await look(browser, 'console.models.list')
    expect(shoppingMode).toBe('local-mock')
    expect(shops).toEqual(
      ['a', 'b', 'c'].map((letter) => ({ provider: `shop_provider_${letter}`, enabled: true, adapter: 'local' })),
    )
    expect((await look(browser, 'console.overview')).smsInboxUrl).toBeNull()
    await gateway.stop()
  })
})
