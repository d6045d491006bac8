import type { AppOptions } from './app-options.ts'
import { openKeyring } from './app-secrets.ts'
import { createGuards } from './http/guards.ts'
import { createContacts } from './identity/contacts.ts'
import { createDigests } from './identity/digests.ts'
import { createIdentity } from './identity/identity.ts'
import { createPasswords } from './identity/passwords.ts'
import { createRateLimiter } from './identity/rate-limits.ts'
import { createSessions } from './identity/sessions.ts'
import { createLocalIdentityProvider } from './providers/identity/local.ts'
import { chooseSms } from './providers/sms/choose-sms.ts'
import { checkSecret } from './secrets/check-secret.ts'
import type { createStores } from './storage/stores.ts'

type Stores = ReturnType<typeof createStores>

/** Constructs accounts, sessions and the checks of a request. */
export async function buildIdentity(
  { config, ...overrides }: AppOptions,
  stores: Pick<Stores, 'identity' | 'secrets'>,
  clock: () => number,
) {
  const { limits } = config
  const store = stores.identity
  const keyring = await openKeyring(config, () => store.read((tx) => tx.hasAccounts()))
  await checkSecret(stores.secrets, keyring, clock)
  const digests = createDigests(keyring)
  const sessions = createSessions({ store, clock, ...config.sessions })
  const limiter = createRateLimiter(store, clock)
  const passwords = createPasswords(overrides.passwordCost && { cost: overrides.passwordCost })
  const identity = createIdentity({
    store,
    sessions,
    keyring,
    digests,
    contacts: createContacts(keyring, digests),
    passwords,
    sms: overrides.sms ?? chooseSms(config.sms, config.dataDir),
    identityProvider: createLocalIdentityProvider(keyring.current.secret),
    limiter,
    limits,
    clock,
  })
  const guards = createGuards({
    origin: config.origin.origin,
    sessions,
    limiter,
    limits,
    digestRequester: (address) => digests.requester(address).current,
  })
  const digestRequester = (address: string) => digests.requester(address).current
  return { keyring, sessions, identity, guards, limiter, passwords, digestRequester }
}
