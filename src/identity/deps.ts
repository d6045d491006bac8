import type { SmsSender } from '../messages/senders.ts'
import type { Digests } from './digests.ts'
import type { Passwords } from './passwords.ts'
import type { AccountRow, IdentityProvider, IdentityStore, Limit } from './ports.ts'
import type { RateLimiter } from './rate-limits.ts'
import type { OpenedSession, Sessions } from './sessions.ts'

export interface IdentityDeps {
  readonly store: IdentityStore
  readonly sessions: Sessions
  readonly digests: Digests
  readonly passwords: Passwords
  readonly sms: SmsSender
  readonly identityProvider: IdentityProvider
  readonly limiter: RateLimiter
  readonly limits: { readonly sendCodePerPhone: Limit; readonly loginPerIdentifier: Limit }
  readonly clock: () => number
}

/** The account that just registered or logged in, and its new session. */
export interface Authenticated {
  readonly account: AccountRow
  readonly session: OpenedSession
}
