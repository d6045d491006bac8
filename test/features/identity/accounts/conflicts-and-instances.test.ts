import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Browser, newPhone, password } from '../../../../testkit/gateway/browser.ts'
import { type Gateway, startGateway, TestClock } from '../../../../testkit/gateway/gateway.ts'
import { httpEngines, openDatabase } from '../../../../testkit/store/engines.ts'

describe.each(httpEngines)('on %s', (engine) => {
  const clock = new TestClock()
  let gateway: Gateway

  beforeAll(async () => {
    gateway = await startGateway({
      engine,
      clock: clock.read,
      file: {
        limits: {
          registerPerRequester: { max: 4, windowSeconds: 60 },
          sendCodePerRequester: { max: 9, windowSeconds: 60 },
        },
      },
    })
  })
  afterAll(() => gateway.stop())

  it('409 ACCOUNT_UNAVAILABLE when a unique value is taken, and no part of the account exists', async () => {
    const phone = newPhone()
    const browser = new Browser(gateway)
    const subject = (await browser.register(phone)).body.account.identitySubject
    const store = await openDatabase(gateway.database, { exclusive: false })
    // The same subject under another phone, as a second entry of the identity system would look.
    await store.write((tx) =>
      tx.run("UPDATE identities SET phone_digest = 'another' WHERE identity_subject = $1", [subject]),
    )
    clock.advanceSeconds(60)
    const response = await new Browser(gateway).register(phone)
    expect(response).toMatchObject({ status: 409, body: { error: { code: 'ACCOUNT_UNAVAILABLE' } } })
    const counts = await store.read((tx) =>
      tx.get('SELECT (SELECT COUNT(*) FROM accounts) AS accounts, (SELECT COUNT(*) FROM projects) AS projects'),
    )
    expect(counts).toEqual({ accounts: 1, projects: 1 })
    const unused = await store.read((tx) => tx.get('SELECT COUNT(*) AS open FROM challenges WHERE consumed_at IS NULL'))
    expect(unused).toEqual({ open: 1 })
    await store.close()
  })

  it('429 for the requester comes before the body is read', async () => {
    clock.advanceSeconds(60)
    const statuses: number[] = []
    for (let i = 0; i < 5; i += 1)
      statuses.push((await new Browser(gateway).post('/v1/auth/register', { nonsense: 1 })).status)
    expect(statuses).toEqual([400, 400, 400, 400, 429])
  })

  it('expired challenges, sessions and counters are purged', async () => {
    clock.advanceSeconds(60)
    await new Browser(gateway).register()
    const store = await openDatabase(gateway.database, { exclusive: false })
    const { createAccountStore } = await import('../../../../src/features/identity/accounts/store.ts')
    const left = async () =>
      store.read((tx) =>
        tx.get(
          `SELECT (SELECT COUNT(*) FROM challenges) + (SELECT COUNT(*) FROM sessions) + (SELECT COUNT(*) FROM rate_windows) AS rows`,
        ),
      )
    expect(await left()).not.toEqual({ rows: 0 })
    const inTwoDays = clock.now + 2 * 86_400_000
    await createAccountStore(store).write((tx) => tx.purge(inTwoDays, 1000))
    expect(await left()).toEqual({ rows: 0 })
    await store.close()
  })
})

describe('two instances on one PostgreSQL', () => {
  const clock = new TestClock()
  let one: Gateway
  let two: Gateway

  beforeAll(async () => {
    one = await startGateway({ engine: 'postgres', clock: clock.read })
    two = await startGateway({ database: one.database, clock: clock.read })
  })
  afterAll(async () => {
    await two.stop()
    await one.stop()
  })

  it('100 registrations with one code over both instances: exactly one 201', async () => {
    const phone = newPhone()
    const proof = await new Browser(one).requestCode(phone)
    const body = { phone, ...proof, recoveryEmail: 'li@example.com', password }
    const responses = await Promise.all(
      Array.from({ length: 100 }, (_, i) => new Browser(i % 2 ? one : two).post('/v1/auth/register', body)),
    )
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(responses.filter(({ body }) => body.error?.code === 'VERIFICATION_CONFLICT')).toHaveLength(99)
  })

  it('two instances on one PostgreSQL share sessions, CSRF tokens and rate limits', async () => {
    const browser = new Browser(one)
    const phone = newPhone()
    await browser.register(phone)
    const there = new Browser(two)
    Object.assign(there, { cookie: browser.cookie, csrfToken: browser.csrfToken })
    expect((await there.post('/v1/keys', { scopes: ['pick:read'] })).status).toBe(201)
    const tries = Array.from({ length: 11 }, (_, i) => new Browser(i % 2 ? one : two))
    const responses = []
    for (const browser of tries)
      responses.push(await browser.post('/v1/auth/login', { identifier: phone, password: 'a wrong password' }))
    expect(responses.map(({ status }) => status)).toEqual([...Array(10).fill(401), 429])
  })

  it('a key revoked on one instance is refused by the next call on the other', async () => {
    const browser = new Browser(one)
    await browser.register()
    await browser.recharge(1000)
    const { apiKey, keyId } = await browser.createKey(['models:invoke'])
    const call = (key: string) => two.call(apiKey, '/v1/models/chat', key, { prompt: 'hello' })
    expect((await call('first')).status).toBe(200)
    expect((await browser.post(`/v1/keys/${keyId}/revoke`, {})).status).toBe(200)
    expect(await call('second')).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHORIZED' } } })
    const invalid = await two.call(apiKey, '/v1/models/chat', 'third', { wrong: true })
    expect(invalid).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHORIZED' } } })
  })
})
