import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKeyring } from '../../../../../src/base/keyring.ts'
import { createPasskeyChallenges } from '../../../../../src/features/identity/accounts/second-factor/passkey-challenges.ts'
import {
  type PasskeyDeps,
  signInWithPasskey,
} from '../../../../../src/features/identity/accounts/second-factor/passkeys.ts'
import { createFactorStore } from '../../../../../src/features/identity/accounts/second-factor/store.ts'
import { AccountOwner, eventually } from '../../../../../testkit/gateway/account-owner.ts'
import { SoftPasskey } from '../../../../../testkit/gateway/authenticator.ts'
import { Browser, password } from '../../../../../testkit/gateway/browser.ts'
import { expectDone, expectRefused, look } from '../../../../../testkit/gateway/console-contract.ts'
import { expectRefusal } from '../../../../../testkit/gateway/contract-check.ts'
import { type Gateway, origin, startGateway, TestClock, testSecret } from '../../../../../testkit/gateway/gateway.ts'
import { engines, openDatabase } from '../../../../../testkit/store/engines.ts'

const [start, add, rename, remove, prove, list, finish] = [
  'console.passkeys.start',
  'console.passkeys.add',
  'console.passkeys.rename',
  'console.passkeys.remove',
  'console.passkeys.prove',
  'console.passkeys.list',
  'auth.passkey.finish',
] as const

describe.each(engines)('passkeys on %s', (engine) => {
  const clock = new TestClock()
  let gateway: Gateway
  beforeAll(async () => {
    gateway = await startGateway({ engine, clock: clock.read })
  })
  afterAll(() => gateway.stop())

  const begin = async (owner: AccountOwner) => {
    const response = await owner.post('second-factor/passkeys/start', { password: owner.password })
    expectDone(start, response)
    return response.body
  }
  async function addTo(owner: AccountOwner, name = 'Phone', passkey = new SoftPasskey()) {
    const options = await begin(owner)
    const response = await owner.post('second-factor/passkeys', { name, ...passkey.create(options) })
    expectDone(add, response)
    return { passkey, recoveryCodes: response.body.recoveryCodes as string[] | null }
  }
  const ask = async (at = gateway) => (await new Browser(at).post('/v1/auth/passkey/start', {})).body
  const signIn = (proof: object, at = gateway) => new Browser(at).post('/v1/auth/passkey', proof)

  it('a passkey is added with the password, signs in alone, proves in a session, and is removed', async () => {
    const owner = await AccountOwner.join(gateway)
    await owner.verifyEmail()
    const wrong = await owner.post('second-factor/passkeys/start', { password: 'a wrong password' })
    expectRefused(start, wrong, 'AUTHENTICATION_FAILED')
    const { passkey, recoveryCodes } = await addTo(owner)
    expect(recoveryCodes).toHaveLength(10)
    const second = await addTo(owner, 'Security key')
    expect(second.recoveryCodes).toBeNull()
    expect((await begin(owner)).excludeCredentials.map(({ id }: { id: string }) => id)).toEqual([
      passkey.id,
      second.passkey.id,
    ])
    // The password alone signs in no longer.
    expectRefusal('auth.login', await owner.logIn(owner.phone), 'SECOND_FACTOR_REQUIRED')

    const browser = new Browser(gateway)
    const options = (await browser.post('/v1/auth/passkey/start', {})).body
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required', allowCredentials: [] })
    expectDone(finish, await browser.post('/v1/auth/passkey', passkey.get(options)))
    expect((await browser.get('/v1/me')).body.account.phoneMasked).toContain(owner.phone.slice(-4))
    expect((await browser.post('/v1/keys', { scopes: ['models:invoke'] })).status).toBe(201)

    clock.advanceSeconds(900)
    const refused = await browser.post('/v1/keys', { scopes: ['models:invoke'] })
    expectRefusal('keys.create', refused, 'STEP_UP_REQUIRED')
    const asked = (await browser.post('/v1/console/second-factor/passkeys/ask', {})).body
    const proof = passkey.get(asked)
    expectDone(prove, await browser.post('/v1/console/second-factor/passkeys/prove', proof))
    expect((await browser.post('/v1/keys', { scopes: ['models:invoke'] })).status).toBe(201)

    const { items } = await look(browser, list, '', '/v1/console/second-factor/passkeys')
    expect(items.map(({ name }: { name: string }) => name)).toEqual(['Phone', 'Security key'])
    expect(items[0].lastUsedAt).not.toBeNull()
    const removed = await browser.post(`/v1/console/second-factor/passkeys/${items[0].passkeyId}/remove`, {})
    expectDone(remove, removed)
    expectRefused(finish, await signIn(passkey.get(await ask())), 'PASSKEY_FAILED')
    const again = await browser.post(`/v1/console/second-factor/passkeys/${items[0].passkeyId}/remove`, {})
    expectRefused(remove, again, 'PASSKEY_NOT_FOUND')
    // With the last one, two-step verification is off.
    const last = await browser.post(`/v1/console/second-factor/passkeys/${items[1].passkeyId}/remove`, {})
    expect(last.body.items).toEqual([])
    expect(await look(browser, 'console.second_factor.read')).toMatchObject({ recoveryCodesLeft: 0 })
    expect((await owner.logIn(owner.phone)).status).toBe(200)
    await eventually(() =>
      expect(owner.mailedNotices().filter((subject) => subject.startsWith('Two-step'))).toEqual([
        ...Array(2).fill('Two-step verification added'),
        ...Array(2).fill('Two-step verification removed'),
      ]),
    )
  })

  it('a passkey is renamed only by its owner, after a proof, without a notice', async () => {
    const [owner, stranger] = [await AccountOwner.join(gateway), await AccountOwner.join(gateway)]
    const { passkey } = await addTo(owner, 'Phone')
    const path = 'second-factor/passkeys'
    const { items } = await look(owner.browser, list, '', `/v1/console/${path}`)
    const at = `${path}/${items[0].passkeyId}/rename`
    const renamed = await owner.post(at, { name: '办公室手机' })
    expectDone(rename, renamed)
    expect(renamed.body.items).toEqual([{ ...items[0], name: '办公室手机' }])
    for (const name of ['', ' ', 'x'.repeat(65), 'safe\u202Egpj'])
      expectRefused(rename, await owner.post(at, { name }), 'INVALID_NAME')
    expectRefused(rename, await stranger.post(at, { name: 'Mine' }), 'PASSKEY_NOT_FOUND')
    expectRefused(rename, await owner.post(`${path}/psk_0/rename`, { name: 'Mine' }), 'PASSKEY_NOT_FOUND')
    clock.advanceSeconds(900)
    expectRefused(rename, await owner.post(at, { name: 'Mine' }), 'STEP_UP_REQUIRED')
    expect(await look(owner.browser, list, '', `/v1/console/${path}`)).toEqual(renamed.body)
    expectDone(finish, await signIn(passkey.get(await ask())))
  })

  it('a recovery code takes its place, and removal by recovery takes passkeys along', async () => {
    const owner = await AccountOwner.join(gateway)
    const { passkey, recoveryCodes } = await addTo(owner)
    const browser = new Browser(gateway)
    await browser.post('/v1/auth/login', { identifier: owner.phone, password })
    const signedIn = await browser.post('/v1/auth/second-factor', { code: recoveryCodes![0]! })
    expectDone('auth.second_factor', signedIn)
    const newPassword = 'an uncommon long passphrase'
    const code = await owner.recoveryCode(owner.phone)
    const body = { ...code, newPassword, removesSecondFactor: true }
    await new Browser(gateway).post('/v1/auth/recovery/confirm', body)
    clock.advanceSeconds(86_400)
    expect((await owner.logIn(owner.phone, newPassword)).status).toBe(200)
    expectRefused(finish, await signIn(passkey.get(await ask())), 'PASSKEY_FAILED')
  })

  it('a sign-in is refused for another origin or site, without verification of the user, and for another user', async () => {
    const owner = await AccountOwner.join(gateway)
    const { passkey } = await addTo(owner)
    const faults = [
      { origin: 'https://gateway.example' },
      { origin: 'http://localhost:9999' },
      { rpId: 'gateway.example' },
      { isUserVerified: false },
      { userHandle: Buffer.from('acc_somebodyelse').toString('base64url') },
      { challenge: 'a'.repeat(75) },
      // Of a session, not of a sign-in.
      { challenge: (await owner.post('second-factor/passkeys/ask', {})).body.challenge },
    ]
    for (const fault of faults) {
      expectRefused(finish, await signIn(passkey.get(await ask(), fault)), 'PASSKEY_FAILED')
    }
    const proof = passkey.get(await ask())
    const changed = { ...proof, signature: passkey.get(await ask()).signature }
    expectRefused(finish, await signIn(changed), 'PASSKEY_FAILED')
    expectRefused(finish, await signIn({ ...proof, id: new SoftPasskey().id }), 'PASSKEY_FAILED')
    expectRefused(finish, await signIn({ ...proof, clientDataJSON: 'AAAA' }), 'PASSKEY_FAILED')
    expectDone(finish, await signIn(proof))
    const stranger = await new Browser(gateway).post(
      '/v1/auth/passkey/start',
      {},
      { origin: 'https://gateway.example' },
    )
    expectRefused('auth.passkey.start', stranger, 'ORIGIN_INVALID')
  })

  it('a challenge is good for five minutes and once, also across instances', async () => {
    const owner = await AccountOwner.join(gateway)
    // As synced passkeys, it never counts.
    const { passkey } = await addTo(owner)
    const late = passkey.get(await ask())
    clock.advanceSeconds(300)
    expectRefused(finish, await signIn(late), 'PASSKEY_FAILED')
    const other = engine === 'sqlite' ? gateway : await startGateway({ database: gateway.database, clock: clock.read })
    const proof = passkey.get(await ask(other))
    const responses = await Promise.all([signIn(proof), signIn(proof, other)])
    if (other !== gateway) await other.stop()
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400])
    expectRefused(finish, await signIn(proof), 'PASSKEY_FAILED')
  })

  it('a counter must rise, unless the authenticator has none', async () => {
    const owner = await AccountOwner.join(gateway)
    const { passkey } = await addTo(owner)
    expectDone(finish, await signIn(passkey.get(await ask(), { counter: 7 })))
    for (const counter of [7, 3, 0])
      expectRefused(finish, await signIn(passkey.get(await ask(), { counter })), 'PASSKEY_FAILED')
    expectDone(finish, await signIn(passkey.get(await ask(), { counter: 8 })))

    const synced = new SoftPasskey()
    const created = synced.create(await begin(owner), { counter: 0 })
    expectDone(add, await owner.post('second-factor/passkeys', { name: 'Synced', ...created }))
    for (let uses = 0; uses < 2; uses += 1) expectDone(finish, await signIn(synced.get(await ask(), { counter: 0 })))
  })

  it('a registration is refused with a fault, in another session, twice, and beyond ten', async () => {
    const [owner, stranger] = [await AccountOwner.join(gateway), await AccountOwner.join(gateway)]
    const passkey = new SoftPasskey()
    const name = 'Phone'
    for (const fault of [{ origin: 'https://gateway.example' }, { rpId: 'x.example' }, { isUserVerified: false }]) {
      const created = passkey.create(await begin(owner), fault)
      expectRefused(add, await owner.post('second-factor/passkeys', { name, ...created }), 'PASSKEY_FAILED')
    }
    const created = passkey.create(await begin(owner))
    expectRefused(add, await stranger.post('second-factor/passkeys', { name, ...created }), 'PASSKEY_FAILED')
    expectRefused(add, await owner.post('second-factor/passkeys', { name: ' ', ...created }), 'INVALID_NAME')
    expectDone(add, await owner.post('second-factor/passkeys', { name, ...created }))
    expectRefused(add, await owner.post('second-factor/passkeys', { name, ...created }), 'PASSKEY_FAILED')
    // The same credential in another account.
    const copied = passkey.create(await begin(stranger))
    expectRefused(add, await stranger.post('second-factor/passkeys', { name, ...copied }), 'PASSKEY_FAILED')
    const store = await openDatabase(gateway.database, { exclusive: false })
    await store.write(async (tx) => {
      for (let more = 1; more < 10; more += 1)
        await tx.run(
          `INSERT INTO passkeys SELECT passkey_id || $2, account_id, credential_id || $2, name, public_key, sign_count,
            transports, created_at, last_used_at FROM passkeys WHERE credential_id = $1`,
          [passkey.id, String(more)],
        )
    })
    await store.close()
    const tooMany = await owner.post('second-factor/passkeys/start', { password })
    expectRefused(start, tooMany, 'PASSKEY_LIMIT_REACHED')
  })

  it('unused challenges leave no row, and a suspended account stays out', async () => {
    const owner = await AccountOwner.join(gateway)
    const { passkey } = await addTo(owner)
    const store = await openDatabase(gateway.database, { exclusive: false })
    const count = () => store.read((tx) => tx.get('SELECT COUNT(*) AS rows FROM used_passkey_challenges'))
    const before = await count()
    for (let asked = 0; asked < 5; asked += 1) await ask()
    expect(await count()).toEqual(before)
    expectDone(finish, await signIn(passkey.get(await ask())))
    const { accountId } = (await owner.browser.get('/v1/me')).body.account
    const [begun, later] = [passkey.get(await ask()), passkey.get(await ask())]
    const suspend = () =>
      store.write((tx) => tx.run('UPDATE accounts SET suspended_at = 1 WHERE account_id = $1', [accountId]))
    // Suspended after the passkey was found.
    const factors = createFactorStore(store, () => {})
    const read: typeof factors.read = async (work) => {
      const found = await factors.read(work)
      await suspend()
      return found
    }
    const deps = { factors: { ...factors, read }, flows: { clock: clock.read }, origin: new URL(origin) }
    const challenges = createPasskeyChallenges(createKeyring(testSecret), clock.read)
    const passed = signInWithPasskey({ ...deps, challenges } as unknown as PasskeyDeps, begun, {
      requester: '192.0.2.1',
      previousToken: undefined,
    })
    await expect(passed).rejects.toMatchObject({ code: 'PASSKEY_FAILED' })
    await store.close()
    expectRefused(finish, await signIn(later), 'PASSKEY_FAILED')
    expectRefused(finish, await signIn(passkey.get(await ask())), 'PASSKEY_FAILED')
  })
})
