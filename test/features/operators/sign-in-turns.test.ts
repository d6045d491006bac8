import { describe, expect, test } from 'vitest'
import { createPasswords } from '../../../src/features/identity/accounts/passwords.ts'
import { type OperatorSessionRouteDeps, operatorSessionRoutes } from '../../../src/features/operators/access/routes.ts'
import { createSignInLinks } from '../../../src/features/operators/access/sessions.ts'
import type { Call } from '../../../src/http/route.ts'
import { operatorCookieName } from '../../../src/operator-kit/guard.ts'

const password = 'the right password of the owner'

interface Attempt {
  readonly name: string
  readonly network: string
  readonly cookie?: string
}

/** The sign-in route with one thread for passwords and an operator called owner, who has a session. Notes whose passwords were checked. */
async function createRig() {
  const passwords = createPasswords({ cost: { memoryKib: 64, passes: 1, parallelism: 1 }, maxRunning: 1 })
  const owner = { name: 'owner', role: 'viewer', disabledAt: null, passwordDigest: await passwords.hash(password) }
  const opened = { token: 'new token', csrfToken: 'csrf' }
  const links = createSignInLinks(() => 0)
  const checked: string[] = []
  const store = {
    read: (work: (tx: object) => unknown) =>
      work({ operator: async (name: string) => (name === 'owner' ? owner : undefined) }),
    write: async () => opened,
  }
  const sessions = { find: async (token: string) => (token === 'valid' ? owner : undefined), endToken: async () => {} }
  const [route] = operatorSessionRoutes({
    guard: { origin: () => {} },
    hosts: { originOf: () => 'http://localhost' },
    signIn: { store, sessions, links, requiresTotp: false, clock: () => 0, passwords },
    accountStore: { write: async () => {} },
    limiter: { take: async () => {}, refuseExhausted: () => {} },
    limits: {},
    digestRequester: (network: string) => network,
  } as unknown as OperatorSessionRouteDeps)

  const send = (body: object, { network, cookie }: Omit<Attempt, 'name'>) =>
    route!.handle({
      requester: { address: network, network },
      header: (name: string) => (name === 'cookie' && cookie ? { value: `${operatorCookieName}=${cookie}` } : 'absent'),
      readJson: async () => body,
    } as unknown as Call)

  return {
    checked,
    signInByLink: (network: string) => send({ token: links.create() }, { network }),
    async attempt({ name, ...from }: Attempt): Promise<number> {
      try {
        return (await send({ name, password }, from)).status
      } catch {
        return 401
      } finally {
        checked.push(`${name} at ${from.network}`)
      }
    },
  }
}

const strangers = (rig: Awaited<ReturnType<typeof createRig>>, networkOf: (index: number) => string) =>
  Array.from({ length: 32 }, (_, index) => rig.attempt({ name: `unknown ${index}`, network: networkOf(index) }))

describe('while 32 sign-ins with unknown names are under way', () => {
  test.each(['owner', 'unknown'])('%s at another address has the third password to be checked', async (name) => {
    const rig = await createRig()
    const others = strangers(rig, () => '192.0.2.1')
    expect(await rig.attempt({ name, network: '192.0.2.2' })).toBe(name === 'owner' ? 200 : 401)
    await Promise.all(others)
    // One was being checked already, and one of the stranger's had its turn.
    expect(rig.checked.indexOf(`${name} at 192.0.2.2`)).toBe(2)
  })

  test('at as many addresses, the owner with an earlier session has the second', async () => {
    const rig = await createRig()
    const others = strangers(rig, (index) => `192.0.2.${index}`)
    expect(await rig.attempt({ name: 'owner', network: '198.51.100.1', cookie: 'valid' })).toBe(200)
    await Promise.all(others)
    expect(rig.checked.indexOf('owner at 198.51.100.1')).toBe(1)
  })

  test.each(['owner', 'unknown'])(
    'at as many addresses, %s has the second where an operator signed in lately',
    async (name) => {
      const rig = await createRig()
      await rig.signInByLink('198.51.100.1')
      const others = strangers(rig, (index) => `192.0.2.${index}`)
      await rig.attempt({ name, network: '198.51.100.1' })
      await Promise.all(others)
      expect(rig.checked.indexOf(`${name} at 198.51.100.1`)).toBe(1)
    },
  )

  test('an invalid cookie changes nothing', async () => {
    const rig = await createRig()
    const others = strangers(rig, (index) => `192.0.2.${index}`)
    await rig.attempt({ name: 'unknown', network: '198.51.100.1', cookie: 'made up' })
    await Promise.all(others)
    expect(rig.checked.indexOf('unknown at 198.51.100.1')).toBe(32)
  })
})
