import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scopes } from '../../../../src/contract/prices.ts'
import { Browser, newPhone } from '../../../../testkit/gateway/browser.ts'
import { expectRefused, look } from '../../../../testkit/gateway/console-contract.ts'
import { type Gateway, type HttpResponse, startGateway, TestClock } from '../../../../testkit/gateway/gateway.ts'
import { type Database, engines, httpEngines, migratedDatabase } from '../../../../testkit/store/engines.ts'

describe.each(engines)('refused calls of every entrance on %s', (engine) => {
  const clock = new TestClock()
  let database: Database
  let gateway: Gateway
  let owner: Browser
  let keys: Record<'poor' | 'narrow' | 'revoked', { apiKey: string; keyId: string }>
  let sent: HttpResponse[]

  const start = () =>
    startGateway({ database, clock: clock.read, file: { limits: { refusalsPerKey: { max: 3, windowSeconds: 60 } } } })
  const post = async (key: keyof typeof keys, path: string, body: object | string) => {
    clock.advanceSeconds(1)
    const headers = { authorization: `Bearer ${keys[key].apiKey}`, 'idempotency-key': `intent ${clock.now}` }
    return gateway.send('POST', path, headers, typeof body === 'string' ? body : JSON.stringify(body))
  }
  const read = async (key: keyof typeof keys, path: string) => {
    clock.advanceSeconds(1)
    return gateway.send('GET', path, { authorization: `Bearer ${keys[key].apiKey}` })
  }

  beforeAll(async () => {
    database = await migratedDatabase(engine)
    gateway = await start()
    const other = new Browser(gateway)
    await other.register(newPhone())
    owner = new Browser(gateway)
    await owner.register()
    keys = {
      poor: await owner.createKey([...scopes]),
      narrow: await owner.createKey(['shopping:search']),
      revoked: await owner.createKey([...scopes]),
    }
    await owner.post(`/v1/keys/${keys.revoked.keyId}/revoke`, {})
    const chat = { provider: 'model_provider_a', model: 'local-small', prompt: 'hi' }
    const completion = { model: 'model_provider_a/local-small', messages: [{ role: 'user', content: 'hi' }] }
    const tool = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'model_chat', arguments: chat } }
    sent = [
      await post('poor', '/v1/models/chat', chat),
      await post('poor', '/v1/models/chat', '{'),
      await post('poor', '/v1/chat/completions', completion),
      await post('poor', '/v1/chat/completions', { ...completion, n: 7 }),
      await post('poor', '/mcp', tool),
      await post('poor', '/mcp', '{'),
      await post('poor', '/v1/media/jobs', { kind: 'nothing' }),
      await post('poor', '/v1/models/chat', '{'),
      await post('narrow', '/v1/models/chat', chat),
      await post('narrow', '/mcp', tool),
      await read('revoked', '/v1/key'),
      await read('poor', '/v1/charges?limit=nonsense'),
    ]
    // Not known, so not counted.
    await gateway.send('GET', '/v1/key', { authorization: `Bearer gk_live_${'x'.repeat(43)}` })
    await gateway.stop()
    gateway = await start()
    owner = Object.assign(new Browser(gateway), { cookie: owner.cookie, csrfToken: owner.csrfToken })
    Object.assign(other, { gateway })
    expect(await look(other, 'console.refusals.list')).toEqual({ items: [], nextAfter: null, hours: [] })
  })
  afterAll(async () => {
    await gateway.stop()
    await database.remove()
  })

  test('lists each with its key, code and request id, the newest first', async () => {
    const { items } = await look(owner, 'console.refusals.list')
    expect(items.map(({ operation, code }: Record<string, string>) => `${operation} ${code}`).reverse()).toEqual([
      'model.chat INSUFFICIENT_PAID_CREDITS',
      'model.chat INVALID_JSON',
      'openai.completions INSUFFICIENT_PAID_CREDITS',
      'openai.completions UNSUPPORTED_PARAMETER',
      'mcp INSUFFICIENT_PAID_CREDITS',
      'mcp INVALID_JSON',
      'media.jobs.create UNKNOWN_FIELDS',
      'model.chat RATE_LIMITED',
      'model.chat FORBIDDEN',
      'mcp FORBIDDEN',
      'key.read UNAUTHORIZED',
      'charges.list REQUEST_TARGET_INVALID',
    ])
    expect(items.map(({ requestId }: Record<string, string>) => requestId).reverse()).toEqual(
      sent.map(({ headers }) => headers['x-request-id']),
    )
    expect(items[1]).toMatchObject({ keyId: keys.revoked.keyId, at: new Date(clock.now - 1000).toISOString() })
  })

  test('counts them by hour and code, filters both, and pages', async () => {
    const hour = new Date(clock.now - (clock.now % 3_600_000)).toISOString()
    const { hours } = await look(owner, 'console.refusals.list')
    expect(hours).toContainEqual({ hour, code: 'INSUFFICIENT_PAID_CREDITS', count: 3 })
    expect(hours).toContainEqual({ hour, code: 'FORBIDDEN', count: 2 })
    const narrow = await look(owner, 'console.refusals.list', `?keyId=${keys.narrow.keyId}`)
    expect(narrow).toMatchObject({ items: { length: 2 }, hours: [{ code: 'FORBIDDEN', count: 2 }] })
    const query = `?code=INVALID_JSON&keyId=${keys.poor.keyId}`
    const first = await look(owner, 'console.refusals.list', `${query}&limit=1`)
    expect(first).toMatchObject({ items: [{ operation: 'mcp' }], hours: [{ code: 'INVALID_JSON', count: 2 }] })
    const second = await look(owner, 'console.refusals.list', `${query}&limit=1&after=${first.nextAfter}`)
    expect(second).toMatchObject({ items: [{ operation: 'model.chat' }], nextAfter: null })
    expectRefused('console.refusals.list', await owner.get('/v1/console/refusals?after=1'), 'REQUEST_TARGET_INVALID')
  })
})

test.each(httpEngines)('a flood of refused calls of one account hides those of no other on %s', async (engine) => {
  const database = await migratedDatabase(engine)
  let gateway = await startGateway({ database })
  const flooder = new Browser(gateway)
  const quiet = new Browser(gateway)
  await flooder.register()
  await quiet.register(newPhone())
  const refuse = (apiKey: string) =>
    gateway.send('POST', '/v1/models/chat', { authorization: `Bearer ${apiKey}`, 'idempotency-key': 'one' }, '{')
  for (let key = 0; key < 6; key += 1) {
    const { apiKey } = await flooder.createKey([...scopes])
    await Promise.all(Array.from({ length: 100 }, () => refuse(apiKey)))
  }
  const sent = await refuse((await quiet.createKey([...scopes])).apiKey)
  await gateway.stop()
  gateway = await startGateway({ database })
  const again = Object.assign(new Browser(gateway), { cookie: quiet.cookie, csrfToken: quiet.csrfToken })
  const { items } = await look(again, 'console.refusals.list')
  expect(items).toMatchObject([{ requestId: sent.headers['x-request-id'], code: 'INVALID_JSON' }])
  await gateway.stop()
  await database.remove()
})
