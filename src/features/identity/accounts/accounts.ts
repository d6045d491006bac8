import type { AuthResponse } from '../../../contract/schemas/identity.ts'
import type { SignedIn } from '../../../http/guards.ts'
import type { FeatureContext } from '../../../ops/feature.ts'
import type { SmsSender } from '../../../providers/senders.ts'
import type { Outbox } from '../messages/message.ts'
import type { ChallengePurpose, Limit } from './challenge-store.ts'
import type { SessionClient } from './client.ts'
import type { Contacts, Digests } from './contacts.ts'
import type { Passwords } from './passwords.ts'
import type { LoginLimits, RateLimiter } from './rate-limits.ts'
import type { OpenedSession, Sessions } from './sessions.ts'
import type { AccountRow, AccountStore } from './store.ts'

export interface AccountFlowDeps extends Pick<FeatureContext, 'clock' | 'keyring'> {
  readonly store: AccountStore
  readonly sessions: Sessions
  readonly digests: Digests
  readonly contacts: Contacts
  readonly passwords: Passwords
  readonly sms: SmsSender
  readonly outbox: Outbox
  readonly canSendEmail: boolean
  /** Issues the immutable subject of a verified phone, the only identifier shared with other products. */
  readonly subjectOf: (verifiedPhone: string) => Promise<string>
  readonly limiter: RateLimiter
  readonly limits: CodeLimits & LoginLimits
  readonly codes: CodeObserver
}

export interface CodeLimits {
  readonly sendCodePerPhone: Limit
  readonly recoveryPerRequester: Limit
  readonly recoveryPerIdentifierAndRequester: Limit
  /** For all accounts together. */
  readonly codesPerHour: number
  readonly wrongCodesPerHour: number
}

export interface CodeObserver {
  readonly wrong: (purpose: ChallengePurpose) => void
  /** A limit for all accounts together is reached. */
  readonly refused: (ceiling: Ceiling) => void
}

export type Ceiling = 'codesPerHour' | 'wrongCodesPerHour'

export interface RequestContext {
  /** The network that the request came from. */
  readonly requester: string
  /** Shown to the owner of a session that the request opens. */
  readonly client?: SessionClient
}

export interface SignedInContext extends RequestContext {
  readonly session: SignedIn
}

export interface Authenticated {
  readonly account: AccountRow
  readonly session: OpenedSession
}

export const publicAccount = (account: AccountRow): AuthResponse['account'] => ({
  accountId: account.accountId,
  identitySubject: account.identitySubject,
  phoneMasked: account.phoneMasked,
  recoveryEmailMasked: account.recoveryEmailMasked,
  recoveryEmailState: account.recoveryEmailState,
})
