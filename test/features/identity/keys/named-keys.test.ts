import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ErrorCode } from '../../../../src/contract/errors.ts'
import { reconcile } from '../../../../src/features/records/reconcile/reconcile.ts'
import { Browser } from '../../../../testkit/gateway/browser.ts'
import { expectDone, expectRefused, look } from '../../../../testkit/gateway/console-contract.ts'
import { type Gateway, type HttpResponse, startGateway, TestClock } from '../../../../testkit/gateway/gateway.ts'
import { httpEngines, openDatabase } from '../../../../testkit/store/engines.ts'

const scopes = ['models:invoke']
const price = 3

describe.each(httpEngines)('keys with settings on %s', (engine) => {
  const clock = new TestClock()
  let gateway: Gateway
  let owner: Browser
  let requests = 0

  beforeAll(async () => {
    gateway = await startGateway({
      engine,
      clock: clock.read,
      environment: { GATEWAY_TRUSTED_PROXIES: '127.0.0.1' },
      file: {
        sessions: { lifetimeSeconds: 604_800 },
        limits: { sessionWritesPerProject: { max: 1000, windowSeconds: 60 } },
      },
    })
    owner = new Browser(gateway)
    await owner.register()
    await owner.recharge(100_000)
  })
  afterAll(() => gateway.stop())

  const idempotency = (key = `request ${++requests}`) => ({ 'idempotency-key': key })
  const create = (settings: object = {}, key?: string) =>
    owner.post('/v1/console/keys', { name: 'A key', scopes, ...settings }, idempotency(key))
  const update = (keyId: string, changes: object) => owner.post(`/v1/console/keys/${keyId}/update`, changes)
  const rotate = (keyId: string, graceSeconds: unknown, key?: string) =>
    owner.post(`/v1/console/keys/${keyId}/rotate`, { graceSeconds }, idempotency(key))
  const listed = async (keyId: string) =>
    (await look(owner, 'console.keys.list')).items.find((key: { keyId: string }) => key.keyId === keyId)
  const call = (apiKey: string, { key = `call ${++requests}`, from }: { key?: string; from?: string } = {}) =>
    gateway.send(
      'POST',
      '/v1/models/chat',
      { authorization: `Bearer ${apiKey}`, ...idempotency(key), ...(from && { 'x-forwarded-for': from }) },
      JSON.stringify({ prompt: 'hello' }),
    )
  const expectOverBudget = (response: HttpResponse) => {
    expect(response).toMatchObject({ status: 402, body: { error: { code: 'INSUFFICIENT_PAID_CREDITS' } } })
    expect(response.body.error.message).toMatch(/budget of this API key/)
  }

  it('keys with settings are created once per Idempotency-Key, and shown in plaintext once', async () => {
    const settings = {
      name: ' Shop 店 ',
      expiresAt: '2026-12-01T00:00:00+08:00',
      budget: { credits: 10, per: 'month' },
      allowedAddresses: ['203.0.113.0/24', '2001:db8::1'],
    }
    const first = await create(settings, 'create once')
    expectDone('console.keys.create', first)
    const { apiKey, ...metadata } = first.body
    expect(metadata).toMatchObject({ ...settings, expiresAt: '2026-11-30T16:00:00.000Z', shownOnce: true })
    const again = await create(settings, 'create once')
    expect(again).toMatchObject({ status: 200, body: metadata })
    expect(again.body).not.toHaveProperty('apiKey')
    expectRefused('console.keys.create', await create({}, 'create once'), 'IDEMPOTENCY_CONFLICT')
    expectRefused('console.keys.rotate', await rotate(metadata.keyId, 0, 'create once'), 'IDEMPOTENCY_CONFLICT')
    const plain = (await owner.get('/v1/keys')).body.items.filter(
      (key: { keyId: string }) => key.keyId === metadata.keyId,
    )
    expect(plain).toHaveLength(1)
    expect(await listed(metadata.keyId)).toMatchObject({
      name: settings.name,
      budget: settings.budget,
      budgetSpent: 0,
      budgetResetsAt: '2026-09-30T16:00:00.000Z',
      allowedAddresses: settings.allowedAddresses,
      lastUsedFrom: null,
    })
    expect((await owner.get('/v1/console/keys')).text).not.toContain(apiKey)
  })

  const settingFaults: [ErrorCode, object][] = [
    ['INVALID_NAME', { name: '' }],
    ['INVALID_NAME', { name: '   ' }],
    ['INVALID_NAME', { name: 'x'.repeat(65) }],
    ['INVALID_NAME', { name: 'a\u0000b' }],
    ['INVALID_NAME', { name: 5 }],
    ['INVALID_EXPIRY', { expiresAt: '2026-09-03T08:00:00Z' }],
    ['INVALID_EXPIRY', { expiresAt: 'tomorrow' }],
    ['INVALID_EXPIRY', { expiresAt: 5 }],
    ['INVALID_BUDGET', { budget: { credits: 0, per: 'day' } }],
    ['INVALID_BUDGET', { budget: { credits: 1.5, per: 'day' } }],
    ['INVALID_BUDGET', { budget: { credits: 5, per: 'week' } }],
    ['INVALID_BUDGET', { budget: { credits: 5 } }],
    ['INVALID_BUDGET', { budget: { credits: 5, per: 'day', more: 1 } }],
    ['INVALID_BUDGET', { budget: 5 }],
    ['INVALID_ADDRESSES', { allowedAddresses: ['203.0.113.0/33'] }],
    ['INVALID_ADDRESSES', { allowedAddresses: ['example.com'] }],
    ['INVALID_ADDRESSES', { allowedAddresses: ['::ffff:203.0.113.1'] }],
    ['INVALID_ADDRESSES', { allowedAddresses: ['203.0.113.1 198.51.100.1'] }],
    ['INVALID_ADDRESSES', { allowedAddresses: Array.from({ length: 21 }, (_, i) => `203.0.113.${i}`) }],
    ['INVALID_ADDRESSES', { allowedAddresses: '203.0.113.1' }],
    ['UNKNOWN_FIELDS', { colour: 'red' }],
  ]
  it('keys with settings refuse wrong settings with their own code, at creation and later', async () => {
    const { keyId } = (await create()).body
    for (const [code, settings] of settingFaults) {
      expectRefused('console.keys.create', await create(settings), code)
      expectRefused('console.keys.update', await update(keyId, settings), code)
    }
    expectRefused('console.keys.create', await create({ name: undefined }), 'INVALID_NAME')
    expectRefused('console.keys.create', await create({ scopes: [] }), 'INVALID_SCOPE')
    for (const grace of [-1, 604_801, 1.5, '5', null, undefined]) {
      expectRefused('console.keys.rotate', await rotate(keyId, grace), 'INVALID_GRACE')
    }
    const body = { name: 'A key', scopes }
    expectRefused('console.keys.create', await owner.post('/v1/console/keys', body), 'IDEMPOTENCY_KEY_REQUIRED')
    expectRefused(
      'console.keys.create',
      await owner.post('/v1/console/keys', body, { origin: 'http://x' }),
      'ORIGIN_INVALID',
    )
    const stranger = new Browser(gateway)
    await stranger.register()
    for (const id of [keyId, 'key_unknown', 'no-key']) {
      expectRefused('console.keys.update', await stranger.post(`/v1/console/keys/${id}/update`, {}), 'KEY_NOT_FOUND')
    }
    expectRefused(
      'console.keys.rotate',
      await stranger.post(`/v1/console/keys/${keyId}/rotate`, { graceSeconds: 0 }, idempotency()),
      'KEY_NOT_FOUND',
    )
  })

  it('keys with settings refuse a call past the budget of the day without using its Idempotency-Key up', async () => {
    const { apiKey, keyId } = (await create({ budget: { credits: 2 * price + 1, per: 'day' } })).body
    expect((await call(apiKey)).status).toBe(200)
    const second = await call(apiKey, { key: 'second', from: '198.51.100.44' })
    expect(second.status).toBe(200)
    expectOverBudget(await call(apiKey, { key: 'third' }))
    // A replay costs nothing.
    expect((await call(apiKey, { key: 'second' })).text).toBe(second.text)
    expect(await listed(keyId)).toMatchObject({
      budgetSpent: 2 * price,
      budgetResetsAt: '2026-09-03T16:00:00.000Z',
      lastUsedFrom: '198.51.100.x',
    })
    clock.advanceSeconds(86_400)
    expect(await listed(keyId)).toMatchObject({ budgetSpent: 0, budgetResetsAt: '2026-09-04T16:00:00.000Z' })
    expect((await call(apiKey, { key: 'third' })).status).toBe(200)
    expect((await listed(keyId)).budgetSpent).toBe(price)
  })

  it('keys with settings can be changed: other credits keep the count, null removes the limit, and it takes effect with the next call', async () => {
    const { apiKey, keyId } = (await create({ budget: { credits: price, per: 'total' } })).body
    expect((await call(apiKey)).status).toBe(200)
    expectOverBudget(await call(apiKey))
    const changed = await update(keyId, { budget: { credits: 2 * price, per: 'total' }, name: 'Renamed' })
    expectDone('console.keys.update', changed)
    expect(changed.body).toMatchObject({ name: 'Renamed', budgetSpent: price, budgetResetsAt: null })
    expect((await call(apiKey)).status).toBe(200)
    expectOverBudget(await call(apiKey))
    expect((await update(keyId, { budget: null, name: null })).body).toMatchObject({
      name: null,
      budget: null,
      budgetSpent: null,
    })
    expect((await call(apiKey)).status).toBe(200)
    await update(keyId, { budget: { credits: price, per: 'month' } })
    expect((await call(apiKey)).status).toBe(200)
    expectOverBudget(await call(apiKey))
    const expiresAt = new Date(clock.now + 60_000).toISOString()
    expect((await update(keyId, { expiresAt, budget: null })).body.expiresAt).toBe(expiresAt)
    clock.advanceSeconds(60)
    expect(await call(apiKey)).toMatchObject({ status: 401, body: { error: { code: 'KEY_EXPIRED' } } })
    expectRefused('console.keys.update', await update(keyId, { expiresAt: null }), 'KEY_NOT_FOUND')
  })

  it('keys with settings serve only the addresses they allow, after trusted proxies', async () => {
    const { apiKey, keyId } = (await create({ allowedAddresses: ['203.0.113.0/24', '2001:db8::/32'] })).body
    expect((await call(apiKey, { from: '203.0.113.9' })).status).toBe(200)
    expect((await call(apiKey, { from: '2001:db8:1:2:3::4' })).status).toBe(200)
    expect((await listed(keyId)).lastUsedFrom).toBe('2001:db8:1:2::/64')
    for (const from of [undefined, '203.0.114.9', '2001:db9::1', '203.0.113.9, 198.51.100.1']) {
      const refused = await call(apiKey, from === undefined ? {} : { from })
      expect(refused).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } })
      expect(refused.body.error.message).toMatch(/address/)
    }
    // The list that this instance has cached is not the last word.
    await update(keyId, { allowedAddresses: ['198.51.100.1'] })
    expect((await call(apiKey, { from: '203.0.113.9' })).status).toBe(403)
    expect((await call(apiKey, { from: '198.51.100.1' })).status).toBe(200)
    await update(keyId, { allowedAddresses: [] })
    expect((await call(apiKey)).status).toBe(200)
  })

  it('keys with settings are rotated into a chain that shares one budget; the old key works until the grace ends', async () => {
    const settings = {
      name: 'Rotated',
      budget: { credits: 4 * price, per: 'total' },
      allowedAddresses: ['127.0.0.0/8'],
    }
    const first = (await create(settings)).body
    expect((await call(first.apiKey)).status).toBe(200)
    const rotation = await rotate(first.keyId, 3600, 'rotate once')
    expectDone('console.keys.rotate', rotation)
    const { apiKey, ...metadata } = rotation.body
    expect(metadata).toMatchObject({ ...settings, scopes, expiresAt: null, rotatedFromKeyId: first.keyId })
    expect(await rotate(first.keyId, 3600, 'rotate once')).toMatchObject({ status: 200, body: metadata })
    expect((await call(first.apiKey)).status).toBe(200)
    expect((await call(apiKey)).status).toBe(200)
    clock.advanceSeconds(3599)
    const second = (await rotate(metadata.keyId, 0)).body
    expect(second).toMatchObject({ rotatedFromKeyId: metadata.keyId, expiresAt: null })
    expect(await call(apiKey)).toMatchObject({ status: 401, body: { error: { code: 'KEY_EXPIRED' } } })
    expect((await call(first.apiKey, { key: 'the last' })).status).toBe(200)
    clock.advanceSeconds(1)
    expect((await call(first.apiKey, { key: 'the last' })).body.error.code).toBe('KEY_EXPIRED')
    expectOverBudget(await call(second.apiKey))
    expect(await listed(second.keyId)).toMatchObject({ budgetSpent: 4 * price })
    expect(await listed(first.keyId)).toMatchObject({ state: 'expired', budgetSpent: 4 * price })
    expectRefused('console.keys.rotate', await rotate(first.keyId, 0), 'KEY_NOT_FOUND')
    await owner.post(`/v1/keys/${second.keyId}/revoke`, {})
    expectRefused('console.keys.rotate', await rotate(second.keyId, 0), 'KEY_NOT_FOUND')
  })

  it('keys with settings leave sound books', async () => {
    const store = await openDatabase(gateway.database, { exclusive: false })
    expect((await reconcile(store)).differences).toEqual([])
    await store.close()
  })
})
