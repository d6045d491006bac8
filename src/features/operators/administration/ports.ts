import type { AuditEntry, AuditFilter, AuditHead, AuditPlace, AuditRecord, ChainFault } from '../../../ledger/audit.ts'
import type { ChargeState, EarlierMovement, MovementRecord, PendingApproval } from '../../../ledger/commands.ts'
import type { AddEvent } from '../../../storage/event-rows.ts'
import type { IdentityWriter } from '../../accounts/store.ts'
import type { OperatorRole } from '../contract/roles.ts'

/** What an operator's actions ask of storage. */
export interface AdministrationStore {
  read<T>(work: (tx: AdministrationReader) => Promise<T>): Promise<T>
  write<T>(work: (tx: AdministrationWriter) => Promise<T>): Promise<T>
}

export interface AdministrationReader {
  /** Accounts whose phone or recovery email has one of these digests. */
  accountsByContact(contact: 'phone' | 'email', digests: readonly string[], limit: number): Promise<AccountSummary[]>
  /** By the id of the account, its project or one of its keys. */
  accountsById(id: string, limit: number): Promise<AccountSummary[]>
  /** Accounts with a key whose displayed prefix starts with this text. */
  accountsByKeyPrefix(displayPrefix: string, limit: number): Promise<AccountSummary[]>
  balance(projectId: string): Promise<ProjectBalance | undefined>
  /** The newest first. */
  keys(projectId: string, limit: number): Promise<OperatedKey[]>
  approval(approvalId: string): Promise<ApprovalRow | undefined>
  approvals(state: ApprovalRow['state'] | null, after: string, limit: number): Promise<ApprovalRow[]>
  operators(): Promise<OperatorRow[]>
  /** Names differ by more than case. */
  operator(name: string): Promise<OperatorRow | undefined>
  /** With the role and state that its operator has now. */
  operatorSession(sessionDigest: string): Promise<OperatorSessionRow | undefined>
  providerSwitches(): Promise<ProviderSwitch[]>
  /** The newest first. */
  reconcileRuns(limit: number): Promise<ReconcileRunRow[]>
  reconcileRun(runId: string): Promise<ReconcileRunRow | undefined>
  auditHead(): Promise<AuditHead | undefined>
  auditEntry(auditId: string): Promise<AuditEntry | undefined>
  auditEntries(filter: AuditFilter, place: AuditPlace): Promise<AuditEntry[]>
  /** The first effects of operators that are in the books but not in the audit log. */
  missingAuditEntries(limit: number): Promise<ChainFault[]>
}

export interface AdministrationWriter extends AdministrationReader {
  /** For actions that a payer could also take, in the same transaction. */
  readonly identity: IdentityWriter
  /** Reads an account and locks its project, its balance and so its calls until this write ends. */
  lockAccount(accountId: string): Promise<AccountSummary | undefined>
  /** Suspends the account and its keys, or reinstates them. */
  setSuspension(
    account: AccountSummary,
    suspension: { readonly at: number; readonly reason: string } | null,
  ): Promise<void>
  /** Reads a key and locks its project's balance. */
  lockKey(keyId: string): Promise<OperatedKey | undefined>
  revokeKey(keyId: string, at: number): Promise<void>
  readonly addEvent: AddEvent
  /** Reads a balance and locks it, so that no grant or withdrawal is made meanwhile. */
  lockBalance(projectId: string): Promise<ProjectBalance | undefined>
  movement(slot: MovementSlot): Promise<MovementRecord | undefined>
  pendingApproval(slot: MovementSlot): Promise<PendingApproval | undefined>
  /** The last movement or pending approval of this kind with the same key, but for the one in this slot. */
  sameReference(slot: MovementSlot & { readonly referenceKey: string }): Promise<EarlierMovement | undefined>
  insertApproval(
    row: Omit<ApprovalRow, 'state' | 'decidedBy' | 'decidedAt'> & { readonly referenceKey: string },
  ): Promise<void>
  /** False if it is no longer pending. */
  rejectApproval(approvalId: string, by: string, at: number): Promise<boolean>
  insertOperator(row: OperatorCredentials & Pick<OperatorRow, 'name' | 'role' | 'createdAt'>): Promise<void>
  /** Replaces the credentials, and enables and unlocks the operator. */
  replaceCredentials(name: string, credentials: OperatorCredentials): Promise<void>
  /** Ends the waiting for an approval: with a time, the operator is disabled. False if it was not waiting. */
  settleOperator(name: string, disabledAt: number | null): Promise<boolean>
  disableOperator(name: string, at: number): Promise<void>
  /** Ends the sessions of an operator, but for the one that is kept. */
  endOperatorSessions(name: string, keptDigest?: string): Promise<number>
  insertOperatorSession(row: NewOperatorSession): Promise<void>
  touchOperatorSession(sessionDigest: string, at: number): Promise<void>
  endOperatorSession(sessionDigest: string): Promise<void>
  /** Counts an attempt before its code is checked. Returns how many there were since the last right one; null if locked. */
  takeTotpAttempt(name: string, most: number): Promise<number | null>
  /** False if a code of this step or a later one was accepted before. Otherwise the operator is enrolled. */
  useTotpStep(name: string, step: number): Promise<boolean>
  /** Replaces one digest by another; false if it was replaced meanwhile. */
  replacePassword(name: string, change: { readonly from: string; readonly to: string }): Promise<boolean>
  /** The operator has chosen the password. */
  confirmPassword(name: string): Promise<void>
  replaceTotp(name: string, totp: Pick<OperatorCredentials, 'totpSealed' | 'totpKeyVersion'>): Promise<void>
  /** Counts a failed sign-in. Returns how many of its kind there were since they were last summed up. */
  countSignInFailure(failure: { readonly name: string; readonly reason: string; readonly at: number }): Promise<number>
  /** Removes the counts that began before this time. */
  takeSignInFailures(before: number, limit: number): Promise<SignInFailures[]>
  switchProvider(row: ProviderSwitch): Promise<void>
  insertReconcileRun(row: Pick<ReconcileRunRow, 'runId' | 'startedBy' | 'startedAt'>): Promise<void>
  finishReconcileRun(row: Pick<ReconcileRunRow, 'runId' | 'finishedAt' | 'isSound' | 'report'>): Promise<void>
  /** Adds an entry to the audit log, and holds the log until this write ends: lock balances and approvals before. */
  audit(record: AuditRecord): Promise<AuditEntry>
}

export interface AccountSummary {
  readonly accountId: string
  readonly projectId: string
  readonly phoneMasked: string
  readonly recoveryEmailMasked: string
  readonly recoveryEmailState: 'pending_verification' | 'verified'
  readonly createdAt: number
  readonly suspendedAt: number | null
  readonly suspensionReason: string | null
}

export interface ProjectBalance {
  readonly available: number
  readonly reserved: number
  readonly settled: number
  readonly credited: number
}

export interface OperatedKey {
  readonly keyId: string
  readonly projectId: string
  readonly displayPrefix: string
  readonly revokedAt: number | null
}

export type MovementSlot = Pick<MovementRecord, 'projectId' | 'kind' | 'reference'>

export interface ApprovalRow extends PendingApproval {
  readonly reason: string
  readonly requestedVia: AuditEntry['via']
  readonly requestedAt: number
  readonly state: 'pending' | 'approved' | 'rejected'
  readonly decidedBy: string | null
  readonly decidedAt: number | null
}

export interface OperatorCredentials {
  readonly passwordDigest: string
  readonly mustChangePassword: boolean
  readonly totpSealed: string
  readonly totpKeyVersion: string
  /** Who was shown them on the web; null if they come from the command line. */
  readonly credentialsBy: string | null
  readonly credentialsAt: number
  /** Whether a second administrator must agree before they work. */
  readonly awaitsApproval: boolean
}

/** Failed sign-ins of one name for one reason. */
export interface SignInFailures {
  readonly name: string
  readonly reason: string
  readonly attempts: number
  readonly firstAt: number
  readonly lastAt: number
}

export interface OperatorRow extends OperatorCredentials {
  readonly name: string
  readonly role: OperatorRole
  /** The step of the last one-time code that was accepted: each is good once. */
  readonly lastTotpStep: number | null
  /** Whether a code was ever accepted. */
  readonly isTotpEnrolled: boolean
  /** Attempts since the last code that was accepted. */
  readonly totpFailures: number
  readonly createdAt: number
  readonly disabledAt: number | null
}

export interface NewOperatorSession {
  readonly sessionDigest: string
  readonly name: string
  /** Of the local administrator, who is not among the operators. */
  readonly isLocal: boolean
  readonly csrfDigest: string
  readonly createdAt: number
  readonly expiresAt: number
}

export interface OperatorSessionRow extends NewOperatorSession {
  readonly lastSeenAt: number
  /** Null for the local administrator, and for an operator that is gone. */
  readonly role: OperatorRole | null
  readonly mustChangePassword: boolean
  readonly isTotpEnrolled: boolean
  readonly disabledAt: number | null
}

/** Whether an operator took a provider out of service. */
export interface ProviderSwitch {
  /** Kind and name, such as `model/model_provider_a`. */
  readonly provider: string
  readonly isOut: boolean
  readonly changedBy: string
  readonly changedAt: number
}

export interface ReconcileRunRow {
  readonly runId: string
  readonly startedBy: string
  readonly startedAt: number
  /** Null while it runs. */
  readonly finishedAt: number | null
  /** Null while it runs, and if it failed. */
  readonly isSound: boolean | null
  /** The report as JSON; null if there is none. */
  readonly report: string | null
}

/** A charge in review: its outcome is unknown, and its credits stay reserved until an operator decides. */
export interface ReviewRow {
  readonly chargeId: string
  readonly projectId: string
  readonly operation: string
  readonly credits: number
  readonly requestId: string
  readonly reservedAt: number
  readonly reason: string | null
}

export interface ReviewedCharge extends ReviewRow {
  readonly state: ChargeState
  readonly decision: { readonly by: string; readonly reason: string; readonly at: number } | null
}

export interface ReviewReader {
  /** Charges in review with ids after `after`, oldest first. */
  waiting(after: string, limit: number): Promise<ReviewRow[]>
  find(chargeId: string): Promise<ReviewedCharge | undefined>
}
