import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Me } from '../../../../src/contract/schemas/account.ts'
import { CreatedKey, KeyList } from '../../../../src/contract/schemas/keys.ts'
import { compile } from '../../../../src/contract/validate.ts'
import { Browser } from '../../../../testkit/gateway/browser.ts'
import { type Gateway, startGateway, TestClock } from '../../../../testkit/gateway/gateway.ts'
import { httpEngines, openDatabase } from '../../../../testkit/store/engines.ts'

const [isCreatedKey, isKeyList, isMe] = [compile(CreatedKey), compile(KeyList), compile(Me)]

describe.each(httpEngines)('on %s', (engine) => {
  const clock = new TestClock()
  let gateway: Gateway
  let owner: Browser

  beforeAll(async () => {
    gateway = await startGateway({
      engine,
      clock: clock.read,
      file: { keys: { maxActive: 5, lifetimeSeconds: 86_400 } },
    })
  })
  afterAll(() => gateway.stop())

  const newOwner = async () => {
    owner = new Browser(gateway)
    await owner.register()
    return owner
  }

  it('POST /v1/keys 201: shows the key once; GET /v1/keys never again', async () => {
    await newOwner()
    const created = await owner.post('/v1/keys', { scopes: ['models:invoke', 'pick:read'] })
    expect(created.status).toBe(201)
    expect(isCreatedKey(created.body)).toEqual({ ok: true })
    const { apiKey, displayPrefix } = created.body
    expect(apiKey).toMatch(/^gk_live_[0-9A-Za-z]{43}$/)
    expect(displayPrefix).toBe(`${apiKey.slice(0, 12)}...${apiKey.slice(-4)}`)
    const list = await owner.get('/v1/keys')
    expect(isKeyList(list.body)).toEqual({ ok: true })
    expect(list.body.items).toEqual([
      expect.objectContaining({ keyId: created.body.keyId, state: 'active', revokedAt: null }),
    ])
    expect(list.text).not.toContain(apiKey)
  })

  it.each([[[]], [['models:invoke', 'models:invoke']], [['admin']], ['models:invoke'], [[1]], [undefined]])(
    '400 INVALID_SCOPE for %o',
    async (scopes) => {
      await newOwner()
      expect(await owner.post('/v1/keys', { scopes })).toMatchObject({
        status: 400,
        body: { error: { code: 'INVALID_SCOPE' } },
      })
    },
  )

  it('revoking again is 200 and keeps the first time; the key stops working at once', async () => {
    await newOwner()
    await owner.recharge(1000)
    const { apiKey, keyId } = await owner.createKey(['models:invoke'])
    expect((await gateway.call(apiKey, '/v1/models/chat', 'one', { prompt: 'hello' })).status).toBe(200)
    const first = await owner.post(`/v1/keys/${keyId}/revoke`, {})
    expect(first).toMatchObject({ status: 200, body: { keyId, state: 'revoked' } })
    const revokedAt = new Date(clock.now).toISOString()
    clock.advanceSeconds(10)
    expect((await owner.post(`/v1/keys/${keyId}/revoke`, {})).status).toBe(200)
    expect((await owner.get('/v1/keys')).body.items[0]).toMatchObject({ state: 'revoked', revokedAt })
    const refused = await gateway.call(apiKey, '/v1/models/chat', 'one', { prompt: 'hello' })
    expect(refused).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHORIZED' } } })
  })

  it.each(['key_unknown', 'key-malformed', 'key_'])('404 KEY_NOT_FOUND for %s', async (keyId) => {
    await newOwner()
    expect(await owner.post(`/v1/keys/${keyId}/revoke`, {})).toMatchObject({
      status: 404,
      body: { error: { code: 'KEY_NOT_FOUND' } },
    })
  })

  it("another project's key is invisible and stays alive", async () => {
    const first = await newOwner()
    const { keyId } = await first.createKey(['pick:read'])
    const second = await newOwner()
    expect(await second.post(`/v1/keys/${keyId}/revoke`, {})).toMatchObject({
      status: 404,
      body: { error: { code: 'KEY_NOT_FOUND' } },
    })
    expect((await second.get('/v1/keys')).body.items).toEqual([])
    expect((await first.get('/v1/keys')).body.items).toEqual([expect.objectContaining({ keyId, state: 'active' })])
  })

  it('429 with an explanation for one active key too many, however many requests come at once', async () => {
    await newOwner()
    const responses = await Promise.all(
      Array.from({ length: 12 }, () => owner.post('/v1/keys', { scopes: ['pick:read'] })),
    )
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(5)
    const refused = responses.find(({ status }) => status !== 201)!
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } })
    expect(refused.body.error.message).toContain('5 active keys')
    const { keyId } = responses.find(({ status }) => status === 201)!.body
    await owner.post(`/v1/keys/${keyId}/revoke`, {})
    expect((await owner.post('/v1/keys', { scopes: ['pick:read'] })).status).toBe(201)
  })

  it('a key with a configured lifetime gets 401 KEY_EXPIRED from the millisecond it ends', async () => {
    await newOwner()
    const { apiKey } = await owner.createKey(['models:invoke'])
    clock.now += 86_399_999
    const call = (key: string) => gateway.call(apiKey, '/v1/models/chat', key, { prompt: 'hello' })
    expect((await call('a')).status).toBe(402)
    clock.now += 1
    expect(await call('b')).toMatchObject({ status: 401, body: { error: { code: 'KEY_EXPIRED' } } })
  })

  it.each([undefined, 'Bearer ', 'Bearer gk_live_short', `Bearer gk_live_${'a'.repeat(43)}`, 'Basic abc', 'gk_live_'])(
    '401 UNAUTHORIZED for Authorization %o, whatever the body',
    async (authorization) => {
      const headers = authorization === undefined ? {} : { authorization }
      const response = await gateway.send('POST', '/v1/models/chat', headers as Record<string, string>, '{"wrong":1}')
      expect(response).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHORIZED' } } })
    },
  )

  it('403 FORBIDDEN without the scope, before any check of the body', async () => {
    await newOwner()
    const { apiKey } = await owner.createKey(['pick:read'])
    const response = await gateway.call(apiKey, '/v1/models/chat', 'one', { wrong: 1 })
    expect(response).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } })
  })

  it('GET /v1/me shows account, project, credits, orders and keys, and nothing else', async () => {
    await newOwner()
    await owner.recharge(2000)
    await owner.createKey(['pick:read'])
    const { status, body } = await owner.get('/v1/me')
    expect(status).toBe(200)
    expect(isMe(body)).toEqual({ ok: true })
    expect(body).toMatchObject({
      credits: { available: 200, reserved: 0 },
      latestOrder: { state: 'credited', amountFen: 2000 },
    })
    expect(body.recentOrders).toEqual([body.latestOrder])
    expect(body.apiKeys).toHaveLength(1)
  })

  it('active keys come first in every list, however many newer keys have ended', async () => {
    await newOwner()
    const { keyId } = await owner.createKey(['pick:read'])
    const { projectId } = (await owner.get('/v1/me')).body.project
    const store = await openDatabase(gateway.database, { exclusive: false })
    const ended = { revoked_at: clock.now, expires_at: clock.now }
    for (const [column, at] of Object.entries(ended)) {
      await store.write((tx) =>
        tx.run(
          `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 600)
          INSERT INTO api_keys (key_id, project_id, key_digest, display_prefix, scopes, created_at, ${column})
          SELECT '${column} ' || n || $1, $1, '${column} ' || n || $1, 'gk_live_', 'pick:read', $2, $3 FROM numbers`,
          [projectId, clock.now + 1, at],
        ),
      )
    }
    await store.close()
    const lists = [(await owner.get('/v1/keys')).body.items, (await owner.get('/v1/console/keys')).body.items]
    for (const items of [...lists, (await owner.get('/v1/me')).body.apiKeys]) {
      expect(items).toHaveLength(1000)
      expect(items[0]).toMatchObject({ keyId, state: 'active' })
      expect(items.filter(({ state }: { state: string }) => state === 'active')).toHaveLength(1)
    }
  })

  it('100 calls during a revocation are served or refused, and none is served after it has returned', async () => {
    await newOwner()
    await owner.recharge(100_000)
    const { apiKey, keyId } = await owner.createKey(['models:invoke'])
    const call = (key: string) => gateway.call(apiKey, '/v1/models/chat', key, { prompt: 'hello' })
    const racing = Array.from({ length: 100 }, (_, i) => call(`race ${i}`))
    const revocations = await Promise.all(Array.from({ length: 100 }, () => owner.post(`/v1/keys/${keyId}/revoke`, {})))
    expect(new Set(revocations.map(({ status }) => status))).toEqual(new Set([200]))
    const after = await Promise.all(Array.from({ length: 20 }, (_, i) => call(`after ${i}`)))
    expect(new Set(after.map(({ status }) => status))).toEqual(new Set([401]))
    const served = (await Promise.all(racing)).filter(({ status }) => status === 200).length
    const { credits } = (await owner.get('/v1/me')).body
    expect(credits).toEqual({ available: 10_000 - served * 3, reserved: 0 })
  })
})
