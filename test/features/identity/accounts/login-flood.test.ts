import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Refusal } from '../../../../src/contract/errors.ts'
import type { AccountFlowDeps } from '../../../../src/features/identity/accounts/accounts.ts'
import { createGuards } from '../../../../src/features/identity/accounts/guards.ts'
import { createPasswords } from '../../../../src/features/identity/accounts/passwords.ts'
import { createRateLimiter } from '../../../../src/features/identity/accounts/rate-limits.ts'
import { login } from '../../../../src/features/identity/accounts/sign-in.ts'
import { type AccountStore, createAccountStore } from '../../../../src/features/identity/accounts/store.ts'
import type { Call } from '../../../../src/http/route.ts'
import { TestClock } from '../../../../testkit/gateway/gateway.ts'
import { freshStore, httpEngines } from '../../../../testkit/store/engines.ts'

const limit = { max: 2, windowSeconds: 600 }
const isRateLimited = { code: 'RATE_LIMITED' }

describe.each(httpEngines)('refused logins on %s', (engine) => {
  let store: AccountStore
  let clock: TestClock
  let rig: ReturnType<typeof createRig>
  beforeAll(async () => {
    const fresh = await freshStore(engine)
    store = createAccountStore(fresh.store)
    return fresh.remove
  })
  beforeEach(() => {
    clock = new TestClock()
    rig = createRig(store, clock)
  })

  it('refused logins of one requester cost no transaction until the window ends', async () => {
    const attempt = () => rig.login('192.0.2.1')
    await attempt()
    await attempt()
    await expect(attempt()).rejects.toMatchObject(isRateLimited)
    rig.forgetWrites()
    for (let i = 0; i < 20; i += 1) await expect(attempt()).rejects.toMatchObject(isRateLimited)
    expect(rig.writes()).toBe(0)

    clock.advanceSeconds(limit.windowSeconds)
    await attempt()
    expect(rig.writes()).toBe(1)
  })

  it('refused logins of any requester cost no transaction and do not count while too many passwords wait', async () => {
    const checked = Promise.withResolvers<void>()
    const attempts = ['192.0.2.2', '192.0.2.3', '192.0.2.4'].map((address) => () => rig.login(address))
    const waiting = rig.passwords.withHashSlot(() => checked.promise)
    for (const attempt of [...attempts, ...attempts, ...attempts])
      await expect(attempt()).rejects.toMatchObject({ ...isRateLimited, retryAfterSeconds: 1 })
    expect(rig.writes()).toBe(0)

    checked.resolve()
    await waiting
    for (const attempt of attempts) await attempt()
    expect(rig.writes()).toBe(attempts.length)
  })

  it('refused logins that are malformed cost no transaction', async () => {
    for (let i = 0; i < 20; i += 1)
      await expect(rig.malformedLogin(`198.51.100.${i}`)).rejects.toMatchObject({ code: 'PASSWORD_INVALID' })
    expect(rig.writes()).toBe(0)
  })

  it.each([
    ['malformed ones', ['malformedLogin', 'malformedLogin']],
    ['others', ['login', 'login']],
    ['both', ['login', 'malformedLogin']],
  ] as const)(
    'refused logins are refused for the limit whatever they contain, after %s used it up',
    async (_, attempts) => {
      for (const attempt of attempts) await rig[attempt]('192.0.2.6').catch(() => {})
      rig.forgetWrites()
      await expect(rig.malformedLogin('192.0.2.6')).rejects.toMatchObject(isRateLimited)
      await expect(rig.login('192.0.2.6')).rejects.toMatchObject(isRateLimited)
      expect(rig.writes()).toBe(0)
      await expect(rig.malformedLogin('192.0.2.7')).rejects.toMatchObject({ code: 'PASSWORD_INVALID' })

      clock.advanceSeconds(limit.windowSeconds)
      await rig.login('192.0.2.6')
    },
  )

  it('refused logins that are malformed and sent together are counted each', async () => {
    const codes = (await Promise.allSettled(Array.from({ length: 5 }, () => rig.malformedLogin('192.0.2.8')))).map(
      (result) => result.status === 'rejected' && result.reason.code,
    )
    expect(codes).toEqual(['PASSWORD_INVALID', 'PASSWORD_INVALID', 'RATE_LIMITED', 'RATE_LIMITED', 'RATE_LIMITED'])
  })

  it('refused logins count for no identifier while too many passwords wait', async () => {
    const checked = Promise.withResolvers<void>()
    const waiting = rig.passwords.withHashSlot(() => checked.promise)
    const attempt = () => rig.checkPassword('13800138000')
    await expect(attempt()).rejects.toMatchObject({ ...isRateLimited, retryAfterSeconds: 1 })
    expect(rig.writes()).toBe(0)

    checked.resolve()
    await waiting
    await expect(attempt()).rejects.toMatchObject({ code: 'AUTHENTICATION_FAILED' })
    expect(rig.writes()).toBe(1)
  })

  it('refused logins of an exhausted requester say when its window ends, also while too many passwords wait', async () => {
    const attempt = () => rig.login('192.0.2.5')
    await attempt()
    await attempt()
    await expect(attempt()).rejects.toMatchObject(isRateLimited)
    const retryAfterSeconds = await rig.passwords.withHashSlot(async () =>
      attempt().catch((refusal) => refusal.retryAfterSeconds),
    )
    expect(retryAfterSeconds).toBe(limit.windowSeconds)
  })
})

describe('remembered windows', () => {
  it('remembered windows are bounded; a forgotten one costs one transaction', async () => {
    const clock = new TestClock()
    const endsAt = clock.now + limit.windowSeconds * 1000
    let writes = 0
    const full = {
      write: (work: (tx: object) => Promise<unknown>) => {
        writes += 1
        return work({ takeFrom: async () => endsAt })
      },
    }
    const limiter = createRateLimiter(full as unknown as AccountStore, clock.read)
    const take = (name: string) => expect(limiter.take(name, limit)).rejects.toMatchObject(isRateLimited)
    await Promise.allSettled(Array.from({ length: 10_001 }, (_, i) => limiter.take(`requester ${i}`, limit)))
    expect(writes).toBe(10_001)
    await take('requester 1')
    expect(writes).toBe(10_001)
    await take('requester 0')
    expect(writes).toBe(10_002)
  })
})

const callFrom = (network: string) => ({ requester: { address: network, network } }) as Call

/** The guard of a login in front of a store whose writes are counted; one password may wait. */
function createRig(store: AccountStore, clock: TestClock) {
  let writes = 0
  const counted: AccountStore = {
    ...store,
    write: (work) => {
      writes += 1
      return store.write(work)
    },
  }
  const cost = { memoryKib: 64, passes: 1, parallelism: 1 }
  const passwords = createPasswords({ cost, maxRunning: 1, maxQueued: 1, slotWaitMs: 1 })
  const limiter = createRateLimiter(counted, clock.read)
  const digest = (text: string) => ({ current: text, all: [text] })
  const identity = {
    store: counted,
    passwords,
    limiter,
    limits: { loginPerIdentifier: limit, loginPerIdentifierAndRequester: limit },
    digests: { phone: digest, requester: digest },
  } as unknown as AccountFlowDeps
  const guards = createGuards({
    origin: 'http://localhost',
    sessions: undefined as never,
    reads: undefined as never,
    limiter,
    passwords,
    limits: {
      loginPerRequester: limit,
      sendCodePerRequester: limit,
      registerPerRequester: limit,
      sessionWritesPerProject: limit,
    },
    digestRequester: (network) => network,
    clock: clock.read,
  })
  return {
    passwords,
    login: (network: string) => guards.login(callFrom(network), async () => ({})),
    malformedLogin: (network: string) =>
      guards.login(callFrom(network), () => Promise.reject(new Refusal('PASSWORD_INVALID'))),
    checkPassword: (identifier: string) =>
      login(identity, { identifier, password: 'wrong password' }, { previousToken: undefined, requester: '192.0.2.1' }),
    writes: () => writes,
    forgetWrites() {
      writes = 0
    },
  }
}
