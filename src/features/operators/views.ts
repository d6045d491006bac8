import { isoOf, isoOrNull } from '../../base/time.ts'
import type { AuditEntry } from '../../ledger/audit.ts'
import type { ApprovalRow } from '../../operator-kit/approvals.ts'
import type { ShownAccount } from './administration/accounts.ts'
import { operatorState } from './administration/operators.ts'
import type { FoundAccount, OperatedAccount } from './contract/accounts.ts'
import type { AuditItem } from './contract/audit.ts'
import type { Approval } from './contract/credits.ts'
import type { ListedOperator } from './contract/operators.ts'
import type { AccountSummary } from './store/accounts.ts'
import type { OperatorRow } from './store/operators.ts'

/** How rows are shown, by the operator's API and by the command line. */

export const foundAccount = (row: AccountSummary): FoundAccount => ({
  accountId: row.accountId,
  projectId: row.projectId,
  state: row.suspendedAt === null ? 'active' : 'suspended',
  phoneMasked: row.phoneMasked,
  recoveryEmailMasked: row.recoveryEmailMasked,
  createdAt: isoOf(row.createdAt),
})

export const shownAccount = (row: ShownAccount): OperatedAccount => ({
  ...foundAccount(row),
  recoveryEmailState: row.recoveryEmailState,
  hasSecondFactor: row.hasSecondFactor,
  suspendedAt: isoOrNull(row.suspendedAt),
  suspensionReason: row.suspensionReason,
  balance: row.balance,
  keys: row.keys.map(({ keyId, name, displayPrefix, revokedAt }) => ({
    keyId,
    name,
    displayPrefix,
    revokedAt: isoOrNull(revokedAt),
  })),
})

export const publicApproval = (row: ApprovalRow): Approval => ({
  id: row.approvalId,
  state: row.state,
  kind: row.kind,
  projectId: row.projectId,
  credits: row.amount,
  reference: row.reference,
  reason: row.reason,
  requestedBy: row.requestedBy,
  requestedAt: isoOf(row.requestedAt),
  decidedBy: row.decidedBy,
  decidedAt: isoOrNull(row.decidedAt),
})

export const publicOperator = (row: OperatorRow): ListedOperator => ({
  name: row.name,
  role: row.role,
  state: operatorState(row),
  requestedBy: row.awaitsApproval ? row.credentialsBy : null,
  createdAt: isoOf(row.createdAt),
  disabledAt: isoOrNull(row.disabledAt),
})

export const publicAuditEntry = (entry: AuditEntry): AuditItem => ({
  id: entry.auditId,
  at: isoOf(entry.at),
  by: entry.by,
  via: entry.via,
  action: entry.action,
  object: entry.object,
  reason: entry.reason,
  before: entry.before === null ? null : JSON.parse(entry.before),
  after: entry.after === null ? null : JSON.parse(entry.after),
  seq: entry.seq,
  hash: entry.hash,
})
