import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AuthResponse, Challenge } from '../../../../src/contract/schemas/identity.ts'
import { compile } from '../../../../src/contract/validate.ts'
import { Browser, newPhone, password } from '../../../../testkit/gateway/browser.ts'
import { type Gateway, startGateway, TestClock } from '../../../../testkit/gateway/gateway.ts'
import { httpEngines, openDatabase } from '../../../../testkit/store/engines.ts'

const isChallenge = compile(Challenge)
const isAuthResponse = compile(AuthResponse)

describe.each(httpEngines)('on %s', (engine) => {
  const clock = new TestClock()
  let isSmsDown = false
  let gateway: Gateway

  beforeAll(async () => {
    gateway = await startGateway({ engine, clock: clock.read, failSms: () => isSmsDown })
  })
  afterAll(() => gateway.stop())

  const registration = (phone: string, proof: { challengeId: string; verificationCode: string }) => ({
    phone,
    ...proof,
    recoveryEmail: 'li@example.com',
    password,
  })

  describe('POST /v1/auth/send-code', () => {
    it('202: sends a 6-digit code and never echoes it', async () => {
      const phone = newPhone()
      const response = await new Browser(gateway).post('/v1/auth/send-code', { phone })
      expect(response.status).toBe(202)
      expect(isChallenge(response.body)).toEqual({ ok: true })
      const message = gateway.messages.at(-1)!
      expect(message).toMatchObject({ phone, challengeId: response.body.challengeId })
      expect(message.code).toMatch(/^[0-9]{6}$/)
      expect(response.text).not.toContain(message.code)
    })

    it('403 ORIGIN_INVALID comes before any check of the body', async () => {
      for (const headers of [
        { origin: 'http://localhost:8788' },
        { origin: 'http://LOCALHOST:8787' },
        { origin: 'null' },
      ]) {
        const response = await new Browser(gateway).post('/v1/auth/send-code', { nonsense: true }, headers)
        expect(response).toMatchObject({ status: 403, body: { error: { code: 'ORIGIN_INVALID' } } })
      }
    })

    it.each(['12812345678', '1381234567', '138123456789', ' 13812345678', '+8613812345678', 13812345678, null])(
      '400 PHONE_INVALID for %o',
      async (phone) => {
        const response = await new Browser(gateway).post('/v1/auth/send-code', { phone })
        expect(response).toMatchObject({ status: 400, body: { error: { code: 'PHONE_INVALID' } } })
      },
    )

    it('429 within the cooldown with the remaining time; a new code invalidates the old one', async () => {
      const phone = newPhone()
      const browser = new Browser(gateway)
      const first = await browser.requestCode(phone)
      clock.advanceSeconds(20)
      const early = await browser.post('/v1/auth/send-code', { phone })
      expect(early).toMatchObject({
        status: 429,
        headers: { 'retry-after': '40' },
        body: { error: { code: 'RATE_LIMITED' } },
      })
      clock.advanceSeconds(40)
      const second = await browser.requestCode(phone)
      const stale = await browser.post('/v1/auth/register', registration(phone, first))
      expect(stale).toMatchObject({ status: 400, body: { error: { code: 'VERIFICATION_FAILED' } } })
      expect((await browser.post('/v1/auth/register', registration(phone, second))).status).toBe(201)
    })

    it('503 when the message cannot be delivered, leaving no valid code and no cooldown', async () => {
      const phone = newPhone()
      const browser = new Browser(gateway)
      isSmsDown = true
      const failed = await browser.post('/v1/auth/send-code', { phone })
      isSmsDown = false
      expect(failed).toMatchObject({ status: 503, body: { error: { code: 'SMS_DELIVERY_UNAVAILABLE' } } })
      expect((await browser.post('/v1/auth/send-code', { phone })).status).toBe(202)
    })

    it('429 after ten codes to one phone in an hour', async () => {
      const phone = newPhone()
      const browser = new Browser(gateway)
      clock.advanceSeconds(3600 - ((clock.now / 1000) % 3600))
      for (let i = 0; i < 10; i += 1) {
        expect((await browser.post('/v1/auth/send-code', { phone })).status).toBe(202)
        clock.advanceSeconds(60)
      }
      const response = await browser.post('/v1/auth/send-code', { phone })
      expect(response).toMatchObject({ status: 429, headers: { 'retry-after': '3000' } })
      clock.advanceSeconds(3000)
      expect((await browser.post('/v1/auth/send-code', { phone })).status).toBe(202)
    })

    it('only one of many concurrent requests for a phone gets a code', async () => {
      const phone = newPhone()
      const responses = await Promise.all(
        Array.from({ length: 8 }, () => new Browser(gateway).post('/v1/auth/send-code', { phone })),
      )
      expect(responses.map(({ status }) => status).sort()).toEqual([202, 429, 429, 429, 429, 429, 429, 429])
    })
  })

  describe('POST /v1/auth/register', () => {
    it('201: creates the account, its project and a session in an HttpOnly cookie', async () => {
      const browser = new Browser(gateway)
      const response = await browser.register('13912345678')
      expect(response.status).toBe(201)
      expect(isAuthResponse(response.body)).toEqual({ ok: true })
      expect(response.body).toMatchObject({
        account: {
          phoneMasked: '139****5678',
          recoveryEmailMasked: 'l***@example.com',
          recoveryEmailState: 'pending_verification',
        },
        redirectTo: '/console',
      })
      expect(response.headers['set-cookie']).toMatch(
        /^gateway_session=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
      )
      expect(Date.parse(response.body.session.expiresAt)).toBe(clock.now + 43_200_000)
      expect((await browser.get('/v1/me')).status).toBe(200)
    })

    it('201 on the preview path redirects within the preview', async () => {
      const phone = newPhone()
      const browser = new Browser(gateway)
      const proof = await browser.requestCode(phone)
      const response = await browser.post('/gateway/api/auth/register', registration(phone, proof))
      expect(response).toMatchObject({ status: 201, body: { redirectTo: '/gateway/console' } })
    })

    it.each([
      ['PHONE_INVALID', { phone: '2' }],
      ['VERIFICATION_FAILED', { verificationCode: '12345' }],
      ['VERIFICATION_FAILED', { challengeId: 'gvc-1' }],
      ['EMAIL_INVALID', { recoveryEmail: 'unknown' }],
      ['EMAIL_INVALID', { recoveryEmail: `${'a'.repeat(250)}@b.cn` }],
      ['PASSWORD_INVALID', { password: '口'.repeat(11) }],
      ['PASSWORD_INVALID', { password: 'x'.repeat(129) }],
      ['NEXT_PATH_INVALID', { next: 'https://elsewhere.example' }],
      ['UNKNOWN_FIELDS', { projectId: 'prj_mine' }],
    ])('400 %s for %o', async (code, wrong) => {
      const proof = { challengeId: 'gvc_1', verificationCode: '123456' }
      const response = await new Browser(gateway).post('/v1/auth/register', {
        ...registration(newPhone(), proof),
        ...wrong,
      })
      expect(response).toMatchObject({ status: 400, body: { error: { code } } })
    })

    it('every reason why a code fails gets the same bytes', async () => {
      const [phone, other] = [newPhone(), newPhone()]
      const browser = new Browser(gateway)
      const proof = await browser.requestCode(phone)
      const wrongCode = { ...proof, verificationCode: proof.verificationCode === '000000' ? '000001' : '000000' }
      const responses = [
        await browser.post('/v1/auth/register', registration(phone, wrongCode)),
        await browser.post('/v1/auth/register', registration(other, proof)),
        await browser.post('/v1/auth/register', registration(phone, { ...proof, challengeId: 'gvc_unknown' })),
      ]
      clock.advanceSeconds(300)
      responses.push(await browser.post('/v1/auth/register', registration(phone, proof)))
      for (const response of responses) expect(response.status).toBe(400)
      expect(new Set(responses.map(({ text }) => text)).size).toBe(1)
      expect(responses[0]!.body.error.code).toBe('VERIFICATION_FAILED')
    })

    it('a code is valid to the last of its 300,000 milliseconds', async () => {
      const phone = newPhone()
      const browser = new Browser(gateway)
      const proof = await browser.requestCode(phone)
      clock.now += 299_999
      expect((await browser.post('/v1/auth/register', registration(phone, proof))).status).toBe(201)
    })

    it('five wrong attempts invalidate the code, even for its owner', async () => {
      const phone = newPhone()
      const browser = new Browser(gateway)
      const proof = await browser.requestCode(phone)
      const verificationCode = proof.verificationCode === '000000' ? '000001' : '000000'
      await Promise.all(
        Array.from({ length: 5 }, () =>
          browser.post('/v1/auth/register', registration(phone, { ...proof, verificationCode })),
        ),
      )
      const response = await browser.post('/v1/auth/register', registration(phone, proof))
      expect(response).toMatchObject({ status: 400, body: { error: { code: 'VERIFICATION_FAILED' } } })
    })

    it('POST /v1/auth/register never compares a sixth attempt, however many arrive together', async () => {
      const phone = newPhone()
      const browser = new Browser(gateway)
      const proof = await browser.requestCode(phone)
      const attempts = Array.from({ length: 40 }, (_, i) => String(i).padStart(6, '0')).filter(
        (code) => code !== proof.verificationCode,
      )
      await Promise.all(
        attempts.map((verificationCode) =>
          browser.post('/v1/auth/register', registration(phone, { ...proof, verificationCode })),
        ),
      )
      const store = await openDatabase(gateway.database, { exclusive: false })
      const counted = await store.read((tx) =>
        tx.get(
          'SELECT wrong_attempts AS "compared" FROM challenges ORDER BY issued_at DESC, wrong_attempts DESC LIMIT 1',
        ),
      )
      await store.close()
      expect(counted).toEqual({ compared: 5 })
    })

    it('409 ACCOUNT_ALREADY_EXISTS for a phone with an account, although a code is still sent', async () => {
      const phone = newPhone()
      await new Browser(gateway).register(phone)
      clock.advanceSeconds(60)
      const response = await new Browser(gateway).register(phone)
      expect(response).toMatchObject({ status: 409, body: { error: { code: 'ACCOUNT_ALREADY_EXISTS' } } })
    })

    it('100 registrations with one code: one 201, and 409 VERIFICATION_CONFLICT for the rest', async () => {
      const phone = newPhone()
      const proof = await new Browser(gateway).requestCode(phone)
      const responses = await Promise.all(
        Array.from({ length: 100 }, () => new Browser(gateway).post('/v1/auth/register', registration(phone, proof))),
      )
      expect(responses.filter(({ status }) => status === 201)).toHaveLength(1)
      const losers = responses.filter(({ status }) => status !== 201)
      expect(new Set(losers.map(({ status, body }) => `${status} ${body.error.code}`))).toEqual(
        new Set(['409 VERIFICATION_CONFLICT']),
      )
      const later = await new Browser(gateway).post('/v1/auth/register', registration(phone, proof))
      expect(later).toMatchObject({ status: 409, body: { error: { code: 'VERIFICATION_CONFLICT' } } })
    })

    it('several accounts can have the same pending recovery email', async () => {
      expect((await new Browser(gateway).register()).status).toBe(201)
      expect((await new Browser(gateway).register()).status).toBe(201)
    })
  })
})
