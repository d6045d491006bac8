import type { Keyring } from '../../base/keyring.ts'
import type { ApprovalHandler } from '../../operator-kit/approvals.ts'
import type { OperatorContext } from '../../ops/feature.ts'
import { readKeyring } from '../../ops/secrets.ts'
import type { Passwords } from '../identity/accounts/passwords.ts'
import { type AdministrationStore, createAdministrationStore } from './store.ts'

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

export const actingOn = (
  { engine, config, clock }: OperatorContext,
  others: Pick<AdministrationDeps, 'passwords' | 'approvalHandlers'>,
): AdministrationDeps => ({
  store: createAdministrationStore(engine),
  clock,
  readKeyring: () => readKeyring(config),
  approvalAboveCredits: config.operators.approvalAboveCredits,
  ...others,
})

export type Reading = Pick<AdministrationDeps, 'store'>
export type Acting = Pick<AdministrationDeps, 'store' | 'clock'>
