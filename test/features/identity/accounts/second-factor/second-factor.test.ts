import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { consoleOperations } from '../../../../../src/app/features.ts'
import { codeAt } from '../../../../../src/base/totp.ts'
import { errors } from '../../../../../src/contract/errors.ts'
import { pathExampleOf, requestExampleOf } from '../../../../../src/contract/sample.ts'
import { AccountOwner, confirmRecovery, eventually, type Proof } from '../../../../../testkit/gateway/account-owner.ts'
import { Browser, password } from '../../../../../testkit/gateway/browser.ts'
import { expectDone, expectRefused, look } from '../../../../../testkit/gateway/console-contract.ts'
import { contractOf, expectRefusal } from '../../../../../testkit/gateway/contract-check.ts'
import { type Gateway, type HttpResponse, startGateway, TestClock } from '../../../../../testkit/gateway/gateway.ts'
import { engines, openDatabase } from '../../../../../testkit/store/engines.ts'

const newPassword = 'an uncommon long passphrase'
const [setUp, confirm, prove, signIn] = [
  'console.second_factor.totp.set_up',
  'console.second_factor.totp.confirm',
  'console.second_factor.prove',
  'auth.second_factor',
]

describe.each(engines)('the second factor of a payer on %s', (engine) => {
  const clock = new TestClock()
  // From this machine, X-Forwarded-For names the requester.
  const options = { clock: clock.read, environment: { GATEWAY_TRUSTED_PROXIES: '127.0.0.1' } }
  let gateway: Gateway
  beforeAll(async () => {
    gateway = await startGateway({ engine, ...options })
  })
  afterAll(() => gateway.stop())

  const stepNow = () => Math.floor(clock.now / 30_000)
  /** Until codes of a new step are valid. */
  const nextStep = () => clock.advanceSeconds(30)

  class Holder {
    readonly owner: AccountOwner
    secret = ''
    recoveryCodes: string[] = []
    constructor(owner: AccountOwner) {
      this.owner = owner
    }
    code = (step = stepNow()) => codeAt(this.secret, step)
    wrongCode = () => {
      const near = [-1, 0, 1].map((off) => this.code(stepNow() + off))
      return ['000000', '000001', '000002', '000003'].find((code) => !near.includes(code))!
    }
    prove = (code: string, browser = this.owner.browser, headers = {}) =>
      browser.post('/v1/console/second-factor/prove', { code }, headers)
    standing = () => look(this.owner.browser, 'console.second_factor.read')
  }

  /** As the metrics count them. */
  async function failures(): Promise<Record<string, number>> {
    const { text } = await gateway.operator('/metrics')
    const counts = text.matchAll(/^gateway_second_factor_failures_total\{use="(\w+)",result="(\w+)"\} (\d+)$/gm)
    return Object.fromEntries([...counts].map(([, use, result, count]) => [`${use} ${result}`, Number(count)]))
  }

  async function begin(owner: AccountOwner): Promise<string> {
    const response = await owner.post('second-factor/totp', { password: owner.password })
    expectDone(setUp!, response)
    return new URL(response.body.totpUri).searchParams.get('secret')!
  }

  async function enrolled(owner?: AccountOwner): Promise<Holder> {
    const holder = new Holder(owner ?? (await AccountOwner.join(gateway)))
    holder.secret = await begin(holder.owner)
    const response = await holder.owner.post('second-factor/totp/confirm', { code: holder.code() })
    expectDone(confirm!, response)
    holder.recoveryCodes = response.body.recoveryCodes
    return holder
  }

  /** A browser whose password was right. */
  async function afterPassword(owner: AccountOwner, at = gateway): Promise<Browser> {
    const browser = new Browser(at)
    const response = await browser.post('/v1/auth/login', { identifier: owner.phone, password: owner.password })
    expectRefusal('auth.login', response, 'SECOND_FACTOR_REQUIRED')
    return browser
  }
  const finish = (browser: Browser, code: string, headers = {}) =>
    browser.post('/v1/auth/second-factor', { code }, headers)

  it('the second factor of a payer is set up with the password and a first code, asked for at login, and every address is notified', async () => {
    const owner = await AccountOwner.join(gateway)
    await owner.verifyEmail()
    expectRefused(setUp!, await owner.post('second-factor/totp', { password: newPassword }), 'AUTHENTICATION_FAILED')
    expectRefused(
      confirm!,
      await owner.post('second-factor/totp/confirm', { code: '123456' }),
      'SECOND_FACTOR_NOT_SET_UP',
    )
    const before = { totpSince: null, recoveryCodesLeft: 0, provenUntil: null, removedAt: null }
    expect(await look(owner.browser, 'console.second_factor.read')).toEqual(before)
    await begin(owner)
    // Not confirmed, so nothing is asked for.
    expect((await owner.logIn(owner.phone)).status).toBe(200)

    const holder = await enrolled(owner)
    expect(holder.recoveryCodes).toHaveLength(10)
    expect(new Set(holder.recoveryCodes).size).toBe(10)
    expect(await holder.standing()).toMatchObject({ recoveryCodesLeft: 10, removedAt: null })
    expectRefused(setUp!, await owner.post('second-factor/totp', { password }), 'SECOND_FACTOR_EXISTS')

    const browser = await afterPassword(owner)
    expect((await browser.get('/v1/me')).status).toBe(401)
    nextStep()
    const signedIn = await finish(browser, holder.code())
    expectDone(signIn!, signedIn)
    expect((await browser.get('/v1/me')).status).toBe(200)
    // Fresh from the login, so changes are allowed.
    expect((await browser.post('/v1/keys', { scopes: ['models:invoke'] })).status).toBe(201)
    await eventually(() => expect(owner.notices()).toContain('factor_added'))
    await eventually(() => expect(owner.mailedNotices()).toContain('Two-step verification added'))
    const events = await look(browser, 'console.events.list', '?limit=100')
    expect(events.items.map(({ type }: { type: string }) => type)).toContain('account.second_factor_changed')
  })

  it('a code works once, also across instances', async () => {
    const holder = await enrolled()
    // Where the engine allows a second instance. It sends notices too, so it is there for this test only.
    const other = engine === 'sqlite' ? gateway : await startGateway({ database: gateway.database, ...options })
    const browsers = [await afterPassword(holder.owner), await afterPassword(holder.owner, other)]
    // The code that confirmed the setup.
    expectRefused(signIn!, await finish(browsers[0]!, holder.code()), 'SECOND_FACTOR_FAILED')
    nextStep()
    const code = holder.code()
    const responses = await Promise.all(browsers.map((browser) => finish(browser, code)))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400])
    const [recoveryCode] = holder.recoveryCodes as [string]
    const more = [await afterPassword(holder.owner), await afterPassword(holder.owner, other)]
    const recovered = await Promise.all(more.map((browser) => finish(browser, recoveryCode)))
    expect(recovered.map(({ status }) => status).sort()).toEqual([200, 400])
    if (other !== gateway) await other.stop()
    // An earlier step is used up with it.
    const again = await afterPassword(holder.owner)
    expectRefused(signIn!, await finish(again, holder.code(stepNow() - 1)), 'SECOND_FACTOR_FAILED')
    nextStep()
    expectDone(signIn!, await finish(again, holder.code()))
  })

  it('a sign-in begun before a suspension is not completed after it', async () => {
    const holder = await enrolled()
    const { accountId } = (await holder.owner.browser.get('/v1/me')).body.account
    const browser = await afterPassword(holder.owner)
    const store = await openDatabase(gateway.database, { exclusive: false })
    await store.write((tx) =>
      tx.run('UPDATE accounts SET suspended_at = $2 WHERE account_id = $1', [accountId, clock.now]),
    )
    await store.close()
    nextStep()
    expectRefused(signIn!, await finish(browser, holder.code()), 'SIGN_IN_EXPIRED')
  })

  it('a recovery code works once, however it is typed, and its use is notified', async () => {
    const holder = await enrolled()
    const [first, second] = holder.recoveryCodes as [string, string]
    const [browser, late] = [await afterPassword(holder.owner), await afterPassword(holder.owner)]
    expectDone(signIn!, await finish(browser, first.toLowerCase().replaceAll('-', ' ')))
    expectRefused(signIn!, await finish(late, first), 'SECOND_FACTOR_FAILED')
    expect(await holder.standing()).toMatchObject({ recoveryCodesLeft: 9 })
    const replace = 'console.second_factor.recovery_codes.replace'
    const replaced = await holder.owner.post('second-factor/recovery-codes', {})
    expectDone(replace, replaced)
    const again = await afterPassword(holder.owner)
    expectRefused(signIn!, await finish(again, second), 'SECOND_FACTOR_FAILED')
    expectDone(signIn!, await finish(again, replaced.body.recoveryCodes[0]))
    const expected = ['factor_added', 'recovery_code_used', 'recovery_code_used', 'recovery_codes_replaced']
    await eventually(() => expect(holder.owner.notices()).toEqual(expected))
  })

  it('five wrong codes of a network are refused for 15 minutes, twenty of an account for a day', async () => {
    const holder = await enrolled()
    const from = (network: number) => ({ 'x-forwarded-for': `192.0.2.${network}` })
    const browser = await afterPassword(holder.owner)
    const counted = await failures()
    nextStep()
    const statuses = await Promise.all(
      Array.from({ length: 8 }, () => finish(browser, holder.wrongCode(), from(1)).then(({ status }) => status)),
    )
    expect(statuses.sort()).toEqual([400, 400, 400, 400, 400, 429, 429, 429])
    expectRefused(signIn!, await finish(browser, holder.code(), from(1)), 'RATE_LIMITED')
    for (const network of [2, 3, 4]) {
      for (let attempt = 0; attempt < 5; attempt += 1) {
        const code = attempt === 4 ? 'ABCD-EFGH-IJKL-MNOP' : holder.wrongCode()
        expectRefused(signIn!, await finish(browser, code, from(network)), 'SECOND_FACTOR_FAILED')
      }
    }
    // Locked everywhere, in sessions too.
    expectRefused(signIn!, await finish(browser, holder.code(), from(5)), 'RATE_LIMITED')
    expectRefused(prove!, await holder.prove(holder.code()), 'RATE_LIMITED')
    expect(await failures()).toEqual({
      ...counted,
      'sign_in wrong': counted['sign_in wrong']! + 20,
      'sign_in limited': counted['sign_in limited']! + 5,
      'step_up limited': counted['step_up limited']! + 1,
    })
    await eventually(() => expect(holder.owner.notices()).toEqual(['factor_added', 'factor_guessed']))
    clock.advanceSeconds(86_400)
    expectDone(signIn!, await finish(await afterPassword(holder.owner), holder.code()))
  })

  it('a sign-in waits for five minutes, and a new password ends it', async () => {
    const holder = await enrolled()
    expectRefused(signIn!, await finish(new Browser(gateway), '123456'), 'SIGN_IN_EXPIRED')
    const late = await afterPassword(holder.owner)
    clock.advanceSeconds(300)
    expectRefused(signIn!, await finish(late, holder.code()), 'SIGN_IN_EXPIRED')
    const browser = await afterPassword(holder.owner)
    const changed = await holder.owner.post('password', { currentPassword: password, newPassword })
    expectDone('console.password.change', changed)
    expectRefused(signIn!, await finish(browser, holder.code()), 'SIGN_IN_EXPIRED')
    // Only the latest five wait.
    holder.owner.password = newPassword
    const waiting = []
    for (let sent = 0; sent < 6; sent += 1) {
      clock.advanceSeconds(1)
      waiting.push(await afterPassword(holder.owner))
    }
    expectRefused(signIn!, await finish(waiting[0]!, holder.code()), 'SIGN_IN_EXPIRED')
    expectDone(signIn!, await finish(waiting[5]!, holder.code()))
  })

  it('changes need a proof of the second factor from the last 15 minutes, exactly where the contract says so', async () => {
    const holder = await enrolled()
    const { browser } = holder.owner
    clock.advanceSeconds(900)
    const operations = [...contractOf.values(), ...consoleOperations]
      .filter(({ access }) => access === 'session-write')
      .filter(({ id }) => !['auth.logout', 'console.sessions.end_all'].includes(id))
    const refused: string[] = []
    for (const operation of operations) {
      const { id, path, pathParameters } = operation
      const named = path.replace(/\{(\w+)\}/g, (_, name) => pathExampleOf(pathParameters![name]!))
      const response = await browser.post(named, requestExampleOf(operation) as object, { 'idempotency-key': id })
      if (response.body?.error?.code === 'STEP_UP_REQUIRED') refused.push(id)
    }
    const listed = operations.filter(({ errors: codes }) => codes.includes('STEP_UP_REQUIRED')).map(({ id }) => id)
    expect(refused.sort()).toEqual(listed.sort())
    for (const part of [
      'keys.',
      'orders.',
      'console.keys.',
      'console.webhooks.',
      'console.payments.',
      'console.password.',
    ])
      expect(
        refused.some((id) => id.startsWith(part)),
        part,
      ).toBe(true)
    expect(errors.STEP_UP_REQUIRED.status).toBe(403)

    expectRefused(prove!, await holder.prove(holder.wrongCode()), 'SECOND_FACTOR_FAILED')
    nextStep()
    const proven = await holder.prove(holder.code())
    expectDone(prove!, proven)
    expect(Date.parse(proven.body.provenUntil)).toBe(clock.now + 900_000)
    expect((await browser.post('/v1/keys', { scopes: ['models:invoke'] })).status).toBe(201)
    clock.advanceSeconds(899)
    expect((await browser.post('/v1/keys', { scopes: ['models:invoke'] })).status).toBe(201)
    clock.advanceSeconds(1)
    expectRefusal('keys.create', await browser.post('/v1/keys', { scopes: ['models:invoke'] }), 'STEP_UP_REQUIRED')
    // Its proof is worth nothing in another session.
    const elsewhere = await afterPassword(holder.owner)
    expectDone(signIn!, await finish(elsewhere, holder.code()))
    expect(await holder.standing()).toMatchObject({ provenUntil: null })
  })

  it('removing the app ends the recovery codes, and login needs the password alone again', async () => {
    const holder = await enrolled()
    const { owner } = holder
    const removed = await owner.post('second-factor/totp/remove', {})
    expectDone('console.second_factor.totp.remove', removed)
    expect(removed.body).toEqual({ totpSince: null, recoveryCodesLeft: 0, provenUntil: null, removedAt: null })
    expect((await owner.logIn(owner.phone)).status).toBe(200)
    expectRefused(prove!, await holder.prove(holder.code()), 'SECOND_FACTOR_NOT_SET_UP')
    const again = await enrolled(owner)
    expect(again.secret).not.toBe(holder.secret)
    expect(await again.standing()).toMatchObject({ recoveryCodesLeft: 10 })
    await eventually(() => expect(owner.notices()).toEqual(['factor_added', 'factor_added', 'factor_removed']))
  })

  describe('after a recovery by SMS', () => {
    const recover = (proof: Proof, removesSecondFactor?: boolean): Promise<HttpResponse> =>
      new Browser(gateway).post('/v1/auth/recovery/confirm', { ...proof, newPassword, removesSecondFactor })

    async function lost(): Promise<Holder> {
      const holder = await enrolled()
      await holder.owner.verifyEmail()
      const response = await recover(await holder.owner.recoveryCode(holder.owner.phone), true)
      expectDone('auth.recovery.confirm', response)
      expect(Date.parse(response.body.secondFactorRemovedAt)).toBe(clock.now + 86_400_000)
      holder.owner.password = newPassword
      return holder
    }

    it('the factor stays unless asked, and then goes after 24 hours with notices to every address', async () => {
      const kept = await enrolled()
      const response = await confirmRecovery(gateway, await kept.owner.recoveryCode(kept.owner.phone), newPassword)
      expect(response.body).toEqual({ state: 'password_changed', secondFactorRemovedAt: null })

      const { owner } = await lost()
      await eventually(() => expect(owner.notices()).toContain('factor_removal_started'))
      await eventually(() =>
        expect(owner.mailedNotices()).toContain('Two-step verification will be turned off in 24 hours'),
      )
      clock.advanceSeconds(86_399)
      await afterPassword(owner)
      // Asking again neither hastens nor delays it.
      const again = await recover(await owner.recoveryCode(owner.phone), true)
      expect(Date.parse(again.body.secondFactorRemovedAt)).toBe(clock.now + 1000)
      clock.advanceSeconds(1)
      expect((await owner.logIn(owner.phone)).status).toBe(200)
      await eventually(() => expect(owner.notices()).toContain('factor_removed'))
      await eventually(() => expect(owner.mailedNotices()).toContain('Two-step verification removed'))
      kept.owner.password = newPassword
      await afterPassword(kept.owner)
    })

    it('a signed-in account can keep its second factor', async () => {
      const holder = await lost()
      const { owner } = holder
      // With a recovery code, so that the removal still waits.
      const browser = await afterPassword(owner)
      expectDone(signIn!, await finish(browser, holder.recoveryCodes[0]!))
      const standing = await look(browser, 'console.second_factor.read')
      expect(standing.removedAt).not.toBeNull()
      const kept = await browser.post('/v1/console/second-factor/removal/cancel', {})
      expectDone('console.second_factor.removal.cancel', kept)
      expect(kept.body.removedAt).toBeNull()
      await eventually(() => expect(owner.notices()).toContain('factor_removal_cancelled'))
      clock.advanceSeconds(86_400)
      await afterPassword(owner)
    })

    it('a one-time code proves that the second factor is not lost', async () => {
      const holder = await lost()
      nextStep()
      expectDone(signIn!, await finish(await afterPassword(holder.owner), holder.code()))
      clock.advanceSeconds(86_400)
      await afterPassword(holder.owner)
    })
  })

  it('operators see that there is one, and no row or log line has a secret or a code', async () => {
    const holder = await enrolled()
    const store = await openDatabase(gateway.database, { exclusive: false })
    const rows = await store.read(async (tx) => [
      await tx.all('SELECT * FROM totp_factors'),
      await tx.all('SELECT * FROM recovery_codes'),
    ])
    await store.close()
    const stored = JSON.stringify([rows, gateway.log])
    expect(rows[0]!.length).toBeGreaterThan(0)
    for (const secret of [holder.secret, holder.code(), ...holder.recoveryCodes]) {
      expect(stored).not.toContain(secret)
      expect(stored).not.toContain(secret.replaceAll('-', ''))
    }
  })
})
