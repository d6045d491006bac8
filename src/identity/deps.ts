import type { Keyring } from '../secrets/keyring.ts'
import type { Contacts } from './contacts.ts'
import type { Digests } from './digests.ts'
import type { LoginLimits } from './login-limits.ts'
import type { Passwords } from './passwords.ts'
import type { AccountRow, IdentityProvider, IdentityStore, Limit, SmsSender } from './ports.ts'
import type { RateLimiter } from './rate-limits.ts'
import type { OpenedSession, Sessions } from './sessions.ts'

export interface IdentityDeps {
  readonly store: IdentityStore
  readonly sessions: Sessions
  readonly keyring: Keyring
  readonly digests: Digests
  readonly contacts: Contacts
  readonly passwords: Passwords
  readonly sms: SmsSender
  readonly identityProvider: IdentityProvider
  readonly limiter: RateLimiter
  readonly limits: { readonly sendCodePerPhone: Limit } & LoginLimits
  readonly clock: () => number
}

/** The account that just registered or logged in, and its new session. */
export interface Authenticated {
  readonly account: AccountRow
  readonly session: OpenedSession
}
