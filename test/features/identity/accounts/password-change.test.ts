import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AccountOwner, confirmRecovery, eventually } from '../../../../testkit/gateway/account-owner.ts'
import { Browser, password } from '../../../../testkit/gateway/browser.ts'
import { expectDone, expectRefused, look } from '../../../../testkit/gateway/console-contract.ts'
import { type Gateway, startGateway, TestClock } from '../../../../testkit/gateway/gateway.ts'
import { httpEngines, openDatabase } from '../../../../testkit/store/engines.ts'

const [change, end] = ['console.password.change', 'console.sessions.end']
const newPassword = 'an uncommon long passphrase'

describe.each(httpEngines)('the password and the sign-ins on %s', (engine) => {
  const clock = new TestClock()
  let gateway: Gateway
  beforeAll(async () => {
    // From this machine, X-Forwarded-For names the requester.
    const environment = { GATEWAY_TRUSTED_PROXIES: '127.0.0.1' }
    gateway = await startGateway({ engine, clock: clock.read, environment })
  })
  afterAll(() => gateway.stop())

  async function signIn(owner: AccountOwner): Promise<Browser> {
    const browser = new Browser(gateway)
    await browser.post('/v1/auth/login', { identifier: owner.phone, password: owner.password })
    return browser
  }

  it('a password change ends the other sign-ins and every open code, keeps this one, and is notified', async () => {
    const owner = await AccountOwner.join(gateway)
    await owner.verifyEmail()
    const [other, open] = [await signIn(owner), await owner.recoveryCode(owner.phone)]
    const response = await owner.post('password', { currentPassword: password, newPassword })
    expectDone(change!, response)
    expect(response.body).toEqual({ state: 'password_changed' })
    expect((await other.get('/v1/me')).status).toBe(401)
    expect((await owner.browser.get('/v1/me')).status).toBe(200)
    expect((await owner.logIn(owner.phone)).status).toBe(401)
    expect((await owner.logIn(owner.phone, newPassword)).status).toBe(200)
    expectRefused('auth.recovery.confirm', await confirmRecovery(gateway, open, password), 'VERIFICATION_FAILED')
    await eventually(() => expect(owner.notices()).toEqual(['email_verified', 'password_changed']))
    await eventually(() => expect(owner.mailedNotices()).toEqual(['Password changed', 'Recovery email verified']))
  })

  it('a wrong current password is 401 and counts as a failed login', async () => {
    const owner = await AccountOwner.join(gateway)
    const attempt = { currentPassword: 'a wrong password', newPassword }
    for (let i = 0; i < 10; i += 1)
      expectRefused(change!, await owner.post('password', attempt), 'AUTHENTICATION_FAILED')
    const right = await owner.post('password', { currentPassword: password, newPassword })
    expectRefused(change!, right, 'RATE_LIMITED')
    expect((await owner.logIn(owner.phone)).status).toBe(429)
    // The limit is of this requester: the owner can sign in from elsewhere.
    expect((await owner.logIn(owner.phone, password, { 'x-forwarded-for': '192.0.2.1' })).status).toBe(200)
  })

  it('of two changes at once one wins', async () => {
    const owner = await AccountOwner.join(gateway)
    const responses = await Promise.all(
      ['one', 'two'].map((word) =>
        owner.post('password', { currentPassword: password, newPassword: newPassword + word }),
      ),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401])
  })

  it.each([
    [{ newPassword: 'too short' }, 'PASSWORD_INVALID'],
    [{ newPassword: '123412341234' }, 'PASSWORD_INVALID'],
    [{ newPassword: 'qwertyqwerty' }, 'PASSWORD_INVALID'],
    [{ currentPassword: 'too short' }, 'PASSWORD_INVALID'],
    [{ currentPassword: undefined }, 'PASSWORD_INVALID'],
    [{ password }, 'UNKNOWN_FIELDS'],
  ] as const)('%o is %s', async (fault, code) => {
    const owner = await AccountOwner.join(gateway)
    expectRefused(change!, await owner.post('password', { currentPassword: password, newPassword, ...fault }), code)
    expect((await owner.logIn(owner.phone)).status).toBe(200)
  })

  it('one sign-in can be ended, of the own account only; ending this one clears the cookie', async () => {
    const [owner, stranger] = [await AccountOwner.join(gateway), await AccountOwner.join(gateway)]
    const other = await signIn(owner)
    const idOf = async (browser: Browser): Promise<string> =>
      (await look(browser, 'console.sessions.list')).items.find((item: { isCurrent: boolean }) => item.isCurrent)
        .sessionId
    const [own, others, foreign] = [await idOf(owner.browser), await idOf(other), await idOf(stranger.browser)]
    for (const sessionId of [foreign, 'ses_unknown', 'x'])
      expectRefused(end!, await owner.post(`sessions/${sessionId}/end`, {}), 'NOT_FOUND')
    expect((await stranger.browser.get('/v1/me')).status).toBe(200)

    const ended = await owner.post(`sessions/${others}/end`, {})
    expectDone(end!, ended)
    expect(ended.body).toEqual({ sessionId: others, state: 'logged_out' })
    expect(ended.headers['set-cookie']).toBeUndefined()
    expect((await other.get('/v1/me')).status).toBe(401)
    expectRefused(end!, await owner.post(`sessions/${others}/end`, {}), 'NOT_FOUND')
    expectRefused(end!, await owner.post(`sessions/${own}/end`, { all: true }), 'UNKNOWN_FIELDS')
    const last = await owner.post(`sessions/${own}/end`, {})
    expect(last.headers['set-cookie']).toMatch(/^gateway_session=; Path=\/; Max-Age=0; HttpOnly/)
    expect((await owner.browser.get('/v1/me')).status).toBe(401)
  })

  it('a sign-in from a requester new to the account is notified once, IPv6 by its network', async () => {
    const owner = await AccountOwner.join(gateway)
    await owner.verifyEmail()
    const from = (address: string) => owner.logIn(owner.phone, password, { 'x-forwarded-for': address })
    for (const address of ['192.0.2.7', '192.0.2.7', '2001:db8::1', '2001:db8::2']) {
      expect((await from(address)).status).toBe(200)
    }
    expect((await owner.logIn(owner.phone)).status).toBe(200)
    await eventually(() => expect(owner.notices()).toEqual(['email_verified', 'new_sign_in', 'new_sign_in']))
    await eventually(() => expect(owner.mailedNotices().filter((subject) => subject === 'New sign-in')).toHaveLength(2))
  })

  it('an account remembers its latest 50 requesters; one without any is not notified', async () => {
    const owner = await AccountOwner.join(gateway)
    const { accountId } = (await owner.browser.get('/v1/me')).body.account
    const store = await openDatabase(gateway.database, { exclusive: false })
    const count = () =>
      store.read((tx) => tx.get('SELECT COUNT(*) AS seen FROM account_requesters WHERE account_id = $1', [accountId]))
    expect(await count()).toEqual({ seen: 1 })
    await store.write((tx) => tx.run('DELETE FROM account_requesters WHERE account_id = $1', [accountId]))
    const from = (address: string) => owner.logIn(owner.phone, password, { 'x-forwarded-for': address })
    expect((await from('198.51.100.1')).status).toBe(200)
    const queued = () => store.read((tx) => tx.get('SELECT COUNT(*) AS messages FROM messages'))
    await eventually(async () => expect(await queued()).toEqual({ messages: 0 }))
    expect(owner.notices()).toEqual([])
    await store.write(async (tx) => {
      for (let i = 0; i < 60; i += 1)
        await tx.run(
          'INSERT INTO account_requesters (account_id, requester_digest, last_seen_at) VALUES ($1, $2, $3)',
          [accountId, `digest ${i}`, i],
        )
    })
    expect((await from('198.51.100.1')).status).toBe(200)
    expect(await count()).toEqual({ seen: 50 })
    await store.close()
    expect((await from('198.51.100.1')).status).toBe(200)
    expect((await from('198.51.100.2')).status).toBe(200)
    await eventually(() => expect(owner.notices()).toEqual(['new_sign_in']))
  })
})
