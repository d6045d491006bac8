import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ErrorCode } from '../../../../src/contract/errors.ts'
import { type BillableOperation, billableOperations, prices, scopes } from '../../../../src/contract/prices.ts'
import { expectInContract, expectRefusal } from '../../../../testkit/gateway/contract-check.ts'
import { type Gateway, type HttpResponse, startGateway, TestClock } from '../../../../testkit/gateway/gateway.ts'
import { PayingCustomer } from '../../../../testkit/gateway/paying-customer.ts'
import { otherRequest, rightRequest, wrongRequests } from '../../../../testkit/providers/operation-rows.ts'
import { httpEngines } from '../../../../testkit/store/engines.ts'

const items = [
  { provider: 'shop_provider_a', productId: 'a-1001' },
  { provider: 'shop_provider_b', productId: 'b-2044' },
]
const callsPerMinute = 15

describe.each(httpEngines)('the order of checks on %s', (engine) => {
  const clock = new TestClock()
  let gateway: Gateway

  beforeAll(async () => {
    const limits = { callsPerKey: { max: callsPerMinute, windowSeconds: 60 } }
    gateway = await startGateway({ engine, clock: clock.read, file: { limits, keys: { lifetimeSeconds: 3600 } } })
  })
  afterAll(() => gateway.stop())

  /** Calls until the credits are spent; returns the Idempotency-Key of the first call. */
  async function spendAll(customer: PayingCustomer, operation: BillableOperation): Promise<string> {
    const used = customer.newKey()
    await customer.call(operation, rightRequest(operation, { items }), used)
    const { available } = await customer.credits()
    for (let left = available; left >= prices[operation].credits; left -= prices[operation].credits)
      await customer.call(operation, rightRequest(operation, { items }))
    return used
  }

  it.each(billableOperations)('%s: each fault is reported before all later ones', async (operation) => {
    const { path, scope } = prices[operation]
    const [code, [wrong]] = Object.entries(wrongRequests(operation))[0] as [ErrorCode, [object]]
    const other = JSON.stringify(otherRequest(operation, { items }))
    const customer = await PayingCustomer.join(gateway, { amountFen: 100 })
    await customer.call('pick.search', { query: '保温杯' })
    const used = await spendAll(customer, operation)
    const { apiKey: unscoped } = await customer.browser.createKey(scopes.filter((other) => other !== scope))
    const { apiKey: revoked, keyId } = await customer.browser.createKey(scopes.filter((other) => other !== scope))
    await customer.browser.post(`/v1/keys/${keyId}/revoke`, {})

    const send = (body: string, headers: Record<string, string> = {}): Promise<HttpResponse> =>
      gateway.send('POST', path, headers, body)
    const bearer = (apiKey: string) => ({ authorization: `Bearer ${apiKey}` })
    const refused = (response: HttpResponse, expected: ErrorCode) => expectRefusal(operation, response, expected)

    // Starts with every fault at once and fixes one after the other.
    refused(await send('no JSON'), 'UNAUTHORIZED')
    refused(await send('no JSON', bearer(revoked)), 'UNAUTHORIZED')
    refused(await send('no JSON', bearer(unscoped)), 'FORBIDDEN')
    const mine = bearer(customer.apiKey)
    let limited = await send('no JSON', mine)
    for (let i = 0; i < callsPerMinute && limited.status !== 429; i += 1) {
      refused(limited, 'IDEMPOTENCY_KEY_REQUIRED')
      limited = await send('no JSON', mine)
    }
    refused(limited, 'RATE_LIMITED')
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
    clock.advanceSeconds(Number(limited.headers['retry-after']))
    refused(await send('no JSON', mine), 'IDEMPOTENCY_KEY_REQUIRED')
    const again = { ...mine, 'idempotency-key': used }
    refused(await send('no JSON', again), 'INVALID_JSON')
    refused(await send(JSON.stringify({ ...wrong, other: 1 }), again), 'UNKNOWN_FIELDS')
    refused(await send(JSON.stringify(wrong), again), code)
    refused(await send(other, again), 'IDEMPOTENCY_CONFLICT')
    const fresh = { ...mine, 'idempotency-key': customer.newKey() }
    refused(await send(other, fresh), 'INSUFFICIENT_PAID_CREDITS')
    await customer.browser.recharge(100)
    const paid = await send(other, fresh)
    expect(paid.status).toBe(200)
    expectInContract(operation, paid)
  })

  it('an expired key is refused as expired before its scope is checked, a revoked one as unknown', async () => {
    const customer = await PayingCustomer.join(gateway)
    const lacking = await customer.browser.createKey(['shopping:search'])
    const gone = await customer.browser.createKey(['shopping:search'])
    await customer.browser.post(`/v1/keys/${gone.keyId}/revoke`, {})
    clock.advanceSeconds(3600)
    const call = ({ apiKey }: { apiKey: string }) => gateway.call(apiKey, '/v1/models/chat', 'any', { prompt: '你好' })
    expectRefusal('model.chat', await call(lacking), 'KEY_EXPIRED')
    expectRefusal('model.chat', await call(gone), 'UNAUTHORIZED')
  })

  it.each([
    ['no scheme', (key: string) => key],
    ['another scheme', (key: string) => `Basic ${key}`],
    ['a tail', (key: string) => `Bearer ${key} x`],
    ['another letter case', (key: string) => `Bearer ${key.toUpperCase()}`],
    ['a letter less', (key: string) => `Bearer ${key.slice(0, -1)}`],
    ['nothing', () => 'Bearer '],
  ])('a bearer with %s is 401 UNAUTHORIZED', async (_, write) => {
    const { apiKey } = await PayingCustomer.join(gateway)
    const headers = { authorization: write(apiKey), 'idempotency-key': 'any' }
    const response = await gateway.send('POST', '/v1/models/chat', headers, '{"prompt":"x"}')
    expectRefusal('model.chat', response, 'UNAUTHORIZED')
  })

  it('a session cookie does not authorise a business call', async () => {
    const { browser } = await PayingCustomer.join(gateway)
    const response = await browser.post('/v1/models/chat', { prompt: '你好' }, { 'idempotency-key': 'any' })
    expectRefusal('model.chat', response, 'UNAUTHORIZED')
  })
})
