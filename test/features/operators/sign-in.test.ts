import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sumUpFailures } from '../../../src/features/operators/access/sign-in.ts'
import { createAdministrationStore } from '../../../src/features/operators/store.ts'
import { type Gateway, startGateway, TestClock } from '../../../testkit/gateway/gateway.ts'
import {
  addOperator,
  expectInOperatorContract,
  expectOperated,
  OperatorBrowser,
  operatorPassword,
  signedInOperator,
  totpOf,
} from '../../../testkit/gateway/operator-browser.ts'
import { runCommand } from '../../../testkit/gateway/run-command.ts'
import { httpEngines, openDatabase } from '../../../testkit/store/engines.ts'

describe.each(httpEngines)('signing in as an operator on %s', (engine) => {
  const clock = new TestClock()
  let gateway: Gateway
  beforeAll(async () => {
    const file = { limits: { loginPerIdentifierAndRequester: { max: 5, windowSeconds: 600 } } }
    gateway = await startGateway({ engine, clock: clock.read, file })
  })
  afterAll(() => gateway.stop())

  const command = (...argv: string[]) =>
    runCommand(gateway.database, argv, {
      environment: { GATEWAY_SECRET: 'the secret of the tests, 32 bytes or more' },
      clock: clock.read,
    })
  const audit = async (name: string) => {
    const { items } = JSON.parse((await command('audit', 'list', '--limit', '1000', '--json')).stdout)
    return items
      .filter((entry: { by: string }) => entry.by === name)
      .map(({ action, object, reason, via }: Record<string, string>) => ({ action, object, reason, via }))
  }

  test('the first password must be changed before anything but signing out', async () => {
    const { password } = await addOperator(gateway, 'first', 'support', clock.read)
    const browser = new OperatorBrowser(gateway)
    const signedIn = await browser.signIn('first', password)
    expectOperated('operator.sign_in', signedIn)
    expect(signedIn.body).toEqual({ name: 'first', role: 'support', csrfToken: expect.any(String) })
    const me = await browser.get('/api/me')
    expect(me).toMatchObject({ status: 200, body: signedIn.body })
    const early = await browser.get('/api/overview')
    expect(early).toMatchObject({ status: 403, body: { error: { code: 'PASSWORD_CHANGE_REQUIRED' } } })
    expectInOperatorContract('operator.overview', early)
    const wrong = await browser.post('/api/me/password', { currentPassword: 'wrong', newPassword: operatorPassword })
    expect(wrong).toMatchObject({ status: 401, body: { error: { code: 'AUTHENTICATION_FAILED' } } })
    const short = await browser.post('/api/me/password', { currentPassword: password, newPassword: 'short' })
    expect(short).toMatchObject({ status: 400, body: { error: { code: 'PASSWORD_INVALID' } } })

    const elsewhere = new OperatorBrowser(gateway)
    await elsewhere.signIn('first', password)
    const changed = await browser.post('/api/me/password', { currentPassword: password, newPassword: operatorPassword })
    expectOperated('operator.password', changed)
    expect(changed).toMatchObject({ status: 200, body: { state: 'password_changed', endedSessions: 1 } })
    expect((await elsewhere.get('/api/me')).status).toBe(401)
    expect((await browser.get('/api/overview')).status).toBe(200)
    expect((await new OperatorBrowser(gateway).signIn('first', password)).status).toBe(401)
    const signedOut = await browser.post('/api/sign-out')
    expectOperated('operator.sign_out', signedOut)
    expect(signedOut.body).toEqual({ state: 'signed_out' })
    expect((await browser.get('/api/me')).status).toBe(401)
  })

  test('a new password must not be a common one', async () => {
    const browser = await signedInOperator(gateway, 'lazy', 'viewer', clock.read)
    const common = await browser.post('/api/me/password', {
      currentPassword: operatorPassword,
      newPassword: 'Password1234!',
    })
    expect(common).toMatchObject({
      status: 400,
      body: { error: { code: 'PASSWORD_INVALID', message: expect.stringContaining('common password') } },
    })
    expectInOperatorContract('operator.password', common)
  })

  test('the cookie is HttpOnly, SameSite=Strict, for all paths, and the store has only its digest', async () => {
    const browser = await signedInOperator(gateway, 'cookie', 'viewer', clock.read)
    const response = await browser.signIn('cookie', operatorPassword)
    const cookie = String(response.headers['set-cookie'])
    expect(cookie).toMatch(/^gateway_operator=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/)
  })

  test('a session ends after 30 minutes without activity, and an open page is no activity', async () => {
    const browser = await signedInOperator(gateway, 'idle', 'viewer', clock.read)
    clock.advanceSeconds(1799)
    expect((await browser.get('/api/operators')).status).toBe(200)
    clock.advanceSeconds(1799)
    expect((await browser.get('/api/overview')).status).toBe(200)
    clock.advanceSeconds(1)
    expect(await browser.get('/api/overview')).toMatchObject({
      status: 401,
      body: { error: { code: 'GATEWAY_AUTH_REQUIRED' } },
    })
  })

  test('disabling an operator ends the sessions and refuses the next sign-in', async () => {
    const browser = await signedInOperator(gateway, 'leaver', 'support', clock.read)
    expect((await command('operators', 'disable', 'leaver')).exitCode).toBe(0)
    expect((await browser.get('/api/me')).status).toBe(401)
    const again = await new OperatorBrowser(gateway).signIn('leaver', operatorPassword)
    expect(again).toMatchObject({ status: 401, body: { error: { code: 'AUTHENTICATION_FAILED' } } })
    expect((await audit('leaver')).at(-1)).toEqual({
      action: 'operator.sign_in_failed',
      object: 'leaver',
      reason: 'disabled',
      via: 'web',
    })
  })

  test('right and wrong sign-ins are in the audit log, and an unknown name is not written down', async () => {
    await addOperator(gateway, 'noted', 'viewer', clock.read)
    const browser = new OperatorBrowser(gateway)
    expect((await browser.signIn('noted', 'not the password')).status).toBe(401)
    const unknown = await browser.signIn('my secret password', 'noted')
    expect(unknown.body).toEqual((await browser.signIn('noted', 'not the password')).body)
    // The second one is part of a sum.
    expect(await audit('noted')).toEqual([
      { action: 'operator.sign_in_failed', object: 'noted', reason: 'wrong password', via: 'web' },
    ])
    expect((await audit('unknown')).at(-1)).toMatchObject({ action: 'operator.sign_in_failed', reason: 'unknown name' })
    expect((await command('audit', 'list', '--limit', '1000', '--json')).stdout).not.toContain('my secret password')
    expect((await command('audit', 'verify')).exitCode).toBe(0)
  })

  test('failed sign-ins are two entries per hour, name and reason, however many there are', async () => {
    await addOperator(gateway, 'attacked', 'viewer', clock.read)
    const browser = new OperatorBrowser(gateway)
    const store = await openDatabase(gateway.database, { exclusive: false })
    const sumUp = () => sumUpFailures({ store: createAdministrationStore(store), clock: clock.read }, 1000)
    const failures = async () =>
      JSON.parse((await command('audit', 'list', '--limit', '1000', '--json')).stdout).items.filter(
        ({ action, by }: Record<string, string>) =>
          action === 'operator.sign_in_failed' && (by === 'unknown' || by === 'attacked'),
      )
    clock.advanceSeconds(3601)
    await sumUp()
    const before = (await failures()).length
    const from = new Date(clock.now).toISOString()
    for (let attempt = 0; attempt < 4; attempt += 1) {
      await browser.signIn(`stranger ${attempt}`, 'wrong')
      await browser.signIn('attacked', 'wrong')
    }
    expect(await failures()).toHaveLength(before + 2)
    clock.advanceSeconds(3599)
    await sumUp()
    expect(await failures()).toHaveLength(before + 2)
    clock.advanceSeconds(2)
    await Promise.all([sumUp(), sumUp()])
    const sums = (await failures()).slice(before + 2)
    expect(sums).toHaveLength(2)
    expect(sums).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ by: 'unknown', reason: 'unknown name', after: { attempts: 4, from, to: from } }),
        expect.objectContaining({ by: 'attacked', reason: 'wrong password', after: { attempts: 4, from, to: from } }),
      ]),
    )
    await sumUp()
    expect(await failures()).toHaveLength(before + 4)
    await store.close()
    expect((await command('audit', 'verify')).exitCode).toBe(0)
  })

  test('sign-in attempts for one name from one address are limited, and the right password does not help', async () => {
    const { password } = await addOperator(gateway, 'target', 'viewer', clock.read)
    const browser = new OperatorBrowser(gateway)
    for (let attempt = 0; attempt < 5; attempt += 1) expect((await browser.signIn('target', 'wrong')).status).toBe(401)
    const limited = await browser.signIn('TARGET', password)
    expect(limited).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } })
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
    clock.advanceSeconds(600)
    expect((await browser.signIn('target', password)).status).toBe(200)
  })

  test('a one-time link signs the local administrator in, once and for 10 minutes', async () => {
    const link = new URL(gateway.app.newSignInLink!())
    expect(`${link.origin}${link.pathname}`).toBe(`http://127.0.0.1:${gateway.app.operator!.port}/sign-in`)
    const token = link.hash.slice('#token='.length)
    const browser = new OperatorBrowser(gateway)
    const wrong = await browser.post('/api/sign-in', { token: `${token}x` })
    expect(wrong).toMatchObject({ status: 401, body: { error: { code: 'SIGN_IN_LINK_INVALID' } } })
    const signedIn = await browser.post('/api/sign-in', { token })
    expect(signedIn).toMatchObject({ status: 200, body: { name: 'local admin', role: 'admin' } })
    expect((await browser.get('/api/overview')).status).toBe(200)
    const second = await new OperatorBrowser(gateway).post('/api/sign-in', { token })
    expect(second).toMatchObject({ status: 401, body: { error: { code: 'SIGN_IN_LINK_INVALID' } } })
    expectInOperatorContract('operator.sign_in', second)
    const late = new URL(gateway.app.newSignInLink!()).hash.slice('#token='.length)
    clock.advanceSeconds(600)
    expect((await new OperatorBrowser(gateway).post('/api/sign-in', { token: late })).status).toBe(401)
    expect(
      await browser.post('/api/me/password', { currentPassword: 'x', newPassword: operatorPassword }),
    ).toMatchObject({ status: 409, body: { error: { code: 'NO_PASSWORD' } } })
    expect(gateway.log.join('')).not.toContain(token)
  })

  test('a body with neither a password nor a token is refused', async () => {
    const browser = new OperatorBrowser(gateway)
    const response = await browser.post('/api/sign-in', { name: 'someone' })
    expect(response).toMatchObject({ status: 400, body: { error: { code: 'INVALID_JSON' } } })
    expect((await browser.post('/api/sign-in', { token: 'x', admin: true })).body.error.code).toBe('UNKNOWN_FIELDS')
  })
})

describe.each(httpEngines)('signing in as an operator of a public origin on %s', (engine) => {
  const clock = new TestClock()
  let gateway: Gateway
  beforeAll(async () => {
    const environment = { GATEWAY_ORIGIN: 'https://gateway.example', GATEWAY_LISTEN: '127.0.0.1:0' }
    const file = { limits: { loginPerIdentifierAndRequester: { max: 100, windowSeconds: 600 } } }
    gateway = await startGateway({ engine, clock: clock.read, environment, file })
  })
  afterAll(() => gateway.stop())

  test('there is no link, and no inbox', async () => {
    expect(gateway.app.newSignInLink).toBeNull()
    const browser = new OperatorBrowser(gateway)
    expect((await browser.get('/inbox')).status).toBe(404)
    expect((await browser.get('/sms.json')).status).toBe(404)
  })

  test.each(['treasurer', 'admin'] as const)('a %s needs a one-time code, and each code works once', async (role) => {
    const operator = await addOperator(gateway, role, role, clock.read)
    const browser = new OperatorBrowser(gateway)
    const without = await browser.signIn(role, operator.password)
    expect(without).toMatchObject({ status: 401, body: { error: { code: 'TOTP_REQUIRED' } } })
    expectInOperatorContract('operator.sign_in', without)
    expect((await browser.signIn(role, 'wrong')).body.error.code).toBe('AUTHENTICATION_FAILED')
    const code = totpOf(operator, clock.now)
    expect((await browser.signIn(role, operator.password, totpOf(operator, clock.now + 90_000))).status).toBe(401)
    expect((await browser.signIn(role, operator.password, code)).status).toBe(200)
    expect((await browser.signIn(role, operator.password, code)).status).toBe(401)
    // One step of the clocks may differ.
    expect((await browser.signIn(role, operator.password, totpOf(operator, clock.now + 30_000))).status).toBe(200)
  })

  test('one code that is sent twice at once signs in once', async () => {
    const operator = await addOperator(gateway, 'racer', 'admin', clock.read)
    const browser = new OperatorBrowser(gateway)
    await browser.signIn('racer', operator.password, totpOf(operator, clock.now))
    await browser.post('/api/me/password', { currentPassword: operator.password, newPassword: operatorPassword })
    clock.advanceSeconds(60)
    const code = totpOf(operator, clock.now)
    const responses = await Promise.all(
      [1, 2, 3].map(() => new OperatorBrowser(gateway).signIn('racer', operatorPassword, code)),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401, 401])
  })

  test.each(['viewer', 'support'] as const)('a %s without a code can do nothing but set one up', async (role) => {
    const operator = await addOperator(gateway, role, role, clock.read)
    const browser = new OperatorBrowser(gateway)
    expect((await browser.signIn(role, operator.password)).status).toBe(200)
    const early = await browser.post('/api/me/totp/confirm', { totp: totpOf(operator, clock.now) })
    expect(early.body.error.code).toBe('PASSWORD_CHANGE_REQUIRED')
    await browser.post('/api/me/password', { currentPassword: operator.password, newPassword: operatorPassword })
    const refused = await browser.get('/api/overview')
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'TOTP_ENROLMENT_REQUIRED' } } })
    expectInOperatorContract('operator.overview', refused)
    expect((await browser.get('/api/settings')).body.error.code).toBe('TOTP_ENROLMENT_REQUIRED')
    expect((await browser.get('/api/me')).status).toBe(200)

    const secret = (await browser.post('/api/me/totp', { currentPassword: operatorPassword })).body
    const wrong = await browser.post('/api/me/totp/confirm', { totp: totpOf(operator, clock.now) })
    expect(wrong).toMatchObject({ status: 401, body: { error: { code: 'AUTHENTICATION_FAILED' } } })
    expect((await browser.get('/api/overview')).status).toBe(403)
    const confirmed = await browser.post('/api/me/totp/confirm', { totp: totpOf(secret, clock.now) })
    expect(confirmed).toMatchObject({ status: 200, body: { state: 'totp_confirmed' } })
    expectOperated('operator.totp.confirm', confirmed)
    expect((await browser.get('/api/overview')).status).toBe(200)
    // From now on each sign-in needs one.
    const without = await new OperatorBrowser(gateway).signIn(role, operatorPassword)
    expect(without.body.error.code).toBe('TOTP_REQUIRED')
  })

  test('the code of the first secret enrols at the first sign-in', async () => {
    const operator = await addOperator(gateway, 'prepared', 'viewer', clock.read)
    const browser = new OperatorBrowser(gateway)
    expect((await browser.signIn('prepared', operator.password, totpOf(operator, clock.now))).status).toBe(200)
    await browser.post('/api/me/password', { currentPassword: operator.password, newPassword: operatorPassword })
    expect((await browser.get('/api/overview')).status).toBe(200)
  })

  test('five wrong codes in a row lock an operator until a reset, also when they are sent at once', async () => {
    const operator = await addOperator(gateway, 'guessed', 'viewer', clock.read)
    const wrongCodes = Array.from({ length: 20 }, (_, i) => totpOf(operator, clock.now + (i + 3) * 30_000))
    const guess = (code: string) => new OperatorBrowser(gateway).signIn('guessed', operator.password, code)
    for (const code of wrongCodes.slice(0, 4)) expect((await guess(code)).status).toBe(401)
    // A right one starts the count again, and a wrong password is not counted.
    expect((await guess(totpOf(operator, clock.now))).status).toBe(200)
    for (let i = 0; i < 6; i += 1) await new OperatorBrowser(gateway).signIn('guessed', 'wrong', '000000')

    clock.advanceSeconds(60)
    const codes = wrongCodes.slice(8).filter((code) => code !== totpOf(operator, clock.now))
    const responses = await Promise.all(codes.map(guess))
    const given = responses.map(({ body }) => body.error.code)
    expect(given.filter((code) => code === 'AUTHENTICATION_FAILED')).toHaveLength(4)
    expect(given.filter((code) => code === 'OPERATOR_LOCKED')).toHaveLength(codes.length - 4)
    const right = await guess(totpOf(operator, clock.now))
    expect(right).toMatchObject({ status: 403, body: { error: { code: 'OPERATOR_LOCKED' } } })
    expectInOperatorContract('operator.sign_in', right)

    const environment = { GATEWAY_SECRET: 'the secret of the tests, 32 bytes or more' }
    const run = async (...argv: string[]) =>
      JSON.parse((await runCommand(gateway.database, [...argv, '--json'], { environment, clock: clock.read })).stdout)
    const { items } = await run('operators', 'list')
    expect(items.find(({ name }: { name: string }) => name === 'guessed')).toMatchObject({ state: 'locked' })
    const entries = (await run('audit', 'list', '--limit', '1000')).items
    expect(entries.filter(({ action }: { action: string }) => action === 'operator.lock')).toMatchObject([
      { by: 'guessed', object: 'guessed', reason: 'five wrong one-time codes in a row' },
    ])
    const reset = await run('operators', 'reset', 'guessed')
    expect(
      (await new OperatorBrowser(gateway).signIn('guessed', reset.password, totpOf(reset, clock.now))).status,
    ).toBe(200)
  })

  test('a new secret for one-time codes replaces the former one', async () => {
    const operator = await addOperator(gateway, 'phone', 'admin', clock.read)
    const browser = new OperatorBrowser(gateway)
    await browser.signIn('phone', operator.password, totpOf(operator, clock.now))
    await browser.post('/api/me/password', { currentPassword: operator.password, newPassword: operatorPassword })
    const replaced = await browser.post('/api/me/totp', { currentPassword: operatorPassword })
    expectOperated('operator.totp', replaced)
    clock.advanceSeconds(60)
    expect((await browser.signIn('phone', operatorPassword, totpOf(operator, clock.now))).status).toBe(401)
    expect((await browser.signIn('phone', operatorPassword, totpOf(replaced.body, clock.now))).status).toBe(200)
  })
})
