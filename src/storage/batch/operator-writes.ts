import type { AuditEntry } from '../../ledger/audit.ts'
import type { Changes } from '../../ledger/batch-state.ts'
import { operatorKey } from '../../ledger/move-alone.ts'
import { bigint, int, text, write } from './table-write.ts'

export type Moved = Changes['moved'][number]

interface GrantedApproval {
  readonly approvalId: string
  readonly by: string
  readonly at: number
}

/** The requests that a batch carries out: of movements, and of decisions about refunds. */
export const grantedApprovals = ({ moved, unheld }: Pick<Changes, 'moved' | 'unheld'>): GrantedApproval[] => [
  ...moved.flatMap(({ command: { approvalId, note, at } }) =>
    approvalId === null ? [] : [{ approvalId, by: note.by, at }],
  ),
  ...unheld.flatMap(({ command: { decision, at } }) =>
    decision?.approval ? [{ approvalId: decision.approval.approvalId, by: decision.note.by, at }] : [],
  ),
]

/** Movements, approvals and the audit log. */
export const operatorWrites = {
  approval_grant: write<GrantedApproval>('update', 'approvals', 'approval_id', {
    approval_id: text((row) => row.approvalId),
    state: text(() => 'approved'),
    decided_by: text((row) => row.by),
    decided_at: bigint((row) => row.at),
  }),
  operator_movement: write<Moved>('insert', 'operator_movements', 'movement_id', {
    movement_id: text(({ movement }) => movement.movementId),
    project_id: text(({ movement }) => movement.projectId),
    kind: text(({ movement }) => movement.kind),
    amount: bigint(({ movement }) => movement.amount),
    reference: text(({ movement }) => movement.reference),
    reference_key: text(({ command }) => command.referenceKey),
    entry_id: bigint(({ movement }) => movement.entryId),
    lot_id: text(({ command }) => (command.type === 'grant' ? command.lotId : null)),
    approval_id: text(({ command }) => command.approvalId),
    audit_id: text(({ command }) => command.note.auditId),
    moved_by: text(({ command }) => operatorKey(command.note.by)),
    moved_at: bigint(({ command }) => command.at),
  }),
  audit_entry: write<AuditEntry>('insert', 'audit_entries', 'seq', {
    seq: bigint((row) => row.seq),
    audit_id: text((row) => row.auditId),
    acted_at: bigint((row) => row.at),
    acted_by: text((row) => row.by),
    via: text((row) => row.via),
    action: text((row) => row.action),
    object: text((row) => row.object),
    reason: text((row) => row.reason),
    state_before: text((row) => row.before),
    state_after: text((row) => row.after),
    previous_hash: text((row) => row.previousHash),
    entry_hash: text((row) => row.hash),
  }),
  audit_head_change: write<AuditEntry>('update', 'audit_head', 'head_id', {
    head_id: int(() => 1),
    entries: bigint((row) => row.seq),
    last_hash: text((row) => row.hash),
  }),
} as const
