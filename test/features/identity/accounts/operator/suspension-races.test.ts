import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKeyring } from '../../../../../src/base/keyring.ts'
import type { AccountFlowDeps } from '../../../../../src/features/identity/accounts/accounts.ts'
import { createContacts, createDigests } from '../../../../../src/features/identity/accounts/contacts.ts'
import { createRateLimiter } from '../../../../../src/features/identity/accounts/rate-limits.ts'
import { createSessions } from '../../../../../src/features/identity/accounts/sessions.ts'
import { login } from '../../../../../src/features/identity/accounts/sign-in.ts'
import { reconcile } from '../../../../../src/features/records/reconcile/reconcile.ts'
import { testSecret } from '../../../../../testkit/gateway/gateway.ts'
import { createTestAdministration } from '../../../../../testkit/store/administration.ts'
import { engines, freshStore, openDatabase, type Store } from '../../../../../testkit/store/engines.ts'
import { addCredits, admissionOf, createCustomer, createRig, type Rig } from '../../../../../testkit/store/rig.ts'

const actor = { name: 'Ada', via: 'command line' } as const
const rounds = 20
const plenty = { max: 100, windowSeconds: 60 }

/** Two openings of one store, as two processes have them. */
describe.each(engines)('an account that is suspended while it is used, on %s', (engine) => {
  let fresh: Awaited<ReturnType<typeof freshStore>>
  let otherStore: Store
  let rig: Rig
  beforeAll(async () => {
    fresh = await freshStore(engine)
    otherStore = await openDatabase(fresh.database, { exclusive: false })
    rig = createRig(fresh.store)
  })
  afterAll(async () => {
    await otherStore.close()
    await fresh.remove()
  })

  test('an account that is suspended while it is used keeps no key, no session and no call from after the suspension', async () => {
    const operate = createTestAdministration(createRig(otherStore))
    const sessions = createSessions({ store: rig.stores.identity, clock: rig.clock, lifetimeSeconds: 3600 })
    for (let round = 0; round < rounds; round += 1) {
      const customer = await createCustomer(rig)
      const { projectId } = customer
      const owner = { accountId: `account of ${projectId}`, projectId }
      await addCredits(rig, projectId, 100)
      // So that the row cache has the key.
      await rig.ledger.admit(admissionOf(rig, customer))
      const suspended = operate.suspendAccount(actor, { accountId: owner.accountId, reason: 'abuse' })
      const [created, session] = await Promise.all([
        rig.keys.create(projectId, ['models:invoke']),
        rig.stores.identity.write((tx) => sessions.open(tx, owner)),
        rig.ledger.admit(admissionOf(rig, customer)),
      ])
      await suspended
      for (const keyId of [customer.keyId, created.keyId]) {
        const refused = await rig.ledger.admit(admissionOf(rig, { ...customer, keyId }))
        expect(refused).toEqual({ kind: 'refused', code: 'UNAUTHORIZED' })
      }
      expect(await sessions.find(session.token)).toBeUndefined()

      await operate.reinstateAccount(actor, { accountId: owner.accountId, reason: 'a mistake' })
      for (const keyId of [customer.keyId, created.keyId]) {
        expect(await rig.ledger.admit(admissionOf(rig, { ...customer, keyId }))).toEqual({ kind: 'reserved' })
      }
      expect(await sessions.find(session.token)).toBeUndefined()
    }
    expect((await reconcile(fresh.store)).differences).toEqual([])
  })

  test('a password that was checked before a suspension opens no session after it', async () => {
    const { projectId } = await createCustomer(rig)
    const account = { accountId: `account of ${projectId}`, reason: 'abuse' }
    const operate = createTestAdministration(createRig(otherStore))
    let afterCheck = async () => {}
    const { identity: store } = rig.stores
    const keyring = createKeyring(testSecret)
    const digests = createDigests(keyring)
    const digest = { current: `phone of ${projectId}`, all: [`phone of ${projectId}`] }
    const flows = {
      store,
      clock: rig.clock,
      digests: { ...digests, phone: () => digest },
      contacts: { ...createContacts(keyring, digests), isCurrent: () => true },
      sessions: createSessions({ store, clock: rig.clock, lifetimeSeconds: 3600 }),
      limiter: createRateLimiter(store, rig.clock),
      limits: { loginPerIdentifier: plenty, loginPerIdentifierAndRequester: plenty },
      outbox: { wake: () => {} },
      passwords: {
        withHashSlot: <T>(work: () => Promise<T>) => work(),
        verify: async () => {
          await afterCheck()
          return { isRight: true, isOutdated: false }
        },
      },
    } as unknown as AccountFlowDeps
    const request = { identifier: '13800005678', password: 'any' }
    const signIn = () => login(flows, request, { requester: '192.0.2.1', previousToken: undefined })
    expect(await signIn()).toHaveProperty('session')
    afterCheck = async () => {
      afterCheck = async () => {}
      await operate.suspendAccount(actor, account)
    }
    await expect(signIn()).rejects.toMatchObject({ code: 'AUTHENTICATION_FAILED' })
  })

  test('suspensions and other concurrent actions leave one chain of audit entries', async () => {
    const customers = await Promise.all(Array.from({ length: 8 }, () => createCustomer(rig)))
    const both = [createTestAdministration(rig), createTestAdministration(createRig(otherStore))]
    const before = (await both[0]!.verifyAudit()).entries
    await Promise.all(
      customers.flatMap(({ projectId }, index) =>
        both.flatMap((operate, place) => [
          operate.moveCredits(actor, {
            kind: 'grant',
            projectId,
            credits: 5,
            reference: `${place} of ${projectId}`,
            reason: 'paid',
          }),
          place === index % 2
            ? operate.suspendAccount(actor, { accountId: `account of ${projectId}`, reason: 'abuse' })
            : operate.signOutAccount(actor, { accountId: `account of ${projectId}`, reason: 'lost' }),
        ]),
      ),
    )
    expect(await both[0]!.verifyAudit()).toMatchObject({ isSound: true, entries: before + 4 * customers.length })
    expect((await reconcile(fresh.store)).differences).toEqual([])
  })
})
