import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BillableOperation, billableOperations, prices } from '../../../../src/contract/prices.ts'
import { expectInContract, expectRefusal } from '../../../../testkit/gateway/contract-check.ts'
import { type Gateway, startGateway } from '../../../../testkit/gateway/gateway.ts'
import { PayingCustomer } from '../../../../testkit/gateway/paying-customer.ts'
import { goodProvider, shownBy } from '../../../../testkit/providers/good-provider.ts'
import { otherRequest, rightRequest } from '../../../../testkit/providers/operation-rows.ts'
import { startUpstream, type Upstream } from '../../../../testkit/providers/upstream.ts'
import { engines, openDatabase } from '../../../../testkit/store/engines.ts'

/** With optional fields, so that a repeated call has something to write differently. */
const requestOf = (operation: BillableOperation) => otherRequest(operation)
const another = (operation: BillableOperation) => rightRequest(operation)

/** The same JSON value written differently: keys reversed, white space, letters and slashes escaped. */
function rewritten(value: unknown): string {
  if (Array.isArray(value)) return `[ ${value.map(rewritten).join(' ,\n')} ]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).reverse()
    return `{\t${members.map(([name, member]) => ` ${rewritten(name)} : ${rewritten(member)} `).join(',')}\r\n}`
  }
  if (typeof value === 'number') return `${value / 10}e1`
  return `"${[...String(value)].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`
}

describe.each(engines)('Idempotency-Key on %s', (engine) => {
  let upstream: Upstream
  let gateway: Gateway
  let customer: PayingCustomer

  beforeAll(async () => {
    upstream = await startUpstream(goodProvider)
    gateway = await startGateway({ engine, file: configFor(upstream) })
    customer = await joined()
  })
  afterAll(async () => {
    await gateway.stop()
    await upstream.close()
  })

  async function joined(amountFen = 100_000): Promise<PayingCustomer> {
    const payer = await PayingCustomer.join(gateway, { amountFen })
    if (amountFen > 0) await payer.call('pick.search', { query: 'what the pick operations read' })
    return payer
  }

  const resend = (operation: BillableOperation, key: string, body: string) =>
    gateway.send(
      'POST',
      prices[operation].path,
      { authorization: `Bearer ${customer.apiKey}`, 'idempotency-key': key },
      body,
    )

  it.each(billableOperations)(
    '%s replays a repeated call with the same bytes, and charges and forwards once',
    async (operation) => {
      const key = customer.newKey()
      const request = requestOf(operation)
      const before = await customer.credits()
      const original = await customer.call(operation, request, key)
      expect(original.status).toBe(200)
      expect(original.headers['idempotent-replayed']).toBeUndefined()
      const forwarded = upstream.calls.length
      for (const body of [JSON.stringify(request), rewritten(request), `\n ${JSON.stringify(request, null, 3)} `]) {
        const replay = await resend(operation, key, body)
        expect(replay.headers['idempotent-replayed']).toBe('true')
        expect(replay).toMatchObject({ status: 200, text: original.text })
        expectInContract(operation, replay)
      }
      expect(upstream.calls).toHaveLength(forwarded)
      expect(await customer.credits()).toEqual({
        available: before.available - prices[operation].credits,
        reserved: 0,
      })
    },
  )

  it.each(billableOperations)(
    '%s refuses the key for another request or operation, and charges nothing',
    async (operation) => {
      const key = customer.newKey()
      await customer.call(operation, requestOf(operation), key)
      const before = await customer.credits()
      const forwarded = upstream.calls.length
      expectRefusal(operation, await customer.call(operation, another(operation), key), 'IDEMPOTENCY_CONFLICT')
      for (const other of billableOperations.filter((id) => id !== operation)) {
        expectRefusal(other, await customer.call(other, requestOf(other), key), 'IDEMPOTENCY_CONFLICT')
      }
      expect(upstream.calls).toHaveLength(forwarded)
      expect(await customer.credits()).toEqual(before)
    },
  )

  it('Idempotency-Key treats a request with its defaults written out as another request', async () => {
    const key = customer.newKey()
    await customer.call('pick.search', { query: '杯' }, key)
    expectRefusal(
      'pick.search',
      await customer.call('pick.search', { query: '杯', limit: 3 }, key),
      'IDEMPOTENCY_CONFLICT',
    )
  })

  it('Idempotency-Key treats two different lone surrogates as different requests', async () => {
    const key = customer.newKey()
    expect((await customer.call('model.chat', { prompt: '\ud83c' }, key)).status).toBe(200)
    expect((await customer.call('model.chat', { prompt: '\ud83c' }, key)).headers['idempotent-replayed']).toBe('true')
    for (const prompt of ['\ud83d', '\ufffd', '"\\ud83c"'])
      expectRefusal('model.chat', await customer.call('model.chat', { prompt }, key), 'IDEMPOTENCY_CONFLICT')
  })

  it('Idempotency-Key belongs to the project: its other API keys replay, another project is charged separately', async () => {
    const key = customer.newKey()
    const original = await customer.call('model.chat', requestOf('model.chat'), key)
    const { apiKey } = await customer.browser.createKey(['models:invoke'])
    const replay = await gateway.call(apiKey, prices['model.chat'].path, key, requestOf('model.chat'))
    expect(replay.headers['idempotent-replayed']).toBe('true')
    expect(replay.text).toBe(original.text)

    const stranger = await joined()
    const before = await stranger.credits()
    const fresh = await stranger.call('model.chat', requestOf('model.chat'), key)
    expect(fresh.status).toBe(200)
    expect(fresh.headers['idempotent-replayed']).toBeUndefined()
    expect((await stranger.credits()).available).toBe(before.available - 3)
  })

  it('Idempotency-Key is 1 to 128 characters', async () => {
    for (const key of ['x', 'x'.repeat(128)]) {
      expect((await customer.call('model.chat', requestOf('model.chat'), key)).status).toBe(200)
    }
    expect(await customer.call('model.chat', requestOf('model.chat'), 'x'.repeat(129))).toMatchObject({
      status: 400,
      body: { error: { code: 'IDEMPOTENCY_KEY_REQUIRED' } },
    })
  })

  it('one of many concurrent calls is charged and forwarded; the others get its response', async () => {
    const key = customer.newKey()
    const before = await customer.credits()
    const forwarded = upstream.calls.length
    const responses = await Promise.all(
      Array.from({ length: 25 }, () => customer.call('model.chat', requestOf('model.chat'), key)),
    )
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(responses[0]!.status).toBe(200)
    expect(responses.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1)
    expect(upstream.calls).toHaveLength(forwarded + 1)
    expect(await customer.credits()).toEqual({ available: before.available - 3, reserved: 0 })
  })

  it('an Idempotency-Key used by many different requests at once binds one; the others conflict', async () => {
    const key = customer.newKey()
    const before = await customer.credits()
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, i) => customer.call('model.chat', { prompt: `不同 ${i}` }, key)),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
    expect(await customer.credits()).toEqual({ available: before.available - 3, reserved: 0 })
  })

  it('a repeated call is replayed even when no credits are left', async () => {
    const poor = await joined(100)
    const key = poor.newKey()
    const original = await poor.call('agent.run', requestOf('agent.run'), key)
    expect(original.status).toBe(200)
    expectRefusal('agent.run', await poor.call('agent.run', requestOf('agent.run')), 'INSUFFICIENT_PAID_CREDITS')
    const replay = await poor.call('agent.run', requestOf('agent.run'), key)
    expect(replay.headers['idempotent-replayed']).toBe('true')
    expect(replay.text).toBe(original.text)
  })

  it.each(billableOperations)('%s: a key that met 402 stays free, even for another request', async (operation) => {
    const poor = await joined(0)
    const key = poor.newKey()
    const forwarded = upstream.calls.length
    expectRefusal(operation, await poor.call(operation, requestOf(operation), key), 'INSUFFICIENT_PAID_CREDITS')
    expect(upstream.calls).toHaveLength(forwarded)
    await poor.browser.recharge(1000)
    await poor.call('pick.search', { query: 'what the pick operations read' })
    const paid = await poor.call(operation, another(operation), key)
    expect(paid.status).toBe(200)
    expect(paid.headers['idempotent-replayed']).toBeUndefined()
    expect(await poor.credits()).toEqual({ available: 100 - 2 - prices[operation].credits, reserved: 0 })
  })

  it('a key that met a wrong field or an unknown item stays free', async () => {
    const payer = await PayingCustomer.join(gateway)
    const key = payer.newKey()
    expectRefusal(
      'pick.compare',
      await payer.call('pick.compare', { itemRefs: shownBy('shop_provider_a').slice(1) }, key),
      'INVALID_ITEM_REFS',
    )
    const compare = () => payer.call('pick.compare', requestOf('pick.compare'), key)
    expectRefusal('pick.compare', await compare(), 'PROVIDER_CAPABILITY_UNSUPPORTED')
    expect(await payer.credits()).toEqual({ available: 10_000, reserved: 0 })
    await payer.call('pick.search', { query: '杯' })
    const paid = await compare()
    expect(paid.status).toBe(200)
    expect(paid.headers['idempotent-replayed']).toBeUndefined()
  })

  it('a record of an older isolation version is never replayed', async () => {
    const payer = await PayingCustomer.join(gateway)
    const key = payer.newKey()
    await payer.call('model.chat', requestOf('model.chat'), key)
    const store = await openDatabase(gateway.database, { exclusive: false })
    await store.write((tx) =>
      tx.run('UPDATE charges SET isolation_version = 0 WHERE project_id = $1', [payer.projectId]),
    )
    await store.close()
    expectRefusal('model.chat', await payer.call('model.chat', requestOf('model.chat'), key), 'IDEMPOTENCY_CONFLICT')
  })
})

function configFor({ url }: Upstream): object {
  const shop = { baseUrl: `${url}/shop`, linkHosts: ['item.shop.example'] }
  return {
    models: { providers: { model_provider_a: { adapter: 'openai', baseUrl: url, models: { fast: 'upstream' } } } },
    shopping: { mode: 'pick-http', providers: { shop_provider_a: shop } },
  }
}
