import { newSortableId } from '../base/ids.ts'
import type { AuditChannel, AuditNote } from '../ledger/audit.ts'
import type { MovementRecord } from '../ledger/movements.ts'
import type { auditWrites } from '../storage/audit-rows.ts'
import type { Reader, Writer } from '../storage/engine.ts'
import { integer, orNull, type RowOf, rowMapper, text } from '../storage/row-mapper.ts'
import { type Actor, noteOf, referenceKeyOf } from './actor.ts'
import type { approvalSubjects } from './operation.ts'

/**
 * What waits for a second operator. The rows and the way to request an approval are here, because features request them. The
 * feature `operators` lists them and checks who may decide; it passes the decision to the handler of the approval's subject,
 * which the feature that requested it has built (`approvalHandlers`).
 */

export type ApprovalSubject = (typeof approvalSubjects)[number]

const newApprovalColumns = {
  approvalId: text(),
  /** What is decided: a grant or withdrawal, a refund, how a refund in review ended, or how a payment in review ends. */
  subject: text<ApprovalSubject>(),
  /** The refund or payment; null for a movement. */
  subjectId: orNull(text()),
  projectId: text(),
  kind: text<MovementRecord['kind']>(),
  amount: integer(),
  reference: text(),
  referenceKey: text(),
  requestedBy: text(),
  reason: text(),
  requestedVia: text<AuditChannel>(),
  requestedAt: integer(),
}
const approvals = rowMapper('approvals', {
  ...newApprovalColumns,
  state: text<'pending' | 'approved' | 'rejected'>(),
  decidedBy: orNull(text()),
  decidedAt: orNull(integer()),
})

export type ApprovalRow = RowOf<typeof approvals.columns>

export const approvalReads = (tx: Reader) => ({
  approval: (approvalId: string) => approvals.get(tx, 'WHERE approval_id = $1', [approvalId]),
  approvals: (state: ApprovalRow['state'] | null, after: string, limit: number) =>
    state === null
      ? approvals.all(tx, 'WHERE approval_id > $1 ORDER BY approval_id LIMIT $2', [after, limit])
      : approvals.all(tx, 'WHERE state = $3 AND approval_id > $1 ORDER BY approval_id LIMIT $2', [after, limit, state]),
})

export const approvalWrites = (tx: Writer) => ({
  /** Of a grant or withdrawal. */
  pendingMovement: ({ projectId, kind, reference }: Pick<ApprovalRow, 'projectId' | 'kind' | 'reference'>) =>
    approvals.get(
      tx,
      "WHERE project_id = $1 AND kind = $2 AND reference = $3 AND state = 'pending' AND subject = 'movement'",
      [projectId, kind, reference],
    ),
  pendingApproval: ({ subject, subjectId, kind }: Pick<ApprovalRow, 'subject' | 'subjectId' | 'kind'>) =>
    approvals.get(tx, "WHERE subject = $1 AND subject_id = $2 AND kind = $3 AND state = 'pending'", [
      subject,
      subjectId,
      kind,
    ]),
  insertApproval: (row: RowOf<typeof newApprovalColumns>) => approvals.insert(tx, { ...row, state: 'pending' }),
  /** False if it is no longer pending. */
  rejectApproval: async (approvalId: string, by: string, at: number) => {
    const changes = { state: 'rejected', decidedBy: by, decidedAt: at } as const
    return (await approvals.update(tx, changes, "approval_id = $1 AND state = 'pending'", [approvalId])) === 1
  },
  approveApproval: (approvalId: string, by: string, at: number) => {
    const changes = { state: 'approved', decidedBy: by, decidedAt: at } as const
    return approvals.update(tx, changes, "approval_id = $1 AND state = 'pending'", [approvalId])
  },
})

type Requesting = Pick<ReturnType<typeof approvalWrites>, 'insertApproval'> &
  Pick<ReturnType<typeof auditWrites>, 'audit'>

type RequestedApproval = Pick<AuditNote, 'action'> &
  Pick<ApprovalRow, 'subject' | 'subjectId' | 'projectId' | 'kind' | 'amount' | 'reference' | 'reason'>

/** Stores the request for a second operator with its audit entry, and returns its id. */
export async function requestApproval(
  tx: Requesting,
  actor: Actor,
  { action, ...requested }: RequestedApproval,
  at: number,
): Promise<string> {
  const { projectId, amount: credits, reference, reason } = requested
  const approvalId = newSortableId('apv', at)
  const note = noteOf(actor, { action, object: projectId, reason }, at)
  await tx.audit({ ...note, at, before: null, after: { approvalId, state: 'pending', credits, reference } })
  const by = { requestedBy: actor.name, requestedVia: actor.via, requestedAt: at }
  await tx.insertApproval({ approvalId, ...requested, referenceKey: referenceKeyOf(reference), ...by })
  return approvalId
}

/** What an approved request brought, with the balance after it. */
export interface ApprovedMovement {
  readonly projectId: string
  readonly credits: number
  readonly reference: string
  readonly replayed: boolean
  readonly balance: { readonly available: number; readonly reserved: number }
}

/** What a request is about, where that is a payment. */
export interface ApprovedPayment {
  readonly paymentId: string
  readonly amountFen: number
  /** As the requester knows it. */
  readonly reference: string
}

/** Carries out the decision about one kind of request. */
export interface ApprovalHandler {
  readonly subject: ApprovalSubject
  /** In one commit with the approval. `reason` is the approver's, or that of the request. */
  readonly approve: (actor: Actor, approval: ApprovalRow) => Promise<ApprovedMovement>
  readonly describe?: (approval: ApprovalRow) => Promise<ApprovedPayment>
  /** In the transaction of the rejection; false if it was approved just before. */
  readonly reject?: (tx: Writer, approval: ApprovalRow) => Promise<boolean>
}
