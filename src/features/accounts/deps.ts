import type { Keyring } from '../../base/keyring.ts'
import type { SignedIn } from '../../http/guards.ts'
import type { SmsSender } from '../../providers/senders.ts'
import type { Outbox } from '../messages/message.ts'
import type { Contacts, Digests } from './contacts.ts'
import type { Passwords } from './passwords.ts'
import type { AccountRow, CodeLimits, CodeObserver, IdentityProvider, IdentityStore } from './ports.ts'
import type { LoginLimits, RateLimiter } from './rate-limits.ts'
import type { OpenedSession, Sessions } from './sessions.ts'

export interface IdentityDeps {
  readonly store: IdentityStore
  readonly sessions: Sessions
  readonly keyring: Keyring
  readonly digests: Digests
  readonly contacts: Contacts
  readonly passwords: Passwords
  readonly sms: SmsSender
  readonly outbox: Outbox
  readonly canSendEmail: boolean
  readonly identityProvider: IdentityProvider
  readonly limiter: RateLimiter
  readonly limits: CodeLimits & LoginLimits
  readonly codes: CodeObserver
  readonly clock: () => number
}

export interface RequestContext {
  /** The network that the request came from. */
  readonly requester: string
}

/** A request of somebody who is signed in. */
export interface SignedInContext extends RequestContext {
  readonly session: SignedIn
}

/** The account that just registered or logged in, and its new session. */
export interface Authenticated {
  readonly account: AccountRow
  readonly session: OpenedSession
}
