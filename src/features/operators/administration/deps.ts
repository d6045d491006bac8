import type { Keyring } from '../../../base/keyring.ts'
import type { Ledger } from '../../../ledger/ledger.ts'
import type { ApprovalHandler } from '../../../operator-kit/approvals.ts'
import type { ReviewStore } from '../../calls/reviews/store.ts'
import type { Passwords } from '../../identity/accounts/passwords.ts'
import type { AccountWriter } from '../../identity/accounts/store.ts'
import type { AdministrationStore } from '../store/store.ts'

/** What the actions of operators are made of. */
export interface AdministrationDeps {
  readonly store: AdministrationStore
  readonly reviews: ReviewStore
  readonly ledger: Pick<Ledger, 'end' | 'move' | 'hold' | 'unhold'>
  readonly passwords: Passwords
  /** Read when an action needs it: most do not. */
  readonly secrets: () => Promise<AdministrationSecrets>
  /** Starts a password recovery in the transaction of the action. */
  readonly startRecovery: StartRecovery
  /** Grants and withdrawals above this wait for a second operator; null for none. */
  readonly approvalAboveCredits: number | null
  /** One for each subject of an approval. */
  readonly approvalHandlers: readonly ApprovalHandler[]
  readonly clock: () => number
}

export type Reading = Pick<AdministrationDeps, 'store'>
export type Acting = Pick<AdministrationDeps, 'store' | 'clock'>

export interface AdministrationSecrets {
  /** Digests that a contact may be stored under: one for each secret in use. */
  readonly phoneDigests: (phone: string) => readonly string[]
  readonly emailDigests: (email: string) => readonly string[]
  readonly keyring: Keyring
}

/** Sends a code to the account's own contact; nobody else sees it. */
export type StartRecovery = (tx: AccountWriter, accountId: string) => Promise<RecoveryLink>

/** Where the owner of the account enters the code. Worth nothing without it, so an operator may pass it on. */
export interface RecoveryLink {
  readonly link: string
  readonly expiresAt: number
}
