import type { AuditEntry } from '../../ledger/audit.ts'
import { type Changes, operatorKey } from '../../ledger/books.ts'
import type { Admit, Credit, OrderState, Track } from '../../ledger/commands.ts'
import type { JobEnd, NewJob } from '../../ledger/jobs.ts'
import type { PaymentCredit } from '../../ledger/payments.ts'
import { bigint, int, text, write } from './table-write.ts'

export type AdmittedJob = Admit & { readonly job: NewJob }

/** Answers that are still to be delivered. */
export const deliveryWrites = {
  pending_delivery: write<Admit>('insert', 'pending_deliveries', 'charge_id', {
    charge_id: text((row) => row.chargeId),
    key_id: text((row) => row.keyId),
    fingerprint: text((row) => row.fingerprint),
    request_id: text((row) => row.requestId),
    instance_id: text((row) => row.instanceId),
    is_lost: int(() => 0),
  }),
} as const

type EndedJob = { readonly job: JobEnd; readonly at: number }

/** Every write of a job makes a new version of its row. */
const nextVersion = <Row>() =>
  int<Row>(
    () => 1,
    (value, stored) => `${stored} + ${value}`,
  )

/** The columns of media jobs that a batch writes. */
export const jobWrites = {
  media_job: write<AdmittedJob>('insert', 'media_jobs', 'job_id', {
    job_id: text(({ job }) => job.jobId),
    project_id: text((row) => row.projectId),
    charge_id: text((row) => row.chargeId),
    instance_id: text((row) => row.instanceId),
    provider: text(({ job }) => job.provider),
    prompt: text(({ job }) => job.prompt),
    seconds: int(({ job }) => job.seconds),
    size: text(({ job }) => job.size),
    test_only: int(({ job }) => (job.testOnly ? 1 : 0)),
    status: text(() => 'submitting'),
    created_at: bigint((row) => row.at),
    updated_at: bigint((row) => row.at),
    deadline_at: bigint(({ job }) => job.deadlineAt),
    next_poll_at: bigint(({ job }) => job.nextPollAt),
  }),
  media_job_change: write<Track>('update', 'media_jobs', 'job_id', {
    job_id: text(({ job }) => job.jobId),
    status: text(({ job }) => job.status),
    provider_id: text(({ job }) => job.providerId),
    progress: int(({ job }) => job.progress),
    updated_at: bigint((row) => row.at),
    next_poll_at: bigint(({ job }) => job.nextPollAt),
    version: nextVersion(),
  }),
  media_job_end: write<EndedJob>('update', 'media_jobs', 'job_id', {
    job_id: text(({ job }) => job.jobId),
    status: text(({ job }) => job.status),
    progress: int(
      ({ job }) => (job.status === 'completed' ? 100 : null),
      (value, stored) => `COALESCE(${value}, ${stored})`,
    ),
    error_code: text(({ job }) => job.errorCode),
    updated_at: bigint((row) => row.at),
    finished_at: bigint((row) => row.at),
    next_poll_at: bigint(() => null),
    content_type: text(({ job }) => job.content?.contentType ?? null),
    content_bytes: bigint(({ job }) => job.content?.bytes ?? null),
    content_sha256: text(({ job }) => job.content?.sha256 ?? null),
    content_expires_at: bigint(({ job }) => job.content?.expiresAt ?? null),
    claimed_by: text(() => null),
    claim_until: bigint(() => null),
    version: nextVersion(),
  }),
} as const

type Moved = Changes['moved'][number]

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

/** The columns that a batch writes when an operator acts. */
export const operatorWrites = {
  granted_lot: write<Moved>('insert', 'credit_lots', 'lot_id', {
    lot_id: text(({ command }) => command.lotId),
    project_id: text(({ command }) => command.projectId),
    kind: text(() => 'operator_grant'),
    amount: bigint(({ command }) => command.credits),
    created_at: bigint(({ command }) => command.at),
  }),
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

type PaidOrder = { readonly command: Credit & { readonly payment: PaymentCredit }; readonly order: OrderState }

/** The columns that a batch writes for payments and their refunds. */
export const paymentWrites = {
  paid_lot: write<PaidOrder>('insert', 'credit_lots', 'lot_id', {
    lot_id: text(({ command }) => command.lotId),
    project_id: text(({ order }) => order.projectId),
    order_id: text(({ order }) => order.orderId),
    kind: text(() => 'paid'),
    amount: bigint(({ order }) => order.creditAmount),
    created_at: bigint(({ command }) => command.at),
    reference: text(({ command }) => command.payment.reference),
  }),
  payment_credit: write<PaidOrder>('update', 'payments', 'payment_id', {
    payment_id: text(({ command }) => command.payment.paymentId),
    state: text(() => 'paid'),
    transaction_id: text(({ command }) => command.payment.transactionId),
    note: text(() => null),
    paid_at: bigint(({ command }) => command.payment.paidAt),
    credited_at: bigint(({ command }) => command.at),
    client_address: text(() => null),
    next_query_at: bigint(() => null),
    claimed_by: text(() => null),
  }),
  refund_hold: write<Changes['held'][number]>('update', 'payment_refunds', 'refund_id', {
    refund_id: text(({ command }) => command.refundId),
    state: text(() => 'held'),
    hold_entry_id: bigint((row) => row.entryId),
    next_query_at: bigint(({ command }) => command.nextQueryAt),
    approved_by: text(({ command }) => command.note.by),
  }),
  refund_end: write<Changes['unheld'][number]>('update', 'payment_refunds', 'refund_id', {
    refund_id: text(({ command }) => command.refundId),
    state: text(({ command }) => command.to),
    provider_refund_id: text(({ command }) => command.providerRefundId),
    end_entry_id: bigint((row) => row.entryId),
    ended_at: bigint(({ command }) => command.at),
    next_query_at: bigint(() => null),
    claimed_by: text(() => null),
  }),
} as const

/** Orders that a payment paid. */
export const isPaid = (row: Changes['credited'][number]): row is PaidOrder => row.command.payment !== undefined
