import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AccountOwner, eventually, newEmail, wrongCode } from '../../../../testkit/gateway/account-owner.ts'
import { Browser, password } from '../../../../testkit/gateway/browser.ts'
import { expectDone, expectRefused } from '../../../../testkit/gateway/console-contract.ts'
import { type Gateway, startGateway, TestClock } from '../../../../testkit/gateway/gateway.ts'
import { httpEngines, openDatabase } from '../../../../testkit/store/engines.ts'

const [replace, sendCode, verify] = ['replace', 'send_code', 'verify'].map((name) => `console.recovery_email.${name}`)

describe.each(httpEngines)('the recovery email on %s', (engine) => {
  const clock = new TestClock()
  let gateway: Gateway
  let owner: AccountOwner
  beforeAll(async () => {
    gateway = await startGateway({ engine, clock: clock.read })
    owner = await AccountOwner.join(gateway)
  })
  afterAll(() => gateway.stop())

  const presentTo = (someone: AccountOwner, proof: object) => someone.post('recovery-email/verify', proof)

  it('the recovery email signs in once it is verified, and the phone and the address are notified', async () => {
    expect((await owner.logIn(owner.email)).status).toBe(401)
    const sent = await owner.post('recovery-email/send-code', {})
    expect(sent.body).toMatchObject({ expiresInSeconds: 1800, resendAfterSeconds: 60 })
    const proof = await owner.codeOf(sent.body.challengeId)
    const mail = gateway.emails.find(({ challengeId }) => challengeId === proof.challengeId)!
    expect(mail).toMatchObject({ to: owner.email, kind: 'verification', code: expect.stringMatching(/^[0-9]{6}$/) })
    const response = await presentTo(owner, proof)
    expectDone(verify!, response)
    expect(response.body).toEqual({ recoveryEmailState: 'verified' })
    expect((await owner.browser.get('/v1/me')).body.account.recoveryEmailState).toBe('verified')
    expect((await owner.logIn(owner.email.toUpperCase())).status).toBe(200)
    await eventually(() => expect(owner.notices()).toEqual(['email_verified']))
    await eventually(() => expect(owner.mailedNotices()).toEqual(['Recovery email verified']))
    expectRefused(verify!, await presentTo(owner, proof), 'VERIFICATION_CONFLICT')
    expectRefused(sendCode!, await owner.post('recovery-email/send-code', {}), 'VERIFICATION_CONFLICT')
  })

  it('every reason why a code fails gets the same response', async () => {
    const [other, third] = [await AccountOwner.join(gateway), await AccountOwner.join(gateway)]
    const [proof, foreign] = [await other.emailCode(), await third.emailCode()]
    const recovery = await other.recoveryCode(other.phone)
    const responses = [
      await presentTo(other, wrongCode(proof)),
      await presentTo(other, foreign),
      await presentTo(other, recovery),
      await presentTo(other, { ...proof, challengeId: 'gvc_unknown' }),
      await presentTo(other, { ...proof, challengeId: 'no challenge' }),
      await presentTo(other, { ...proof, verificationCode: '12345' }),
    ]
    clock.advanceSeconds(1800)
    responses.push(await presentTo(other, proof))
    for (const response of responses) expectRefused(verify!, response, 'VERIFICATION_FAILED')
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1)
  })

  it('five wrong attempts end a code; a new one can be sent after the cooldown', async () => {
    const other = await AccountOwner.join(gateway)
    const proof = await other.emailCode()
    await Promise.all(Array.from({ length: 5 }, () => presentTo(other, wrongCode(proof))))
    expectRefused(verify!, await presentTo(other, proof), 'VERIFICATION_FAILED')
    const early = await other.post('recovery-email/send-code', {})
    expectRefused(sendCode!, early, 'RATE_LIMITED')
    expect(early.headers['retry-after']).toBe('60')
    clock.advanceSeconds(60)
    await other.verifyEmail()
  })

  it('409 ACCOUNT_UNAVAILABLE when another account has verified the address, regardless of who asks first', async () => {
    const email = newEmail()
    const [first, second] = [await AccountOwner.join(gateway, email), await AccountOwner.join(gateway, email)]
    const proofs = [await first.emailCode()]
    clock.advanceSeconds(60)
    proofs.push(await second.emailCode())
    // The address is the same, but the code is of the other account.
    expectRefused(verify!, await presentTo(first, proofs[1]!), 'VERIFICATION_FAILED')
    const responses = await Promise.all([first, second].map((someone, i) => presentTo(someone, proofs[i]!)))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409])
    const loser = responses[0]!.status === 409 ? 0 : 1
    expectRefused(verify!, responses[loser]!, 'ACCOUNT_UNAVAILABLE')
    const again = await presentTo([first, second][loser]!, proofs[loser]!)
    expectRefused(verify!, again, 'ACCOUNT_UNAVAILABLE')
    const signedIn = (await first.logIn(email)).body.account.accountId
    const winner = [first, second][1 - loser]!
    expect(signedIn).toBe((await winner.browser.get('/v1/me')).body.account.accountId)
  })

  it('the recovery email is replaced with the password: pending again, old codes end, and the old address is notified', async () => {
    const other = await AccountOwner.join(gateway)
    await other.verifyEmail()
    const [old, email] = [other.email, newEmail()]
    const stale = await other.recoveryCode(old)
    const response = await other.post('recovery-email', { recoveryEmail: email, password })
    expectDone(replace!, response)
    expect(response.body).toEqual({
      recoveryEmailMasked: 'l***@example.com',
      recoveryEmailState: 'pending_verification',
    })
    expect((await other.logIn(old)).status).toBe(401)
    expect((await other.logIn(email)).status).toBe(401)
    const confirmed = await new Browser(gateway).post('/v1/auth/recovery/confirm', { ...stale, newPassword: password })
    expectRefused('auth.recovery.confirm', confirmed, 'VERIFICATION_FAILED')
    await eventually(() => expect(other.notices()).toEqual(['email_changed', 'email_verified']))
    await eventually(() => expect(other.mailedNotices(old)).toContain('No longer your recovery email'))
    expect(other.mailedNotices(email)).toEqual([])
    other.email = email
    await other.verifyEmail()
    expect((await other.logIn(email)).status).toBe(200)
  })

  it('setting the verified address again, in any case, keeps it verified and sends no notice', async () => {
    const other = await AccountOwner.join(gateway)
    await other.verifyEmail()
    await eventually(() => expect(other.notices()).toEqual(['email_verified']))
    const recoveryEmail = other.email.toUpperCase()
    const response = await other.post('recovery-email', { recoveryEmail, password })
    expect(response.body.recoveryEmailState).toBe('verified')
    expect((await other.logIn(other.email)).status).toBe(200)
    const store = await openDatabase(gateway.database, { exclusive: false })
    const queued = await store.read((tx) => tx.get("SELECT COUNT(*) AS messages FROM messages WHERE kind = 'notice'"))
    await store.close()
    expect(queued).toEqual({ messages: 0 })
    expect(other.notices()).toEqual(['email_verified'])
  })

  it('a wrong password changes nothing, and counts as a failed login', async () => {
    const other = await AccountOwner.join(gateway)
    const attempt = { recoveryEmail: newEmail(), password: 'a wrong password' }
    for (let i = 0; i < 10; i += 1)
      expectRefused(replace!, await other.post('recovery-email', attempt), 'AUTHENTICATION_FAILED')
    expectRefused(replace!, await other.post('recovery-email', { ...attempt, password }), 'RATE_LIMITED')
    expect((await other.logIn(other.phone)).status).toBe(429)
  })

  it.each([
    [replace, 'recovery-email', { recoveryEmail: 'unknown', password }, 'EMAIL_INVALID'],
    [replace, 'recovery-email', { recoveryEmail: 'a@b.cn\r\nBcc: c@d.cn', password }, 'EMAIL_INVALID'],
    [replace, 'recovery-email', { recoveryEmail: `${'a'.repeat(250)}@b.cn`, password }, 'EMAIL_INVALID'],
    [replace, 'recovery-email', { recoveryEmail: 'a@b.cn', password: 7 }, 'PASSWORD_INVALID'],
    [replace, 'recovery-email', { recoveryEmail: 'a@b.cn' }, 'PASSWORD_INVALID'],
    [replace, 'recovery-email', { recoveryEmail: 'a@b.cn', password, next: '/' }, 'UNKNOWN_FIELDS'],
    [sendCode, 'recovery-email/send-code', { recoveryEmail: 'a@b.cn' }, 'UNKNOWN_FIELDS'],
    [verify, 'recovery-email/verify', { challengeId: 'gvc_1', verificationCode: 123456 }, 'VERIFICATION_FAILED'],
    [verify, 'recovery-email/verify', {}, 'VERIFICATION_FAILED'],
    [verify, 'recovery-email/verify', { challengeId: 'gvc_1', verificationCode: '123456', x: 1 }, 'UNKNOWN_FIELDS'],
  ] as const)('%s: %s with %o is %s', async (id, path, body, code) => {
    expectRefused(id!, await owner.post(path, body), code)
  })

  it.each([
    [replace!, '/v1/console/recovery-email'],
    [sendCode!, '/v1/console/recovery-email/send-code'],
    [verify!, '/v1/console/recovery-email/verify'],
  ])('%s checks Origin, session and CSRF token before the body', async (id, path) => {
    const { browser } = owner
    expectRefused(id, await browser.post(path, { x: 1 }, { origin: 'http://localhost:1' }), 'ORIGIN_INVALID')
    expectRefused(id, await new Browser(gateway).post(path, { x: 1 }), 'GATEWAY_AUTH_REQUIRED')
    expectRefused(id, await browser.post(path, { x: 1 }, { 'x-csrf-token': 'another token' }), 'CSRF_INVALID')
  })
})

describe('after the secret was replaced', () => {
  it.each(httpEngines)('on %s an address verified with the old secret cannot be verified again', async (engine) => {
    const [first, second] = ['the first secret of 32 bytes or more', 'the second secret of 32 bytes or more']
    const old = await startGateway({ engine, environment: { GATEWAY_SECRET: first } })
    const email = newEmail()
    await (await AccountOwner.join(old, email)).verifyEmail()
    const environment = { GATEWAY_SECRET: second, GATEWAY_SECRET_PREVIOUS: first }
    const inTwoMinutes = () => Date.now() + 120_000
    await old.app.stop()
    const gateway = await startGateway({ database: old.database, environment, clock: inTwoMinutes })
    const other = await AccountOwner.join(gateway, email)
    const response = await other.post('recovery-email/verify', await other.emailCode())
    expectRefused(verify!, response, 'ACCOUNT_UNAVAILABLE')
    await gateway.stop()
    await old.database.remove()
  })
})

describe('where email is disabled', () => {
  it('503 EMAIL_DELIVERY_UNAVAILABLE, and a code is never made', async () => {
    const gateway = await startGateway({ environment: { GATEWAY_EMAIL: 'disabled' } })
    const owner = await AccountOwner.join(gateway)
    expectRefused(sendCode!, await owner.post('recovery-email/send-code', {}), 'EMAIL_DELIVERY_UNAVAILABLE')
    expectRefused(sendCode!, await owner.post('recovery-email/send-code', {}), 'EMAIL_DELIVERY_UNAVAILABLE')
    await gateway.stop()
  })

  it('an account from before sealing must enter its address again', async () => {
    const gateway = await startGateway()
    const owner = await AccountOwner.join(gateway)
    const store = await openDatabase(gateway.database, { exclusive: false })
    await store.write((tx) =>
      tx.run('UPDATE accounts SET recovery_email_sealed = NULL, recovery_email_key_version = NULL'),
    )
    await store.close()
    expectRefused(sendCode!, await owner.post('recovery-email/send-code', {}), 'EMAIL_DELIVERY_UNAVAILABLE')
    expectDone(replace!, await owner.post('recovery-email', { recoveryEmail: owner.email, password }))
    await owner.verifyEmail()
    await gateway.stop()
  })
})
