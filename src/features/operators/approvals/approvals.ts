import { isoOf, isoOrNull } from '../../../base/time.ts'
import { operatorRefusal } from '../../../contract/error-codes/operators.ts'
import { Refusal } from '../../../contract/errors.ts'
import { ok } from '../../../http/endpoint.ts'
import { isSameOperator } from '../../../ledger/move-alone.ts'
import { type Actor, noteOf } from '../../../operator-kit/actor.ts'
import type { ApprovalHandler, ApprovalRow, ApprovedMovement } from '../../../operator-kit/approvals.ts'
import { type OperatorHandler, operatorHandler } from '../../../operator-kit/endpoint.ts'
import { type PageOfRows, pageOf } from '../../../storage/sql-text.ts'
import type { AdministrationDeps, Reading } from '../deps.ts'
import type { Approval, ApprovalParameters } from './contract.ts'

/**
 * Refuses the requester, and an operator whose first password was made after the request or was shown to the requester: it
 * may be the same person. The command line is trusted beyond its names.
 */
export async function requireIndependent(
  { store }: Reading,
  actor: Actor,
  { requestedBy, requestedAt }: Pick<ApprovalRow, 'requestedBy' | 'requestedAt'>,
) {
  if (isSameOperator(requestedBy, actor.name)) throw operatorRefusal('APPROVAL_OWN_REQUEST')
  // The local administrator has no password, and so no row.
  const approver = actor.via === 'web' ? await store.read((tx) => tx.operator(actor.name)) : undefined
  if (!approver) return
  const { credentialsAt, credentialsBy } = approver
  const wasShown = credentialsBy !== null && isSameOperator(credentialsBy, requestedBy)
  if (credentialsAt >= requestedAt || wasShown) throw operatorRefusal('APPROVER_NOT_INDEPENDENT')
}

type ApprovalDeps = Pick<AdministrationDeps, 'store' | 'clock' | 'approvalHandlers'>

export interface ApprovalDecision {
  readonly approvalId: string
  /** The reason of the request by default. */
  readonly reason?: string | undefined
}

export async function listApprovals(
  { store }: Reading,
  { state, after, limit }: { state: ApprovalRow['state'] | null; after: string; limit: number },
): Promise<PageOfRows<ApprovalRow>> {
  const rows = await store.read((tx) => tx.approvals(state, after, limit + 1))
  return pageOf(rows, limit, ({ approvalId }) => approvalId)
}

/** Carries out what another operator requested, in one commit with the decision. */
export async function approve(
  deps: ApprovalDeps,
  actor: Actor,
  { approvalId, reason }: ApprovalDecision,
): Promise<ApprovedMovement> {
  const approval = await pendingApproval(deps, approvalId)
  await requireIndependent(deps, actor, approval)
  try {
    return await handlerOf(deps, approval).approve(actor, { ...approval, reason: reason ?? approval.reason })
  } catch (error) {
    // If another operator decided first, say who.
    if (error instanceof Refusal && error.code === 'APPROVAL_NOT_PENDING') await pendingApproval(deps, approvalId)
    throw error
  }
}

/** Ends a request without effect. The requester can also retract it this way. */
export async function reject(deps: ApprovalDeps, actor: Actor, { approvalId, reason }: ApprovalDecision) {
  const approval = await pendingApproval(deps, approvalId)
  const { projectId: object, amount: credits, reference } = approval
  const at = deps.clock()
  const action = `credits.${approval.kind}.reject` as const
  const note = noteOf(actor, { action, object, reason: reason ?? approval.reason }, at)
  const rejected = await deps.store.write(async (tx) => {
    if ((await handlerOf(deps, approval).reject?.(tx.writer, approval)) === false) return false
    if (!(await tx.rejectApproval(approvalId, actor.name, at))) return false
    const before = { approvalId, state: 'pending', credits, reference }
    await tx.audit({ ...note, at, before, after: { ...before, state: 'rejected' } })
    return true
  })
  if (!rejected) {
    await pendingApproval(deps, approvalId)
    throw operatorRefusal('APPROVAL_NOT_PENDING')
  }
  return (await deps.store.read((tx) => tx.approval(approvalId)))!
}

const handlerOf = ({ approvalHandlers }: ApprovalDeps, approval: ApprovalRow): ApprovalHandler =>
  approvalHandlers.find(({ subject }) => subject === approval.subject)!

async function pendingApproval({ store }: Reading, approvalId: string): Promise<ApprovalRow> {
  const approval = await store.read((tx) => tx.approval(approvalId))
  if (!approval) throw operatorRefusal('APPROVAL_NOT_FOUND', `There is no approval ${approvalId}.`)
  if (approval.state === 'pending') return approval
  const when = isoOf(approval.decidedAt!)
  throw operatorRefusal(
    'APPROVAL_NOT_PENDING',
    `${approvalId} was ${approval.state} by ${approval.decidedBy} at ${when}.`,
  )
}

export const approvalsHandlers = (deps: ApprovalDeps): OperatorHandler[] => {
  const decided = (id: string, state: Approval['state']) => ({ approval: { id, state } })
  return [
    operatorHandler<unknown, ApprovalParameters>('operator.approvals.list', async ({ query }) => {
      const { state = null, after = '', limit } = query
      const page = await listApprovals(deps, { state, after, limit })
      return ok({
        items: await Promise.all(page.rows.map((row) => describedApproval(deps, row))),
        nextAfter: page.next,
      })
    }),
    operatorHandler<{ reason?: string }>('operator.approvals.approve', async ({ actor, at, body }) => {
      const approvalId = at('approvalId')
      const moved = await approve(deps, actor, { approvalId, ...body })
      return ok({ ...decided(approvalId, 'approved'), ...moved })
    }),
    operatorHandler<{ reason?: string }>('operator.approvals.reject', async ({ actor, at, body }) => {
      const approvalId = at('approvalId')
      await reject(deps, actor, { approvalId, ...body })
      return ok(decided(approvalId, 'rejected'))
    }),
  ]
}

/** With the payment that it is about. */
async function describedApproval(deps: ApprovalDeps, row: ApprovalRow): Promise<Approval> {
  const about = await handlerOf(deps, row).describe?.(row)
  if (!about) return publicApproval(row)
  const { paymentId, amountFen, reference } = about
  return { ...publicApproval(row), paymentId, amountFen, reference }
}

export const publicApproval = (row: ApprovalRow): Approval => ({
  id: row.approvalId,
  state: row.state,
  subject: row.subject,
  subjectId: row.subjectId,
  kind: row.kind,
  projectId: row.projectId,
  credits: row.amount,
  reference: row.reference,
  paymentId: null,
  amountFen: null,
  reason: row.reason,
  requestedBy: row.requestedBy,
  requestedAt: isoOf(row.requestedAt),
  decidedBy: row.decidedBy,
  decidedAt: isoOrNull(row.decidedAt),
})
