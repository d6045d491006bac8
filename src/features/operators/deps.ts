import type { Keyring } from '../../base/keyring.ts'
import type { ApprovalHandler } from '../../operator-kit/approvals.ts'
import type { Passwords } from '../identity/accounts/passwords.ts'
import type { AdministrationStore } from './store.ts'

/** What the actions of operators are made of. */
export interface AdministrationDeps {
  readonly store: AdministrationStore
  readonly passwords: Passwords
  /** Read when an action needs it: most do not. */
  readonly readKeyring: () => Promise<Keyring>
  /** Grants and withdrawals above this wait for a second operator; null for none. */
  readonly approvalAboveCredits: number | null
  /** One for each subject of an approval. */
  readonly approvalHandlers: readonly ApprovalHandler[]
  readonly clock: () => number
}

export type Reading = Pick<AdministrationDeps, 'store'>
export type Acting = Pick<AdministrationDeps, 'store' | 'clock'>
