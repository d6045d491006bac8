import { operatorRefusal } from '../../../../contract/error-codes/operators.ts'
import type { AuditNote } from '../../../../ledger/audit.ts'
import { kindOfEnd } from '../../../../ledger/move-alone.ts'
import { decisionActions, type RefundDecision } from '../../../../ledger/payments.ts'
import { type Actor, checkReason, noteOf } from '../../../../operator-kit/actor.ts'
import {
  type ApprovalHandler,
  type ApprovalRow,
  type ApprovedMovement,
  requestApproval,
} from '../../../../operator-kit/approvals.ts'
import type { RefundRow } from '../store/refunds.ts'
import {
  type PaymentActionDeps,
  paymentActions,
  type RefundDecisionRequest,
  type RefundEnd,
  requireRefund,
} from './store.ts'
import { approveUncredited, describeUncredited } from './unclear-refunds.ts'

/** Ends a refund in review, once. What one operator may not decide alone waits for a second one: then there is an approval id. */
export async function decideRefund(
  deps: PaymentActionDeps,
  actor: Actor,
  { refundId, to, reason: given }: RefundDecisionRequest,
): Promise<{ readonly refund: RefundRow; readonly approvalId: string | null }> {
  const reason = checkReason(given)
  const { approvalAboveCredits: limit } = deps
  const refund = await requireRefund(deps, refundId)
  const decision = { to, reason, action: decisionActions[to], approval: null, limit }
  const result = await end(deps, actor, refund, decision)
  if (result.kind === 'needs_approval')
    return { refund, approvalId: await requestDecision(deps, actor, { refund, to, reason }) }
  const now = await requireRefund(deps, refundId)
  if (result.kind === 'ended') return { refund: now, approvalId: null }
  throw notInReview(now)
}

interface EndedBy extends Pick<RefundDecision, 'approval' | 'limit'>, Pick<AuditNote, 'action' | 'reason'> {
  readonly to: RefundEnd
}

function end(
  { ledger, clock }: Pick<PaymentActionDeps, 'ledger' | 'clock'>,
  actor: Actor,
  { refundId, projectId }: Pick<RefundRow, 'refundId' | 'projectId'>,
  { to, reason, action, approval, limit }: EndedBy,
) {
  const at = clock()
  const decision = { note: noteOf(actor, { action, object: refundId, reason }, at), approval, limit }
  return ledger.unhold({ type: 'unhold', refundId, projectId, to, providerRefundId: null, decision, at })
}

/** Stores the request for a second operator; a repeat finds it. */
function requestDecision(
  deps: PaymentActionDeps,
  actor: Actor,
  { refund, to, reason }: { readonly refund: RefundRow; readonly to: RefundEnd; readonly reason: string },
): Promise<string> {
  const { refundId, projectId, credits } = refund
  const kind = kindOfEnd[to]
  const reference = `${refundId}:${to}`
  return paymentActions(deps).write(async (tx) => {
    // Serializes this with ending the refund, which locks the balance too.
    await tx.lockBalance(projectId)
    const earlier = await tx.pendingApproval({ subject: 'refund_decision', subjectId: refundId, kind })
    if (earlier) return earlier.approvalId
    const now = (await tx.refundBy(refundId))!
    if (now.state !== 'review') throw notInReview(now)
    const subject = { subject: 'refund_decision', subjectId: refundId, reference } as const
    const wanted = { ...subject, projectId, kind, amount: credits, reason } as const
    return requestApproval(tx, actor, { ...wanted, action: `${decisionActions[to]}.request` }, deps.clock())
  })
}

export const refundDecisionApprovals = (deps: Omit<PaymentActionDeps, 'approvalAboveCredits'>): ApprovalHandler => ({
  subject: 'refund_decision',
  approve: async (actor, approval) =>
    (await approveUncredited(deps, actor, approval)) ?? approveDecision(deps, actor, approval),
  describe: async (approval) => (await describeUncredited(deps, approval)) ?? requireRefund(deps, approval.subjectId!),
})

/** Ends a refund as another operator requested, in one commit with the approval. */
async function approveDecision(
  deps: Omit<PaymentActionDeps, 'approvalAboveCredits'>,
  actor: Actor,
  { approvalId, subjectId, kind, reference, reason }: ApprovalRow,
): Promise<ApprovedMovement> {
  const refund = await requireRefund(deps, subjectId!)
  const to = kind === 'withdraw' ? 'refunded' : 'returned'
  const action = `${decisionActions[to]}.approve` as const
  const approval = { approvalId, kind, reference }
  const result = await end(deps, actor, refund, { to, reason, action, approval, limit: null })
  if (result.kind === 'refused') throw operatorRefusal(result.code)
  // The provider responded after all: the request can only be rejected.
  if (result.kind !== 'ended') throw notInReview(await requireRefund(deps, refund.refundId))
  const { projectId, credits } = refund
  const { available, reserved } = (await paymentActions(deps).write((tx) => tx.lockBalance(projectId)))!
  return { projectId, credits, reference, replayed: false, balance: { available, reserved } }
}

const notInReview = ({ refundId, state }: RefundRow) =>
  operatorRefusal('REFUND_NOT_IN_REVIEW', `${refundId} is ${state}, not in review.`)
