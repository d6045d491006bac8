import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sealedKinds } from '../../src/app/features.ts'
import { createKeyring, type Keyring } from '../../src/base/keyring.ts'
import { createContacts, createDigests } from '../../src/features/identity/accounts/contacts.ts'
import { createAccountStore } from '../../src/features/identity/accounts/store.ts'
import { countOutdated } from '../../src/ops/secrets.ts'
import { Browser, newPhone, password } from '../../testkit/gateway/browser.ts'
import { type Gateway, startGateway } from '../../testkit/gateway/gateway.ts'
import { runCommand, startCommand } from '../../testkit/gateway/run-command.ts'
import { type Database, engines, migratedDatabase, openDatabase, type Store } from '../../testkit/store/engines.ts'
import { examine } from './run-doctor.ts'

const old = { GATEWAY_SECRET: 'the old secret of 32 bytes or more' }
const unrelated = { GATEWAY_SECRET: 'an unrelated secret of 32 bytes or more' }
const rotating = { GATEWAY_SECRET: 'the new secret of 32 bytes or more', GATEWAY_SECRET_PREVIOUS: old.GATEWAY_SECRET }
const rotated = { GATEWAY_SECRET: rotating.GATEWAY_SECRET }

describe.each(engines)('the secret of a store on %s', (engine) => {
  let database: Database
  const phones = [newPhone(), newPhone(), newPhone()]

  beforeAll(async () => {
    database = await migratedDatabase(engine)
    await withGateway(old, async (gateway) => {
      for (const phone of phones) expect((await new Browser(gateway).register(phone)).status).toBe(201)
    })
  })
  afterAll(() => database.remove())

  async function withGateway<T>(environment: Record<string, string>, work: (gateway: Gateway) => Promise<T>) {
    const gateway = await startGateway({ database, environment })
    try {
      return await work(gateway)
    } finally {
      await gateway.stop()
    }
  }
  const signIn = async (gateway: Gateway, phone: string) =>
    (await new Browser(gateway).post('/v1/auth/login', { identifier: phone, password })).status
  const inStore = async <T>(work: (store: Store) => Promise<T>) => {
    const store = await openDatabase(database, { exclusive: false })
    return work(store).finally(() => store.close())
  }

  test('the secret of a store is the only one that a gateway starts with', async () => {
    await expect(startGateway({ database, environment: unrelated })).rejects.toThrow(
      'GATEWAY_SECRET is not the secret that this store was written with',
    )
    const { of } = await examine(database, { environment: unrelated })
    expect(of('secret')).toEqual([expect.stringMatching(/^failure: GATEWAY_SECRET is not the secret/)])
  })

  test('the secret of a store cannot be rotated without the old one', async () => {
    const ran = await runCommand(database, ['secret', 'rotate', '--json'], { environment: unrelated })
    expect(ran).toMatchObject({ exitCode: 1, stdout: '' })
    expect(ran.stderr).toMatch(/^GATEWAY_SECRET is not the secret/)
  })

  test('the secret of a store may be replaced while it is still named as a previous one: every account is found, and no phone registers twice', async () => {
    await withGateway(rotating, async (gateway) => {
      expect(await signIn(gateway, phones[0]!)).toBe(200)
      expect((await new Browser(gateway).register(phones[1]!)).body.error.code).toBe('ACCOUNT_ALREADY_EXISTS')
      // Signing in has sealed the phone anew; two phones and three emails are left.
      const { of } = await examine(database, { environment: rotating })
      expect(of('secret')).toEqual(['warning: 7 sealed values use an older secret'])
    })
  })

  test('the secret of a store is rotated while a gateway runs, by a command that is killed halfway and run again', async () => {
    await withGateway(rotating, async (gateway) => {
      await inStore(async (store) => {
        await addAccounts(store, createKeyring(old.GATEWAY_SECRET))
        const keyring = createKeyring(rotating.GATEWAY_SECRET)
        const kinds = sealedKinds(keyring)
        const outdated = async () => (await countOutdated(store, keyring.current.version, kinds)).outdated
        const before = await outdated()
        const command = startCommand(database, ['secret', 'rotate'], { environment: rotating })
        await expect.poll(outdated, { interval: 1 }).toBeLessThan(before)
        await command.kill()
      })
      for (const phone of phones) expect(await signIn(gateway, phone)).toBe(200)
    })
    const ran = await runCommand(database, ['secret', 'rotate', '--json'], { environment: rotating })
    expect(JSON.parse(ran.stdout)).toMatchObject({ unusable: 0, outdated: 0, unsealed: 0, isFinished: true })
    expect(ran.exitCode).toBe(0)
  })

  test('the secret of a store is not needed any more after the rotation, and no longer accepted', async () => {
    await withGateway(rotated, async (gateway) => {
      for (const phone of phones) expect(await signIn(gateway, phone)).toBe(200)
      expect((await new Browser(gateway).register(phones[2]!)).body.error.code).toBe('ACCOUNT_ALREADY_EXISTS')
    })
    await expect(startGateway({ database, environment: old })).rejects.toThrow('GATEWAY_SECRET is not the secret')
    const again = await runCommand(database, ['secret', 'rotate'], { environment: rotated })
    expect(again.stdout).toContain('Nothing uses an older secret anymore')
    expect((await examine(database, { environment: rotated })).of('secret')).toEqual([
      'ok: every sealed value uses the current secret',
    ])
  })

  test('a contact without a sealed copy keeps the old secret in use until its owner signs in', async () => {
    await inStore((store) =>
      store.write(async (tx) => {
        await tx.run(
          "UPDATE identities SET phone_sealed = NULL, phone_key_version = NULL WHERE account_id LIKE 'acc\\_%' ESCAPE '\\'",
        )
      }),
    )
    const next = {
      GATEWAY_SECRET: 'a third secret of 32 bytes or more',
      GATEWAY_SECRET_PREVIOUS: rotated.GATEWAY_SECRET,
    }
    const rotate = async () =>
      JSON.parse((await runCommand(database, ['secret', 'rotate', '--json'], { environment: next })).stdout)
    expect(await rotate()).toMatchObject({ outdated: 0, unsealed: 3, isFinished: false })
    await withGateway(next, async (gateway) => {
      for (const phone of phones) expect(await signIn(gateway, phone)).toBe(200)
    })
    expect(await rotate()).toMatchObject({ outdated: 0, unsealed: 0, isFinished: true })
  })
})

/** Enough of them for several pages. */
async function addAccounts(store: Store, keyring: Keyring) {
  const contacts = createContacts(keyring, createDigests(keyring))
  await createAccountStore(store).write(async (tx) => {
    for (let n = 0; n < 500; n += 1) {
      const accountId = `account ${n}`
      await tx.createAccount({
        accountId,
        name: 'Personal account',
        recoveryEmail: contacts.email(accountId, `person${n}@example.com`),
        passwordDigest: 'none',
        identitySubject: `subject ${n}`,
        phone: contacts.phone(accountId, String(15_000_000_000 + n)),
        projectId: `project ${n}`,
        projectName: 'Personal project',
        at: 1,
      })
    }
  })
}

test('an instance whose secret was replaced by another instance registers no accounts', async () => {
  const database = await migratedDatabase('postgres')
  const stale = await startGateway({ database, environment: old })
  const fresh = await startGateway({ database, environment: rotating })
  const phone = newPhone()
  expect((await new Browser(fresh).register(phone)).status).toBe(201)
  expect((await new Browser(stale).register(phone)).status).toBe(500)
  await stale.stop()
  await fresh.stop()
  await database.remove()
})
