import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  AccountOwner,
  confirmRecovery,
  eventually,
  newEmail,
  wrongCode,
} from '../../../../testkit/gateway/account-owner.ts'
import { Browser, newPhone, password } from '../../../../testkit/gateway/browser.ts'
import { expectDone, expectRefused } from '../../../../testkit/gateway/console-contract.ts'
import { type Gateway, startGateway, TestClock } from '../../../../testkit/gateway/gateway.ts'
import { httpEngines, openDatabase } from '../../../../testkit/store/engines.ts'

const [sendCode, confirm] = ['auth.recovery.send_code', 'auth.recovery.confirm']
const newPassword = 'an uncommon long passphrase'

describe.each(httpEngines)('recovery on %s', (engine) => {
  const clock = new TestClock()
  let isSmsDown = false
  let gateway: Gateway
  beforeAll(async () => {
    gateway = await startGateway({ engine, clock: clock.read, failSms: () => isSmsDown })
  })
  afterAll(() => gateway.stop())

  const ask = (identifier: unknown, headers = {}) =>
    new Browser(gateway).post('/v1/auth/recovery/send-code', { identifier }, headers)
  async function count(table: string): Promise<number> {
    const store = await openDatabase(gateway.database, { exclusive: false })
    const row = await store.read((tx) => tx.get<{ rows: number }>(`SELECT COUNT(*) AS rows FROM ${table}`))
    await store.close()
    return Number(row!.rows)
  }

  it('the whole journey: verify the email, sign in by it, forget the password, recover by SMS and by email', async () => {
    const owner = await AccountOwner.join(gateway)
    const { apiKey } = await owner.browser.createKey(['models:invoke'])
    await owner.verifyEmail()
    expect((await owner.browser.post('/v1/auth/logout', {})).status).toBe(200)
    const elsewhere = new Browser(gateway)
    const byEmail = { identifier: owner.email, password: owner.password }
    expect((await elsewhere.post('/v1/auth/login', byEmail)).status).toBe(200)

    const bySms = await owner.recoveryCode(owner.phone)
    expect(gateway.messages.at(-1)).toMatchObject({ kind: 'recovery', phone: owner.phone })
    const response = await confirmRecovery(gateway, bySms, newPassword)
    expectDone(confirm!, response)
    expect(response.body).toEqual({ state: 'password_changed', secondFactorRemovedAt: null })
    expect(response.headers['set-cookie']).toBeUndefined()
    expect((await elsewhere.get('/v1/me')).status).toBe(401)
    expect((await owner.logIn(owner.phone)).status).toBe(401)
    expect((await owner.logIn(owner.phone, newPassword)).status).toBe(200)

    expectDone(confirm!, await confirmRecovery(gateway, await owner.recoveryCode(owner.email), password))
    expect(gateway.emails.filter(({ to }) => to === owner.email).map(({ kind }) => kind)).toContain('recovery')
    expect((await owner.logIn(owner.email)).status).toBe(200)
    expect((await gateway.call(apiKey, '/v1/models/chat', 'still valid', { prompt: 'hello' })).status).toBe(402)
    const recovered = ['email_verified', 'password_recovered', 'password_recovered']
    await eventually(() => expect(owner.notices()).toEqual(recovered))
    const mailed = ['Password reset', 'Password reset', 'Recovery email verified']
    await eventually(() => expect(owner.mailedNotices()).toEqual(mailed))
  })

  it('an unknown identifier gets the same response and costs the same writes, but no message', async () => {
    const owner = await AccountOwner.join(gateway)
    const unknown = [newPhone(), newEmail(), owner.email]
    for (const identifier of unknown) {
      const before = await count('challenges')
      const [known, other] = [await ask(owner.phone), await ask(identifier)]
      expectDone(sendCode!, other)
      const withoutId = ({ text }: { text: string }) => text.replace(/gvc_[A-Za-z0-9]{22}/, 'gvc')
      expect(withoutId(other)).toBe(withoutId(known))
      expect(Object.keys(other.headers)).toEqual(Object.keys(known.headers))
      expect(await count('challenges')).toBe(before + 2)
      // A repeat is refused alike, so the cooldown reveals nothing either.
      const repeats = [await ask(owner.phone), await ask(identifier)]
      for (const repeat of repeats) expectRefused(sendCode!, repeat, 'RATE_LIMITED')
      expect(repeats[1]!.headers['retry-after']).toBe(repeats[0]!.headers['retry-after'])
      await eventually(async () => expect(await count('messages')).toBe(0))
      clock.advanceSeconds(60)
      const sent = JSON.stringify([gateway.messages, gateway.emails])
      expect(sent).toContain(known.body.challengeId)
      expect(sent).not.toContain(other.body.challengeId)
    }
  })

  it('every reason why a code fails gets the same response', async () => {
    const [owner, other] = [await AccountOwner.join(gateway), await AccountOwner.join(gateway)]
    const verification = await owner.emailCode()
    const registration = await new Browser(gateway).requestCode(newPhone())
    const unknown = await ask(newPhone())
    const [proof, superseded] = [await owner.recoveryCode(owner.phone), await other.recoveryCode(other.phone)]
    for (let later = 0; later < 3; later++) {
      clock.advanceSeconds(60)
      await other.recoveryCode(other.phone)
    }
    const responses = []
    for (const presented of [
      wrongCode(proof),
      verification,
      registration,
      superseded,
      { challengeId: unknown.body.challengeId, verificationCode: '12345678' },
      { ...proof, challengeId: 'gvc_unknown' },
      { ...proof, verificationCode: '1' },
    ])
      responses.push(await confirmRecovery(gateway, presented, newPassword))
    clock.advanceSeconds(240)
    responses.push(await confirmRecovery(gateway, proof, newPassword))
    for (const response of responses) expectRefused(confirm!, response, 'VERIFICATION_FAILED')
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1)
    expect((await owner.logIn(owner.phone)).status).toBe(200)
  })

  it('a recovery code does not register, and a registration code does not recover', async () => {
    const owner = await AccountOwner.join(gateway)
    const proof = await owner.recoveryCode(owner.phone)
    const body = { phone: owner.phone, ...proof, recoveryEmail: owner.email, password }
    const response = await new Browser(gateway).post('/v1/auth/register', body)
    expect(response).toMatchObject({ status: 400, body: { error: { code: 'VERIFICATION_FAILED' } } })
  })

  it('five wrong attempts end a code', async () => {
    const owner = await AccountOwner.join(gateway)
    const proof = await owner.recoveryCode(owner.phone)
    await Promise.all(Array.from({ length: 5 }, () => confirmRecovery(gateway, wrongCode(proof), newPassword)))
    expectRefused(confirm!, await confirmRecovery(gateway, proof, newPassword), 'VERIFICATION_FAILED')
  })

  it('of twenty confirmations with one code one wins, and a used code is a conflict', async () => {
    const owner = await AccountOwner.join(gateway)
    const proof = await owner.recoveryCode(owner.phone)
    const passwords = Array.from({ length: 20 }, (_, i) => `${newPassword} ${i}`)
    const responses = await Promise.all(passwords.map((secret) => confirmRecovery(gateway, proof, secret)))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const response of responses)
      if (response.status !== 200) expectRefused(confirm!, response, 'VERIFICATION_CONFLICT')
    const winner = passwords[responses.findIndex(({ status }) => status === 200)]!
    expect((await owner.logIn(owner.phone, winner)).status).toBe(200)
    expectRefused(confirm!, await confirmRecovery(gateway, proof, newPassword), 'VERIFICATION_CONFLICT')
    await eventually(() => expect(owner.notices()).toEqual(['password_recovered']))
  })

  it('recovery ends every other open code of the account', async () => {
    const owner = await AccountOwner.join(gateway)
    await owner.verifyEmail()
    const [bySms, byEmail] = [await owner.recoveryCode(owner.phone), await owner.recoveryCode(owner.email)]
    expectDone(confirm!, await confirmRecovery(gateway, bySms, newPassword))
    expectRefused(confirm!, await confirmRecovery(gateway, byEmail, password), 'VERIFICATION_FAILED')
  })

  it('no login with the old password survives a concurrent recovery', async () => {
    const owner = await AccountOwner.join(gateway)
    const proof = await owner.recoveryCode(owner.phone)
    const [confirmed, ...logins] = await Promise.all([
      confirmRecovery(gateway, proof, newPassword),
      ...Array.from({ length: 8 }, async () => {
        const browser = new Browser(gateway)
        await browser.post('/v1/auth/login', { identifier: owner.phone, password })
        return browser
      }),
    ])
    expect(confirmed.status).toBe(200)
    for (const browser of logins) expect((await browser.get('/v1/me')).status).toBe(401)
  })

  it('a delivery that fails loses nothing: the code arrives later', async () => {
    const owner = await AccountOwner.join(gateway)
    isSmsDown = true
    const response = await ask(owner.phone)
    expectDone(sendCode!, response)
    await eventually(() => expect(gateway.log.join('')).toContain('a message was not sent yet'))
    isSmsDown = false
    clock.advanceSeconds(1)
    const proof = await owner.codeOf(response.body.challengeId)
    expectDone(confirm!, await confirmRecovery(gateway, proof, newPassword))
  })

  it('429 after five codes for one contact from one address in an hour, known or not', async () => {
    clock.advanceSeconds(3600 - ((clock.now / 1000) % 3600))
    const owner = await AccountOwner.join(gateway)
    const [known, unknown] = [owner.phone, newPhone()]
    for (let i = 0; i < 5; i += 1) {
      for (const identifier of [known, unknown]) expectDone(sendCode!, await ask(identifier))
      clock.advanceSeconds(60)
    }
    for (const identifier of [known, unknown]) {
      const response = await ask(identifier)
      expectRefused(sendCode!, response, 'RATE_LIMITED')
      expect(response.headers['retry-after']).toBe('3300')
    }
  })

  it.each(['', 'unknown', '12812345678', 13812345678, null, `${'a'.repeat(250)}@b.cn`, 'a@b.cn\nBcc: c@d.cn'])(
    'send-code: %o is IDENTIFIER_INVALID',
    async (identifier) => {
      expectRefused(sendCode!, await ask(identifier), 'IDENTIFIER_INVALID')
    },
  )

  it.each([
    [{ newPassword: 'too short' }, 'PASSWORD_INVALID'],
    [{ newPassword: 'x'.repeat(129) }, 'PASSWORD_INVALID'],
    [{ newPassword: 7 }, 'PASSWORD_INVALID'],
    [{ newPassword: 'password1234' }, 'PASSWORD_INVALID'],
    [{ newPassword: 'PASSWORD1234' }, 'PASSWORD_INVALID'],
    [{ verificationCode: 12345678 }, 'VERIFICATION_FAILED'],
    [{ verificationCode: '123456' }, 'VERIFICATION_FAILED'],
    [{ challengeId: 'x' }, 'VERIFICATION_FAILED'],
    [{ phone: '13812345678' }, 'UNKNOWN_FIELDS'],
  ] as const)('confirm: %o is %s, and uses up no attempt', async (fault, code) => {
    const body = { challengeId: 'gvc_1', verificationCode: '12345678', newPassword, ...fault }
    expectRefused(confirm!, await new Browser(gateway).post('/v1/auth/recovery/confirm', body), code)
  })

  it('Origin is checked before the body', async () => {
    const headers = { origin: 'http://localhost:1' }
    expectRefused(sendCode!, await ask(7, headers), 'ORIGIN_INVALID')
    const response = await new Browser(gateway).post('/v1/auth/recovery/confirm', {}, headers)
    expectRefused(confirm!, response, 'ORIGIN_INVALID')
  })
})

describe('the limits per requester', () => {
  it('the limits per requester count send-code like the one of registration, and confirm like a login', async () => {
    const twice = { max: 2, windowSeconds: 600 }
    const gateway = await startGateway({
      clock: new TestClock().read,
      file: { limits: { sendCodePerRequester: twice, loginPerRequester: twice } },
    })
    const statuses = async (paths: string[]) => {
      const found = []
      for (const path of paths) found.push((await new Browser(gateway).post(path, {})).status)
      return found
    }
    expect(await statuses(Array(3).fill('/v1/auth/recovery/send-code'))).toEqual([400, 400, 429])
    expect(await statuses(['/v1/auth/login', ...Array(2).fill('/v1/auth/recovery/confirm')])).toEqual([400, 400, 429])
    expect(await statuses(['/v1/auth/send-code'])).toEqual([429])
    await gateway.stop()
  })
})
