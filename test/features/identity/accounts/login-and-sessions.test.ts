import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AuthResponse } from '../../../../src/contract/schemas/identity.ts'
import { compile } from '../../../../src/contract/validate.ts'
import { Browser, newPhone, password } from '../../../../testkit/gateway/browser.ts'
import { type Gateway, startGateway, TestClock } from '../../../../testkit/gateway/gateway.ts'
import { httpEngines, openDatabase } from '../../../../testkit/store/engines.ts'

const isAuthResponse = compile(AuthResponse)

describe.each(httpEngines)('on %s', (engine) => {
  const clock = new TestClock()
  const phone = newPhone()
  let gateway: Gateway

  beforeAll(async () => {
    gateway = await startGateway({ engine, clock: clock.read })
    await new Browser(gateway).register(phone)
  })
  afterAll(() => gateway.stop())

  const login = (browser: Browser, over: object = {}) =>
    browser.post('/v1/auth/login', { identifier: phone, password, ...over })
  const nextWindow = () => clock.advanceSeconds(600)

  describe('POST /v1/auth/login', () => {
    it('200: starts a session, ends the presented one and no other', async () => {
      const [here, elsewhere] = [new Browser(gateway), new Browser(gateway)]
      const response = await login(here)
      expect(response.status).toBe(200)
      expect(isAuthResponse(response.body)).toEqual({ ok: true })
      await login(elsewhere)
      const before = here.cookie!
      await login(here)
      expect(here.cookie).not.toBe(before)
      expect((await gateway.send('GET', '/v1/me', { cookie: before })).status).toBe(401)
      expect((await here.get('/v1/me')).status).toBe(200)
      expect((await elsewhere.get('/v1/me')).status).toBe(200)
    })

    it.each([
      ['IDENTIFIER_INVALID', { identifier: 'somebody' }],
      ['IDENTIFIER_INVALID', { identifier: 12 }],
      ['PASSWORD_INVALID', { password: 'short' }],
      ['NEXT_PATH_INVALID', { next: '/elsewhere' }],
      ['UNKNOWN_FIELDS', { remember: true }],
    ])('400 %s for %o', async (code, wrong) => {
      expect(await login(new Browser(gateway), wrong)).toMatchObject({ status: 400, body: { error: { code } } })
    })

    it('an unknown phone, a pending email and a wrong password get the same bytes', async () => {
      nextWindow()
      const responses = [
        await login(new Browser(gateway), { identifier: newPhone() }),
        await login(new Browser(gateway), { identifier: 'li@example.com' }),
        await login(new Browser(gateway), { password: 'a wrong but long password' }),
      ]
      for (const response of responses)
        expect(response).toMatchObject({ status: 401, body: { error: { code: 'AUTHENTICATION_FAILED' } } })
      expect(new Set(responses.map(({ text }) => text)).size).toBe(1)
      const shapes = responses.map(({ headers }) => Object.keys(headers).sort().join())
      expect(new Set(shapes).size).toBe(1)
    })

    it('429 after ten attempts for one identifier from one address, even with the right password, until the window ends', async () => {
      nextWindow()
      const target = newPhone()
      for (let i = 0; i < 10; i += 1)
        expect((await login(new Browser(gateway), { identifier: target })).status).toBe(401)
      const response = await login(new Browser(gateway), { identifier: target })
      expect(response).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } })
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
      clock.advanceSeconds(Number(response.headers['retry-after']))
      expect((await login(new Browser(gateway), { identifier: target })).status).toBe(401)
    })

    it('500 PASSWORD_STATE_INVALID for a damaged digest', async () => {
      nextWindow()
      const damaged = newPhone()
      await new Browser(gateway).register(damaged)
      const store = await openDatabase(gateway.database, { exclusive: false })
      await store.write((tx) =>
        tx.run(
          `UPDATE accounts SET password_digest = 'damaged' WHERE account_id = (SELECT account_id FROM identities ORDER BY verified_at DESC LIMIT 1)`,
        ),
      )
      await store.close()
      const response = await login(new Browser(gateway), { identifier: damaged })
      expect(response).toMatchObject({ status: 500, body: { error: { code: 'PASSWORD_STATE_INVALID' } } })
    })

    it('a verified recovery email logs in', async () => {
      nextWindow()
      const owner = newPhone()
      const browser = new Browser(gateway)
      const proof = await browser.requestCode(owner)
      const recoveryEmail = `Owner.${engine}@Example.com`
      const { body } = await browser.post('/v1/auth/register', { phone: owner, ...proof, recoveryEmail, password })
      const store = await openDatabase(gateway.database, { exclusive: false })
      await store.write((tx) =>
        tx.run("UPDATE accounts SET recovery_email_state = 'verified' WHERE account_id = $1", [body.account.accountId]),
      )
      await store.close()
      const response = await login(new Browser(gateway), { identifier: recoveryEmail.toLowerCase() })
      expect(response).toMatchObject({
        status: 200,
        body: { account: { accountId: body.account.accountId, recoveryEmailState: 'verified' } },
      })
    })

    it('100 concurrent logins each get their own session, or are refused with a wait', async () => {
      const people = await Promise.all(
        Array.from({ length: 10 }, async () => {
          const own = newPhone()
          await new Browser(gateway).register(own)
          return own
        }),
      )
      const responses = await Promise.all(
        people.flatMap((identifier) => Array.from({ length: 10 }, () => login(new Browser(gateway), { identifier }))),
      )
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
      expect(new Set(responses.map(({ headers }) => String(headers['set-cookie']))).size).toBe(100)
    })
  })

  describe('a session', () => {
    it('a session lasts 12 hours and not a millisecond longer', async () => {
      const browser = new Browser(gateway)
      await browser.register()
      clock.now += 43_199_999
      expect((await browser.get('/v1/me')).status).toBe(200)
      clock.now += 1
      expect(await browser.get('/v1/me')).toMatchObject({
        status: 401,
        body: { error: { code: 'GATEWAY_AUTH_REQUIRED' } },
      })
    })

    it.each(['gateway_session=unknown', 'gateway_session=', 'other=1', 'gateway_session=a; gateway_session=b'])(
      '401 for the cookie %o',
      async (cookie) => {
        const response = await gateway.send('GET', '/v1/me', { cookie })
        expect(response).toMatchObject({ status: 401, body: { error: { code: 'GATEWAY_AUTH_REQUIRED' } } })
      },
    )

    it('a session has one CSRF token, and each read of /v1/me replaces it', async () => {
      const browser = new Browser(gateway)
      const first = (await browser.register()).body.csrfToken
      const second = (await browser.get('/v1/me')).body.csrfToken
      expect(second).not.toBe(first)
      const stale = await browser.post('/v1/keys', { scopes: ['pick:read'] }, { 'x-csrf-token': first })
      expect(stale).toMatchObject({ status: 403, body: { error: { code: 'CSRF_INVALID' } } })
      expect((await browser.post('/v1/keys', { scopes: ['pick:read'] })).status).toBe(201)
    })

    it('a session accepts no CSRF token of another session, no short one and no missing one', async () => {
      const [mine, other] = [new Browser(gateway), new Browser(gateway)]
      await mine.register()
      await other.register()
      for (const token of [other.csrfToken!, 'short', `${mine.csrfToken}x`]) {
        const response = await mine.post('/v1/keys', { scopes: ['pick:read'] }, { 'x-csrf-token': token })
        expect(response).toMatchObject({ status: 403, body: { error: { code: 'CSRF_INVALID' } } })
      }
      mine.csrfToken = undefined
      expect((await mine.post('/v1/keys', { scopes: ['pick:read'] })).body.error.code).toBe('CSRF_INVALID')
    })

    it('a session is checked in order: Origin, session, CSRF, limit, body', async () => {
      const browser = new Browser(gateway)
      await browser.register()
      const wrong = {
        origin: 'http://elsewhere.example',
        cookie: 'gateway_session=no',
        'x-csrf-token': 'nothing at all',
      }
      const code = async (headers: Record<string, string>) =>
        (await browser.post('/v1/keys', { nonsense: 1 }, headers)).body.error.code
      expect(await code(wrong)).toBe('ORIGIN_INVALID')
      expect(await code({ cookie: wrong.cookie, 'x-csrf-token': wrong['x-csrf-token'] })).toBe('GATEWAY_AUTH_REQUIRED')
      expect(await code({ 'x-csrf-token': wrong['x-csrf-token'] })).toBe('CSRF_INVALID')
      expect(await code({})).toBe('UNKNOWN_FIELDS')
      for (let i = 0; i < 299; i += 1) await browser.post('/v1/keys', { nonsense: 1 })
      expect(await browser.post('/v1/keys', { nonsense: 1 })).toMatchObject({
        status: 429,
        body: { error: { code: 'RATE_LIMITED' } },
      })
    })
  })

  describe('POST /v1/auth/logout', () => {
    it('200: ends the session on the server and clears the cookie; a second one is 401', async () => {
      const browser = new Browser(gateway)
      await browser.register()
      const cookie = browser.cookie!
      const response = await browser.post('/v1/auth/logout', {})
      expect(response).toMatchObject({ status: 200, body: { state: 'logged_out' } })
      expect(response.headers['set-cookie']).toMatch(
        /^gateway_session=; Path=\/; Max-Age=0; HttpOnly; SameSite=Strict$/,
      )
      const again = await browser.post('/v1/auth/logout', {}, { cookie })
      expect(again).toMatchObject({ status: 401, body: { error: { code: 'GATEWAY_AUTH_REQUIRED' } } })
    })

    it('400 UNKNOWN_FIELDS for any field, and the session stays', async () => {
      const browser = new Browser(gateway)
      await browser.register()
      expect((await browser.post('/v1/auth/logout', { everywhere: true })).body.error.code).toBe('UNKNOWN_FIELDS')
      expect((await browser.get('/v1/me')).status).toBe(200)
    })
  })
})
