import { newSortableId } from '../../../../base/ids.ts'
import type { AuditAction } from '../../../../contract/audit-actions.ts'
import { operatorRefusal } from '../../../../contract/error-codes/operators.ts'
import { creditsOfFen, fenOfCredits } from '../../../../contract/prices.ts'
import { type Actor, checkReason, checkReference, noteOf } from '../../../../operator-kit/actor.ts'
import { type ApprovalHandler, type ApprovalRow, requestApproval } from '../../../../operator-kit/approvals.ts'
import { refundReads, refundWrites } from '../store/refunds.ts'
import {
  needsSecondOperator,
  type PaymentActionDeps,
  type PaymentActionWriter,
  paymentActions,
  requireRefund,
} from './store.ts'

export interface RefundRequest {
  readonly paymentId: string
  readonly amountFen: number
  readonly reference: string
  readonly reason: string
}

export interface RequestedRefund {
  readonly refundId: string
  readonly credits: number
  /** Whether this repeats an earlier request. */
  readonly replayed: boolean
  /** Set while it waits for a second operator. */
  readonly approvalId: string | null
}

/** Asks for a refund, once per payment and reference: its credits are held, or it waits for a second operator. */
export async function refundPayment(
  deps: PaymentActionDeps,
  actor: Actor,
  request: RefundRequest,
): Promise<RequestedRefund> {
  const checked = {
    paymentId: request.paymentId,
    amountFen: checkAmount(request.amountFen),
    reference: checkReference(request.reference),
    reason: checkReason(request.reason),
  }
  const at = deps.clock()
  const requested = await paymentActions(deps).write(async (tx) => {
    const { paymentId } = checked
    const lot = await tx.paidLot(paymentId)
    if (!lot) throw operatorRefusal('PAYMENT_NOT_FOUND', `${paymentId} is not a payment that was paid.`)
    // Locks before the search for an earlier request, so that a concurrent repeat waits and finds it.
    const balance = await tx.lockBalance(lot.projectId)
    const earlier = await tx.refundOf(paymentId, checked.reference)
    const { approvalAboveCredits: limit } = deps
    if (!earlier) return insertRefund(tx, actor, { ...checked, lot, available: balance?.available ?? 0, at, limit })
    if (earlier.amountFen !== checked.amountFen) throw operatorRefusal('REFERENCE_ALREADY_USED')
    const approval = await tx.pendingApproval({ subject: 'refund', subjectId: earlier.refundId, kind: 'withdraw' })
    return { ...earlier, replayed: true, approvalId: approval?.approvalId ?? null }
  })
  const { refundId, credits, replayed, approvalId } = requested
  if (approvalId === null && !(await holdRefund(deps, actor, requested, 'payments.refund'))) {
    await paymentActions(deps).write((tx) => tx.dropRefund(refundId))
    throw insufficient(requested)
  }
  return { refundId, credits, replayed, approvalId }
}

function checkAmount(amountFen: number): number {
  const step = fenOfCredits(1)
  if (Number.isSafeInteger(amountFen) && amountFen > 0 && amountFen % step === 0) return amountFen
  throw operatorRefusal('REFUND_AMOUNT_INVALID', `A refund is a multiple of ${step} fen.`)
}

interface CheckedRefund extends RefundRequest {
  readonly lot: { readonly projectId: string; readonly lotId: string; readonly amountFen: number }
  readonly available: number
  readonly at: number
  /** Null if refunds need no second operator. */
  readonly limit: number | null
}

/** Stores the refund, and its approval if one operator may not refund that much alone. */
async function insertRefund(tx: PaymentActionWriter, actor: Actor, request: CheckedRefund) {
  const { paymentId, amountFen, reference, reason, lot, at, limit } = request
  const credits = creditsOfFen(amountFen)
  const { projectId, lotId } = lot
  if ((await tx.refundedFen(paymentId)) + amountFen > lot.amountFen)
    throw operatorRefusal('REFUND_AMOUNT_INVALID', `${paymentId} was paid with less than that, or refunded before.`)
  if (request.available < credits) throw insufficient({ projectId, credits })
  const refundId = newSortableId('rfd', at)
  const row = { refundId, paymentId, projectId, lotId, amountFen, credits, reference, reason }
  const move = { kind: 'withdraw', by: actor.name, projectId, credits } as const
  const isBeyond = await needsSecondOperator(tx, { ...move, limit, at })
  await tx.insertRefund({ ...row, requestedBy: actor.name, requestedAt: at })
  if (!isBeyond) return { ...row, replayed: false, approvalId: null }
  const subject = {
    subject: 'refund',
    subjectId: refundId,
    reference: refundId,
    action: 'payments.refund.request',
  } as const
  const requested = { ...subject, projectId, kind: 'withdraw', amount: credits, reason } as const
  const approvalId = await requestApproval(tx, actor, requested, at)
  return { ...row, replayed: false, approvalId }
}

interface HeldRefund {
  readonly refundId: string
  readonly projectId: string
  readonly lotId: string
  readonly credits: number
  readonly reason: string
}

/** Holds the credits of a refund; false if there are too few. The provider is asked afterwards, by the worker or by the caller. */
async function holdRefund(
  { ledger, clock }: Pick<PaymentActionDeps, 'ledger' | 'clock'>,
  actor: Actor,
  { refundId, projectId, lotId, credits, reason }: HeldRefund,
  action: AuditAction,
): Promise<boolean> {
  const at = clock()
  const note = noteOf(actor, { action, object: projectId, reason }, at)
  const held = await ledger.hold({ type: 'hold', refundId, projectId, lotId, credits, nextQueryAt: at, note, at })
  return held.kind !== 'refused'
}

const insufficient = ({ projectId, credits }: { readonly projectId: string; readonly credits: number }) =>
  operatorRefusal('INSUFFICIENT_CREDITS', `${projectId} has fewer than ${credits} available credits.`)

type ApprovedRefundDeps = Omit<PaymentActionDeps, 'approvalAboveCredits'>

export const refundApprovals = (deps: ApprovedRefundDeps): ApprovalHandler => ({
  subject: 'refund',
  approve: (actor, approval) => approveRefund(deps, actor, approval),
  describe: ({ subjectId }) => requireRefund(deps, subjectId!),
  // False if the credits of the refund are held: it was approved just before.
  async reject(tx, { subjectId }) {
    if (await refundWrites(tx).dropRefund(subjectId!)) return true
    return (await refundReads(tx).refundBy(subjectId!)) === undefined
  },
})

/** Carries out a refund that another operator requested. Safe to repeat after a crash. */
async function approveRefund(
  deps: ApprovedRefundDeps,
  actor: Actor,
  { approvalId, subjectId, reference, reason }: ApprovalRow,
) {
  const refund = await requireRefund(deps, subjectId!)
  // Without enough credits it stays pending: the payer may recharge, or the request is rejected.
  if (!(await holdRefund(deps, actor, { ...refund, reason }, 'payments.refund.approve'))) throw insufficient(refund)
  const { projectId, credits } = refund
  return paymentActions(deps).write(async (tx) => {
    const { available, reserved } = (await tx.lockBalance(projectId))!
    // Rejected since: then nothing was held.
    if ((await tx.refundBy(subjectId!))!.state === 'returned') throw operatorRefusal('APPROVAL_NOT_PENDING')
    await tx.approveApproval(approvalId, actor.name, deps.clock())
    return { projectId, credits, reference, replayed: false, balance: { available, reserved } }
  })
}
