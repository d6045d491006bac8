import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../../../src/config/config.ts'
import { recoverAccount } from '../../../../src/features/identity/accounts/operator/actions.ts'
import { recoveryOn } from '../../../../src/features/identity/accounts/operator/recovery.ts'
import { AccountOwner, eventually, newEmail, type Proof, wrongCode } from '../../../../testkit/gateway/account-owner.ts'
import { Browser, newPhone, password } from '../../../../testkit/gateway/browser.ts'
import {
  type Gateway,
  type HttpResponse,
  startGateway,
  TestClock,
  testSecret,
} from '../../../../testkit/gateway/gateway.ts'
import { type EngineName, httpEngines, openDatabase } from '../../../../testkit/store/engines.ts'

const newPassword = 'an uncommon long passphrase'
const hour = 3600
const day = 86_400

/** The networks that requests come from, as a trusted proxy names them. */
const [home, stranger, another] = ['203.0.113.1', '203.0.113.2', '203.0.113.3']

/** A gateway behind a proxy, which names the network of each request, with a clock of its own. */
function setUp(engine: EngineName, limits: object) {
  const clock = new TestClock()
  let gateway: Gateway
  beforeAll(async () => {
    const environment = { GATEWAY_TRUSTED_PROXIES: '127.0.0.1' }
    gateway = await startGateway({ engine, clock: clock.read, environment, file: { limits } })
  })
  afterAll(() => gateway.stop())
  return {
    clock,
    gateway: () => gateway,
    ask: (identifier: string, network = home) =>
      new Browser(gateway).post('/v1/auth/recovery/send-code', { identifier }, from(network!)),
    confirm: (proof: Proof, network = home) =>
      new Browser(gateway).post('/v1/auth/recovery/confirm', { ...proof, newPassword }, from(network!)),
    nextWindow: (seconds: number) => clock.advanceSeconds(seconds - ((clock.now / 1000) % seconds)),
  }
}
const from = (network: string) => ({ 'x-forwarded-for': network })

describe.each(httpEngines)('codes on %s', (engine) => {
  const loginPerRequester = { max: 1000, windowSeconds: 600 }
  const { clock, gateway, ask, confirm, nextWindow } = setUp(engine, { loginPerRequester })
  const summary = ({ status, body, headers }: HttpResponse) =>
    `${status} ${body.error?.code ?? body.state ?? ''} ${headers['retry-after'] ?? ''}`

  /** Asks for a code and guesses it wrong five times, a minute after whatever came before. */
  async function guessFive(identifier: string, network: string): Promise<string[]> {
    clock.advanceSeconds(60)
    const asked = await ask(identifier, network)
    const found = [summary(asked)]
    const proof = { challengeId: asked.body.challengeId ?? 'gvc_none', verificationCode: '00000000' }
    for (let guess = 0; guess < 5; guess++) found.push(summary(await confirm(proof, network)))
    return found
  }

  it('twenty wrong codes for a contact in a day end recovery by code, and its owner is notified once', async () => {
    nextWindow(day)
    const owner = await AccountOwner.join(gateway())
    await owner.verifyEmail()
    const accepted = ['202  ', ...Array(5).fill('400 VERIFICATION_FAILED ')]
    for (let codes = 0; codes < 2; codes++) expect(await guessFive(owner.phone, stranger!)).toEqual(accepted)
    // Ten from one network: it has no further guess, but other networks have.
    clock.advanceSeconds(60)
    expect(await ask(owner.phone, stranger)).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } })
    const own = await owner.codeOf((await ask(owner.phone, home)).body.challengeId)
    for (let codes = 0; codes < 2; codes++) expect(await guessFive(owner.phone, another!)).toEqual(accepted)
    const refused = await confirm(own, home)
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } })
    expect(Number(refused.headers['retry-after'])).toBe(day - ((clock.now / 1000) % day))
    clock.advanceSeconds(60)
    expect(await ask(owner.phone, home)).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } })

    await eventually(() => expect(owner.notices()).toEqual(['email_verified', 'recovery_guessed']))
    await eventually(() =>
      expect(owner.mailedNotices()).toEqual(['Recovery email verified', 'Wrong password reset codes']),
    )
    // The way by email stays open, and the next day all ways are.
    expect((await ask(owner.email, home)).status).toBe(202)
    nextWindow(day)
    const proof = await owner.codeOf((await ask(owner.phone, home)).body.challengeId)
    expect((await confirm(proof)).status).toBe(200)
  })

  it('an unknown contact is refused exactly like a known one, and is sent nothing', async () => {
    nextWindow(day)
    const owner = await AccountOwner.join(gateway())
    const unknown = [newPhone(), newEmail()]
    const known: string[] = []
    for (const network of [stranger!, stranger!, another!, another!, home!]) {
      known.push(...(await guessFive(owner.phone, network)))
      clock.advanceSeconds(-60)
      for (const identifier of unknown) {
        const same = await guessFive(identifier, network)
        expect(same).toEqual(known.slice(-6))
        clock.advanceSeconds(-60)
      }
      clock.advanceSeconds(60)
    }
    expect(known.at(-6)).toMatch(/^429 RATE_LIMITED /)
    await eventually(() => expect(owner.notices()).toEqual(['recovery_guessed']))
    expect(gateway().emails.filter(({ to }) => unknown.includes(to))).toEqual([])
    expect(gateway().notices.filter(({ phone }) => unknown.includes(phone))).toEqual([])
  })

  it('a recovery that an operator starts works while guesses have closed the usual way', async () => {
    nextWindow(day)
    const owner = await AccountOwner.join(gateway())
    for (const network of [stranger!, stranger!, another!, another!]) await guessFive(owner.phone, network)
    expect((await ask(owner.phone, home)).status).toBe(429)
    const store = await openDatabase(gateway().database, { exclusive: false })
    const config = loadConfig({
      GATEWAY_SECRET: testSecret,
      GATEWAY_DATA_DIR: gateway().database.dataDir,
      DATABASE_URL: gateway().database.databaseUrl,
    })
    const { accountId } = (await owner.browser.get('/v1/me')).body.account
    const { recovery } = await recoverAccount(
      { engine: store, clock: clock.read, startRecovery: recoveryOn(store, config, clock.read) },
      { name: 'mei', via: 'web' },
      { accountId, reason: 'ticket 7' },
    )
    await store.close()
    const challengeId = new URLSearchParams(new URL(recovery.link).hash.slice(1)).get('challenge')!
    expect((await confirm(await owner.codeOf(challengeId))).status).toBe(200)
  })

  it('the last three recovery codes of a contact stay valid, so that a stranger ends none', async () => {
    nextWindow(hour)
    const owner = await AccountOwner.join(gateway())
    const own = await owner.codeOf((await ask(owner.phone, home)).body.challengeId)
    const others: Proof[] = []
    for (let codes = 0; codes < 3; codes++) {
      clock.advanceSeconds(60)
      others.push(await owner.codeOf((await ask(owner.phone, stranger)).body.challengeId))
      if (codes === 1) expect((await confirm(wrongCode(own))).status).toBe(400)
    }
    // A fourth ends the first.
    expect(summary(await confirm(own))).toBe('400 VERIFICATION_FAILED ')
    expect((await confirm(others[0]!)).status).toBe(200)
    expect(summary(await confirm(others[2]!))).toBe('400 VERIFICATION_FAILED ')
  })

  it('one network can ask for five recovery codes of a contact in an hour, all together for ten', async () => {
    nextWindow(hour)
    const owner = await AccountOwner.join(gateway())
    for (const identifier of [owner.phone, newPhone()]) {
      nextWindow(hour)
      const statuses: number[] = []
      for (const network of [...Array(7).fill(stranger), ...Array(6).fill(home), another]) {
        statuses.push((await ask(identifier, network)).status)
        clock.advanceSeconds(60)
      }
      expect(statuses).toEqual([...Array(5).fill(202), 429, 429, ...Array(5).fill(202), 429, 429])
    }
  })

  it('codes of other purposes for a contact use up none of its recovery codes', async () => {
    nextWindow(hour)
    const owner = await AccountOwner.join(gateway())
    await owner.verifyEmail()
    for (let codes = 0; codes < 10; codes++) {
      clock.advanceSeconds(60)
      await new Browser(gateway()).post('/v1/auth/send-code', { phone: owner.phone }, from(stranger!))
    }
    // Another account names the address as its own, and asks for codes to verify it.
    const other = await AccountOwner.join(gateway(), owner.email)
    for (let codes = 0; codes < 10; codes++) {
      await other.post('recovery-email/send-code', {})
      clock.advanceSeconds(60)
    }
    for (const identifier of [owner.phone, owner.email]) expect((await ask(identifier, home)).status).toBe(202)
  })

  it('a recovery code has 8 digits, the others have 6', async () => {
    const owner = await AccountOwner.join(gateway())
    const lengths = [await new Browser(gateway()).requestCode(newPhone()), await owner.emailCode()].map(
      ({ verificationCode }) => verificationCode.length,
    )
    expect(lengths).toEqual([6, 6])
    expect((await owner.codeOf((await ask(owner.phone)).body.challengeId)).verificationCode).toMatch(/^[0-9]{8}$/)
  })

  it('wrong registration codes are counted over challenges too', async () => {
    nextWindow(day)
    const phone = newPhone()
    const register = (proof: Proof) => {
      const body = { phone, ...proof, recoveryEmail: newEmail(), password }
      return new Browser(gateway()).post('/v1/auth/register', body, from(stranger!))
    }
    for (let codes = 0; codes < 2; codes++) {
      clock.advanceSeconds(60)
      const proof = await new Browser(gateway()).requestCode(phone)
      for (let guess = 0; guess < 5; guess++)
        expect(summary(await register(wrongCode(proof)))).toBe('400 VERIFICATION_FAILED ')
    }
    clock.advanceSeconds(60)
    const proof = await new Browser(gateway()).requestCode(phone)
    expect(await register(proof)).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } })
  })
})

describe.each(httpEngines)('the recovery codes of an hour on %s', (engine) => {
  // A quarter is for recoveries.
  const { gateway, ask } = setUp(engine, { codesPerHour: 100 })

  it('the recovery codes of an hour are not used up by one network, nor by codes that verify emails', async () => {
    const statuses: number[] = []
    for (let codes = 0; codes < 22; codes++) statuses.push((await ask(newPhone(), stranger!)).status)
    // A quarter of the 25.
    expect(statuses).toEqual([...Array(7).fill(202), ...Array(15).fill(429)])
    for (let accounts = 0; accounts < 10; accounts++) await (await AccountOwner.join(gateway())).emailCode()
    const owner = await AccountOwner.join(gateway())
    expect((await ask(owner.phone, home!)).status).toBe(202)
  })
})

describe.each(httpEngines)('ceilings over all accounts on %s', (engine) => {
  const { clock, gateway, ask, confirm, nextWindow } = setUp(engine, { codesPerHour: 20, wrongCodesPerHour: 12 })
  const metrics = async () => (await gateway().operator('/metrics')).text

  it('of the codes of an hour registrations get three quarters, so that recovery goes on', async () => {
    nextWindow(hour)
    const owner = await AccountOwner.join(gateway())
    const send = () => new Browser(gateway()).post('/v1/auth/send-code', { phone: newPhone() })
    for (let codes = 1; codes < 15; codes++) expect((await send()).status).toBe(202)
    const messages = gateway().messages.length
    const refused = await send()
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } })
    expect(refused.headers['retry-after']).toBe(String(hour))
    expect(gateway().messages).toHaveLength(messages)
    expect(await metrics()).toContain('gateway_codes_refused_total{limit="codesPerHour"} 1')

    const proof = await owner.codeOf((await ask(owner.phone)).body.challengeId)
    expect((await confirm(proof)).status).toBe(200)
    nextWindow(hour)
    expect((await send()).status).toBe(202)
  })

  it('recoveries of numbers without an account stop no others, and one network gets a share', async () => {
    nextWindow(hour)
    const owner = await AccountOwner.join(gateway())
    await owner.verifyEmail()
    const known = [owner.phone]
    while (known.length < 5) known.push((await AccountOwner.join(gateway())).phone)
    for (let asked = 0; asked < 30; asked++) {
      const { challengeId } = (await ask(newPhone(), `198.51.100.${asked}`)).body
      expect(challengeId).toEqual(expect.any(String))
      if (asked < 3) await guess(challengeId, `198.51.100.${asked}`)
    }
    expect((await ask(known[0]!, '203.0.113.10')).status).toBe(202)
    // Of five text messages an hour, one network gets two.
    expect((await ask(known[1]!, '203.0.113.10')).status).toBe(202)
    for (const phone of [known[2]!, newPhone()])
      expect(await ask(phone, '203.0.113.10')).toMatchObject({ status: 429, headers: { 'retry-after': String(hour) } })
    for (const at of [2, 3, 4]) expect((await ask(known[at]!, `203.0.113.2${at}`)).status).toBe(202)
    // Once all five are sent, known and unknown numbers are refused alike, and a verified email is not.
    const refused = [await ask(known[1]!, '203.0.113.30'), await ask(newPhone(), '203.0.113.31')]
    for (const one of refused) expect(one).toMatchObject({ status: 429, headers: { 'retry-after': String(hour) } })
    expect((await ask(newEmail(), '203.0.113.32')).status).toBe(202)
    const proof = await owner.codeOf((await ask(owner.email, '203.0.113.33')).body.challengeId)
    expect((await confirm(proof)).status).toBe(200)
  })

  async function guess(challengeId: string, network = home) {
    for (let guess = 0; guess < 5; guess++)
      expect((await confirm({ challengeId, verificationCode: '00000000' }, network)).status).toBe(400)
  }

  it('after too many wrong codes in an hour, recovery by code is refused until it ends', async () => {
    nextWindow(hour)
    const owner = await AccountOwner.join(gateway())
    const own = await owner.codeOf((await ask(owner.phone)).body.challengeId)
    const before = Number(/^gateway_codes_wrong_total\{purpose="recovery"\} (\d+)$/m.exec(await metrics())?.[1] ?? 0)
    for (const network of ['198.51.100.1', '198.51.100.2', '198.51.100.3']) {
      const { phone } = await AccountOwner.join(gateway())
      const { challengeId } = (await ask(phone, network)).body
      const guesses = network === '198.51.100.3' ? 2 : 5
      for (let guess = 0; guess < guesses; guess++)
        expect((await confirm({ challengeId, verificationCode: '00000000' }, network)).status).toBe(400)
    }
    const refused = await confirm(own)
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': String(hour) } })
    expect((await ask(newPhone())).status).toBe(429)
    const text = await metrics()
    expect(text).toContain(`gateway_codes_wrong_total{purpose="recovery"} ${before + 12}\n`)
    expect(text).toMatch(/^gateway_codes_refused_total\{limit="wrongCodesPerHour"\} [1-9]/m)
    nextWindow(hour)
    const proof = await owner.codeOf((await ask(owner.phone)).body.challengeId)
    expect((await confirm(proof)).status).toBe(200)
  })

  it('codes that expired unused are counted for an hour, without those that were never sent', async () => {
    nextWindow(hour)
    clock.advanceSeconds(2 * hour)
    const owner = await AccountOwner.join(gateway())
    for (let codes = 0; codes < 3; codes++) await new Browser(gateway()).requestCode(newPhone())
    await owner.codeOf((await ask(owner.phone)).body.challengeId)
    await ask(newPhone())
    clock.advanceSeconds(301)
    const text = await metrics()
    expect(text).toContain('gateway_codes_expired{purpose="registration",result="used"} 1')
    expect(text).toContain('gateway_codes_expired{purpose="registration",result="unused"} 3')
    expect(text).toContain('gateway_codes_expired{purpose="recovery",result="unused"} 1')
    clock.advanceSeconds(hour)
    expect(await metrics()).toContain('gateway_codes_expired{purpose="registration",result="unused"} 0')
  })
})
