import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LookedUpItem } from '../../../../src/features/operators/lookup/contract.ts'
import { type Gateway, startGateway, testSecret } from '../../../../testkit/gateway/gateway.ts'
import { expectOperated, type OperatorBrowser, signedInOperator } from '../../../../testkit/gateway/operator-browser.ts'
import { PayingCustomer } from '../../../../testkit/gateway/paying-customer.ts'
import { runCommand } from '../../../../testkit/gateway/run-command.ts'
import { behaves, startUpstream, type Upstream } from '../../../../testkit/providers/upstream.ts'
import { engines } from '../../../../testkit/store/engines.ts'

const reason = 'because of a test'

describe.each(engines)('what customers quote on %s', (engine) => {
  let gateway: Gateway
  let upstream: Upstream
  let customer: PayingCustomer
  let viewer: OperatorBrowser
  let accountId: string
  beforeAll(async () => {
    upstream = await startUpstream(behaves.reset())
    const uncertain = { adapter: 'openai', baseUrl: `${upstream.url}/v1`, models: { fast: 'upstream-name' } }
    gateway = await startGateway({ engine, file: { models: { providers: { model_provider_b: uncertain } } } })
    customer = await PayingCustomer.join(gateway)
    await PayingCustomer.join(gateway, { amountFen: 0 })
    accountId = (await customer.browser.get('/v1/me')).body.account.accountId
    viewer = await signedInOperator(gateway, 'viewer', 'viewer')
  })
  afterAll(async () => {
    await gateway.stop()
    await upstream.close()
  })

  async function find(q: string): Promise<LookedUpItem[]> {
    const response = await viewer.get(`/api/search?q=${encodeURIComponent(q)}`)
    expectOperated('operator.search', response)
    return response.body.items
  }

  /** Of a payment that was paid, 10.50 yuan are refunded. */
  async function payAndRefund() {
    const created = await customer.browser.post(
      '/v1/console/payments',
      { amountFen: 20_000, method: 'simulated' },
      { 'idempotency-key': 'paid' },
    )
    const { paymentId, orderId, qrText } = created.body
    const form = { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://localhost:8787' }
    await gateway.send('POST', new URL(qrText).pathname, form, 'action=pay')
    const state = async () => (await viewer.get(`/api/payments/${paymentId}`)).body.state
    await expect.poll(state).toBe('paid')
    const treasurer = await signedInOperator(gateway, 'treasurer', 'treasurer')
    const refund = { amountFen: 1050, reference: 'ticket 1', reason }
    const { refundId } = (await treasurer.post(`/api/payments/${paymentId}/refund`, refund)).body
    return { paymentId, orderId, refundId }
  }

  test('every id is found by itself and by its beginning, and leads to its page', async () => {
    const { headers } = await customer.call('model.chat', { prompt: 'hello' })
    const [chargeId, requestId] = [String(headers['x-charge-id']), String(headers['x-request-id'])]
    const job = await gateway.call(customer.apiKey, '/v1/media/jobs', 'a job', { prompt: 'a cat', seconds: 2 })
    const ofJob = (await customer.browser.get('/v1/console/usage')).body.items[0].chargeId
    const [{ keyId }] = (await customer.browser.get('/v1/console/keys')).body.items
    const [{ orderId: plainOrder }] = (await customer.browser.get('/v1/console/orders')).body.items
    const { paymentId, orderId, refundId } = await payAndRefund()
    const { projectId } = customer
    for (const [kind, id, path, label] of [
      ['account', accountId, `/accounts/${accountId}`, expect.stringMatching(/^1\d\d\*{4}\d{4}$/)],
      ['project', projectId, `/accounts/${accountId}`, expect.stringContaining('****')],
      ['key', keyId, `/accounts/${accountId}`, expect.any(String)],
      ['charge', chargeId, `/charges/${chargeId}`, 'model.chat'],
      ['request', requestId, `/charges/${chargeId}`, 'model.chat'],
      ['order', orderId, `/payments/${paymentId}`, '¥200.00'],
      ['order', plainOrder, `/accounts/${accountId}?view=orders`, '¥1000.00'],
      ['payment', paymentId, `/payments/${paymentId}`, '¥200.00'],
      ['refund', refundId, `/payments/${paymentId}`, '¥10.50'],
      ['job', job.body.jobId, `/charges/${ofJob}`, expect.any(String)],
    ] as const) {
      const item = { kind, id, projectId, accountId, label, path }
      expect(await find(` ${id} `)).toEqual([item])
      expect(await find(id.slice(0, 17))).toContainEqual(item)
      expect(await find(`${id}0`)).toEqual([])
    }
  })

  test('a whole phone number, an email and the start of a key are found, and no contact is shown', async () => {
    const { phone } = gateway.messages[0]!
    const account = { kind: 'account', id: accountId, path: `/accounts/${accountId}` }
    for (const q of [phone, `+86 ${phone.slice(0, 3)} ${phone.slice(3)}`]) {
      const found = await viewer.post('/api/search', { q })
      expect(found.body.items).toMatchObject([account])
      expect(found.text).not.toContain(phone)
    }
    const sent = async (q: string): Promise<LookedUpItem[]> => {
      const response = await viewer.post('/api/search', { q })
      expectOperated('operator.find', response)
      return response.body.items
    }
    expect(await sent('li@example.com')).toContainEqual(expect.objectContaining(account))
    expect(await find(customer.apiKey.slice(0, 12))).toMatchObject([{ kind: 'key', accountId }])
    expect(await sent(customer.apiKey)).toMatchObject([{ kind: 'key', accountId }])
    expect(await sent(accountId)).toEqual(await find(accountId))
    expect(await sent(phone.slice(0, 10))).toEqual([])
    for (const q of ['x', 'x'.repeat(255), 7])
      expect((await viewer.post('/api/search', { q })).body.error.code).toBe('QUERY_INVALID')
  })

  test('a contact or an API key in the address of a search is refused, for operators and payers', async () => {
    const { phone } = gateway.messages[0]!
    const fullWidth = [...phone].map((digit) => String.fromCodePoint(digit.codePointAt(0)! + 0xfee0)).join('')
    for (const q of [phone, `+86 ${phone}`, `0086-${phone}`, fullWidth, 'li@example.com', `x ${customer.apiKey}`]) {
      const path = `search?q=${encodeURIComponent(q)}`
      for (const refused of [await viewer.get(`/api/${path}`), await customer.browser.get(`/v1/console/${path}`)])
        expect([q, refused.status, refused.body.error?.code]).toEqual([q, 400, 'REQUEST_TARGET_INVALID'])
    }
  })

  test('at most 20 are found, and nothing by a text of another form', async () => {
    for (let call = 0; call < 25; call += 1) await customer.call('model.chat', { prompt: 'hello' })
    const newest = (await customer.browser.get('/v1/console/usage?limit=1')).body.items[0].chargeId
    const found = await find('chg_0')
    expect(found).toHaveLength(20)
    expect(found[0]!.id).toBe(newest)
    expect(await find('req_0')).toHaveLength(20)
    for (const q of ['chg', 'chg-0', 'xyz_1', "chg_' OR 1=1 --", '%%', '调用']) expect(await find(q)).toEqual([])
    for (const q of ['', '?q=x', `?q=${'x'.repeat(255)}`]) {
      expect((await viewer.get(`/api/search${q}`)).status).toBe(q === '' ? 200 : 400)
    }
  })

  test('a charge is shown with its times, response, events and who decided about it', async () => {
    const held = await customer.call('model.chat', { provider: 'model_provider_b', prompt: 'hello' })
    const { chargeId } = held.body
    const show = async () => {
      const response = await viewer.get(`/api/charges/${chargeId}`)
      expectOperated('operator.charges.show', response)
      return response.body
    }
    expect(await show()).toMatchObject({
      ...{ chargeId, accountId, projectId: customer.projectId, state: 'manual_review', decision: null },
      ...{ requestId: held.headers['x-request-id'], operation: 'model.chat', credits: 3, isForwarded: true, job: null },
      reason: { code: expect.stringMatching(/^PROVIDER_/) },
      response: { status: 202 },
      entries: [{ kind: 'reserve' }, { kind: 'review' }],
      events: [{ type: 'charge.review_opened', deliveries: [] }],
    })
    const support = await signedInOperator(gateway, 'support', 'support')
    await support.post('/api/reviews/decide', { chargeIds: [chargeId], decision: 'released', reason })
    expect(await show()).toMatchObject({
      state: 'released',
      decision: { decision: 'released', by: expect.stringContaining('support'), reason },
      events: [{ type: 'charge.review_opened' }, { type: 'charge.review_decided' }],
    })
    for (const unknown of ['chg_0', 'pay_0']) {
      const refused = await viewer.get(`/api/charges/${unknown}`)
      expect(refused).toMatchObject({ status: 404, body: { error: { code: 'CHARGE_NOT_FOUND' } } })
    }
  })

  test('the command finds the same', async () => {
    const environment = { GATEWAY_SECRET: testSecret }
    const run = (text: string, ...more: string[]) =>
      runCommand(gateway.database, ['find', text, ...more], { environment, stdin: `${gateway.messages[0]!.phone}\n` })
    const json = await run(accountId, '--json')
    expect(JSON.parse(json.stdout)).toEqual({ items: await find(accountId) })
    expect(JSON.parse((await run('-', '--json')).stdout)).toMatchObject({ items: [{ id: accountId }] })
    expect((await run(accountId)).stdout).toContain(`/accounts/${accountId}`)
    expect(await run('acc_nobody')).toMatchObject({ exitCode: 0, stdout: 'Nothing found.\n' })
    expect(await run('x')).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('2 to 254 characters') })
  })
})
