import type { Messages } from './app-messages.ts'
import type { AppOptions } from './app-options.ts'
import { createGuards } from './http/guards.ts'
import { createContacts } from './identity/contacts.ts'
import { createDigests } from './identity/digests.ts'
import { createIdentity } from './identity/identity.ts'
import { noticesToOwner } from './identity/notices.ts'
import { createPasswords } from './identity/passwords.ts'
import { createRateLimiter } from './identity/rate-limits.ts'
import { createSessions } from './identity/sessions.ts'
import { createInstanceLimit } from './keys/instance-limit.ts'
import type { NoticeName } from './messages/message.ts'
import { createLocalIdentityProvider } from './providers/identity/local.ts'
import type { Keyring } from './secrets/keyring.ts'
import type { createStores } from './storage/stores.ts'

type Stores = ReturnType<typeof createStores>

export interface IdentityBuild {
  readonly store: Stores['identity']
  readonly keyring: Keyring
  readonly messages: Messages
  readonly clock: () => number
}

/** Constructs accounts, sessions and the checks of a request. */
export function buildIdentity(
  { config, passwordCost }: AppOptions,
  { store, keyring, messages, clock }: IdentityBuild,
) {
  const { limits } = config
  const digests = createDigests(keyring)
  const sessions = createSessions({ store, clock, ...config.sessions })
  const limiter = createRateLimiter(store, clock)
  const passwords = createPasswords(passwordCost && { cost: passwordCost })
  const contacts = createContacts(keyring, digests)
  const identity = createIdentity({
    store,
    sessions,
    keyring,
    digests,
    contacts,
    passwords,
    sms: messages.sms,
    outbox: messages.outbox,
    canSendEmail: messages.isEmailEnabled,
    identityProvider: createLocalIdentityProvider(keyring.current.secret),
    limiter,
    limits,
    clock,
  })
  const digestRequester = (address: string) => digests.requester(address).current
  const guards = createGuards({
    origin: config.origin.origin,
    sessions,
    limiter,
    passwords,
    limits,
    digestRequester,
    reads: createInstanceLimit({ limit: limits.readsPerSession, clock }),
    clock,
  })
  const noticesFor = (projectId: string, notice: NoticeName) =>
    noticesToOwner({ store, contacts, outbox: messages.outbox, clock }, projectId, notice)
  return { sessions, identity, guards, limiter, passwords, digestRequester, noticesFor }
}
