import { newSortableId } from '../../../base/ids.ts'
import type { Keyring } from '../../../base/keyring.ts'
import { type OperatorErrorCode, OperatorRefusal } from '../../../contract/error-codes/operators.ts'
import type { AuditChannel, AuditNote } from '../../../ledger/audit.ts'
import type { Ledger } from '../../../ledger/ledger.ts'
import type { Passwords } from '../../identity/accounts/passwords.ts'
import type { AccountWriter } from '../../identity/accounts/store.ts'
import type { ReviewReader } from '../store/accounts.ts'
import type { AdministrationStore } from '../store/store.ts'

/** Who acts: a signed-in operator, or the user of the command line. */
export interface Actor {
  readonly name: string
  readonly via: AuditChannel
}

/** What the audit log says about an action. */
export const noteOf = (
  { name, via }: Actor,
  { action, object, reason }: Pick<AuditNote, 'action' | 'object' | 'reason'>,
  at: number,
): AuditNote => ({ auditId: newSortableId('aud', at), by: name, via, action, object, reason: checkReason(reason) })

export const reasonLimit = 500
export const referenceLimit = 200

export const checkReason = (reason: string): string => checkLine(reason, reasonLimit, 'REASON_INVALID')
export const checkReference = (reference: string): string => checkLine(reference, referenceLimit, 'REFERENCE_INVALID')

/** The same payment is written in many ways: without case, width, spaces and punctuation, they are one. */
export function referenceKeyOf(reference: string): string {
  const folded = reference.normalize('NFKC').toLowerCase()
  return folded.replaceAll(/[^\p{L}\p{N}]/gu, '') || folded.trim()
}

function checkLine(text: string, max: number, code: OperatorErrorCode): string {
  const line = oneLine(text, max)
  if (line === null) throw new OperatorRefusal(code)
  return line
}

/** The trimmed text; null if it is empty, longer than `max` characters or not a single line. */
export function oneLine(text: string, max: number): string | null {
  const trimmed = text.trim()
  return trimmed === '' || [...trimmed].length > max || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(trimmed) ? null : trimmed
}

/** What the actions of operators are made of. */
export interface AdministrationDeps {
  readonly store: AdministrationStore
  readonly reviews: ReviewReader
  readonly ledger: Pick<Ledger, 'end' | 'move' | 'hold' | 'unhold'>
  readonly passwords: Passwords
  /** Read when an action needs it: most do not. */
  readonly secrets: () => Promise<AdministrationSecrets>
  /** Starts a password recovery in the transaction of the action. */
  readonly startRecovery: StartRecovery
  /** Grants and withdrawals above this wait for a second operator; null for none. */
  readonly approvalAboveCredits: number | null
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
