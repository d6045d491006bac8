import { operatorRefusal } from '../../../../contract/error-codes/operators.ts'
import { kindOfEnd } from '../../../../ledger/move-alone.ts'
import { decisionActions } from '../../../../ledger/payments.ts'
import { type Actor, checkReason, noteOf } from '../../../../operator-kit/actor.ts'
import {
  type ApprovalRow,
  type ApprovedMovement,
  type ApprovedPayment,
  requestApproval,
} from '../../../../operator-kit/approvals.ts'
import { creditsFor, type UncreditedRow } from '../store/uncredited.ts'
import {
  needsSecondOperator,
  type PaymentActionDeps,
  type PaymentActionWriter,
  paymentActions,
  type RefundDecisionRequest,
  type RefundEnd,
} from './store.ts'

/** Ends a refund of money that was not credited, if only the provider knows its outcome. Null if it is another refund. */
export function decideUncredited(
  deps: Pick<PaymentActionDeps, 'engine' | 'clock' | 'approvalAboveCredits'>,
  actor: Actor,
  { refundId, to, reason: given }: RefundDecisionRequest,
) {
  const at = deps.clock()
  return paymentActions(deps).write(async (tx) => {
    const found = await tx.uncreditedBy(refundId)
    if (!found) return null
    const reason = checkReason(given)
    const row = await lockInReview(tx, found)
    const kind = kindOfEnd[to]
    const subject = { subject: 'refund_decision', subjectId: refundId, kind } as const
    const { uncreditedId, paymentId, projectId, amountFen, transactionId, note } = row
    const credits = creditsFor(amountFen)
    const shown = { refundId, paymentId, amountFen, credits, reference: transactionId, note }
    const waiting = (approvalId: string) => ({ ...shown, state: 'review', approvalId }) as const
    const earlier = await tx.pendingApproval(subject)
    if (earlier) return waiting(earlier.approvalId)
    const { approvalAboveCredits: limit } = deps
    if (!(await needsSecondOperator(tx, { kind, by: actor.name, projectId, refundId, credits, limit, at }))) {
      await end(tx, actor, row, { to, reason, at, action: decisionActions[to] })
      return { ...shown, state: to, approvalId: null }
    }
    const reference = `${uncreditedId}:${refundId}:${to}`
    const action = `${decisionActions[to]}.request` as const
    const requested = { ...subject, projectId, reference, amount: credits, reason, action }
    return waiting(await requestApproval(tx, actor, requested, at))
  })
}

/** Serializes this with other decisions about the project. */
async function lockInReview(tx: PaymentActionWriter, { uncreditedId, projectId, refundId }: UncreditedRow) {
  await tx.lockBalance(projectId)
  const row = (await tx.uncreditedById(uncreditedId))!
  if (row.state !== 'review' || row.refundId !== refundId)
    throw operatorRefusal('REFUND_NOT_IN_REVIEW', `${refundId} is ${row.state}, not in review.`)
  return row
}

interface UncreditedEnd {
  readonly to: RefundEnd
  readonly reason: string
  readonly at: number
  readonly action: `${(typeof decisionActions)[RefundEnd]}${'' | '.approve'}`
}

async function end(
  tx: PaymentActionWriter,
  actor: Actor,
  row: UncreditedRow,
  { to, reason, at, action }: UncreditedEnd,
): Promise<void> {
  const { uncreditedId, projectId, amountFen, state, refundId } = row
  await tx.endUnclear(row, to, at)
  const after = { state: to, amountFen, credits: creditsFor(amountFen), uncreditedId, projectId }
  await tx.audit({ ...noteOf(actor, { action, object: refundId!, reason }, at), at, before: { state }, after })
}

type ApprovingDeps = Pick<PaymentActionDeps, 'engine' | 'clock'>

const uncreditedIdOf = ({ reference }: Pick<ApprovalRow, 'reference'>) => reference.split(':')[0]!

/** Ends it as another operator requested, in one commit with the approval. Null if it is another refund. */
export function approveUncredited(
  deps: ApprovingDeps,
  actor: Actor,
  approval: ApprovalRow,
): Promise<ApprovedMovement | null> {
  const { approvalId, kind, amount: credits, reference, reason } = approval
  const to = kind === 'withdraw' ? 'refunded' : 'returned'
  const at = deps.clock()
  return paymentActions(deps).write(async (tx) => {
    const found = await tx.uncreditedById(uncreditedIdOf(approval))
    if (!found) return null
    const row = await lockInReview(tx, { ...found, refundId: approval.subjectId })
    if ((await tx.approveApproval(approvalId, actor.name, at)) === 0) throw operatorRefusal('APPROVAL_NOT_PENDING')
    await end(tx, actor, row, { to, reason, at, action: `${decisionActions[to]}.approve` })
    const { projectId } = row
    const { available, reserved } = (await tx.lockBalance(projectId))!
    return { projectId, credits, reference, replayed: false, balance: { available, reserved } }
  })
}

export async function describeUncredited(deps: ApprovingDeps, approval: ApprovalRow): Promise<ApprovedPayment | null> {
  const row = await paymentActions(deps).read((tx) => tx.uncreditedById(uncreditedIdOf(approval)))
  if (!row) return null
  const { paymentId, amountFen, transactionId: reference } = row
  return { paymentId, amountFen, reference }
}
