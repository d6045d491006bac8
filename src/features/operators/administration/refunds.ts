import { newSortableId } from '../../../base/ids.ts'
import { OperatorRefusal } from '../../../contract/error-codes/operators.ts'
import { creditsOfFen, fenOfCredits } from '../../../contract/prices.ts'
import { type Actor, type AdministrationDeps, checkReason, checkReference, noteOf, referenceKeyOf } from './actor.ts'

export interface RefundRequest {
  readonly paymentId: string
  readonly amountFen: number
  readonly reference: string
  readonly reason: string
}

export interface RequestedRefund {
  readonly refundId: string
  readonly credits: number
  /** Whether the same was asked for before. */
  readonly replayed: boolean
  /** Set while it waits for a second operator. */
  readonly approvalId: string | null
}

type Refunding = Pick<AdministrationDeps, 'store' | 'ledger' | 'clock' | 'approvalAboveCredits'>

/** Asks for a refund, once per payment and reference: its credits are held, or it waits for a second operator. */
export async function refundPayment(deps: Refunding, actor: Actor, request: RefundRequest): Promise<RequestedRefund> {
  const [reference, reason] = [checkReference(request.reference), checkReason(request.reason)]
  const { paymentId, amountFen } = request
  if (!Number.isSafeInteger(amountFen) || amountFen <= 0 || amountFen % fenOfCredits(1) !== 0)
    throw new OperatorRefusal('CREDITS_INVALID', `A refund is a multiple of ${fenOfCredits(1)} fen.`)
  const credits = creditsOfFen(amountFen)
  const at = deps.clock()
  const needsApproval = deps.approvalAboveCredits !== null && credits > deps.approvalAboveCredits
  const requested = await deps.store.write(async (tx) => {
    const earlier = await tx.refundOf(paymentId, reference)
    if (earlier) {
      if (earlier.amountFen !== amountFen) throw new OperatorRefusal('REFERENCE_ALREADY_USED')
      const { refundId, projectId } = earlier
      const approval = await tx.pendingApproval({ projectId, kind: 'withdraw', reference: refundId })
      return { ...earlier, replayed: true, approvalId: approval?.approvalId ?? null }
    }
    const lot = await tx.paidLot(paymentId)
    if (!lot) throw new OperatorRefusal('PAYMENT_NOT_FOUND', `${paymentId} is not a payment that was paid.`)
    const { projectId, lotId } = lot
    const balance = await tx.lockBalance(projectId)
    if ((await tx.refundedFen(paymentId)) + amountFen > lot.amountFen)
      throw new OperatorRefusal('CREDITS_INVALID', `${paymentId} was paid with less than that, or refunded before.`)
    if (!balance || balance.available < credits) throw insufficient(projectId, credits)
    const refundId = newSortableId('rfd', at)
    const row = { refundId, paymentId, projectId, lotId, amountFen, credits, reference, reason }
    await tx.insertRefund({ ...row, requestedBy: actor.name, requestedAt: at })
    const approvalId = needsApproval ? newSortableId('apv', at) : null
    if (approvalId !== null) {
      const note = noteOf(actor, { action: 'payments.refund.request', object: projectId, reason }, at)
      await tx.audit({
        ...note,
        at,
        before: null,
        after: { approvalId, state: 'pending', credits, reference: refundId },
      })
      const own = { requestedBy: actor.name, requestedVia: actor.via, requestedAt: at, reason }
      const approval = {
        approvalId,
        projectId,
        kind: 'withdraw' as const,
        amount: credits,
        reference: refundId,
        ...own,
      }
      await tx.insertApproval({ ...approval, referenceKey: referenceKeyOf(refundId) })
    }
    return { ...row, replayed: false, approvalId }
  })
  const { refundId, projectId, lotId, replayed, approvalId } = requested
  if (approvalId === null)
    await holdRefund(deps, actor, { refundId, projectId, lotId, credits, reason, action: 'payments.refund' })
  return { refundId, credits, replayed, approvalId }
}

interface HeldRefund {
  readonly refundId: string
  readonly projectId: string
  readonly lotId: string
  readonly credits: number
  readonly reason: string
  readonly action: string
}

/** Holds the credits of a refund. The provider is asked afterwards, by the worker or by the caller. */
async function holdRefund(
  { store, ledger, clock }: Omit<Refunding, 'approvalAboveCredits'>,
  actor: Actor,
  refund: HeldRefund,
) {
  const { refundId, projectId, lotId, credits, reason, action } = refund
  const at = clock()
  const note = noteOf(actor, { action, object: projectId, reason }, at)
  const held = await ledger.hold({ type: 'hold', refundId, projectId, lotId, credits, nextQueryAt: at, note, at })
  if (held.kind !== 'refused') return
  await store.write((tx) => tx.dropRefund(refundId))
  throw insufficient(projectId, credits)
}

const insufficient = (projectId: string, credits: number) =>
  new OperatorRefusal('INSUFFICIENT_CREDITS', `${projectId} has fewer than ${credits} available credits.`)

/** Whether an approval is about a refund. */
export const isRefund = ({ kind, reference }: { readonly kind: string; readonly reference: string }): boolean =>
  kind === 'withdraw' && /^rfd_[0-9A-Za-z]{20}$/.test(reference)

/** Carries out a refund that somebody else asked for. Repeating it after a crash holds nothing twice. */
export async function approveRefund(
  deps: Omit<Refunding, 'approvalAboveCredits'>,
  actor: Actor,
  approval: {
    readonly approvalId: string
    readonly projectId: string
    readonly amount: number
    readonly reference: string
    readonly reason: string
  },
) {
  const { approvalId, projectId, amount: credits, reference: refundId, reason } = approval
  const lotId = (await deps.store.write((tx) => tx.refundLot(refundId)))!
  await holdRefund(deps, actor, { refundId, projectId, lotId, credits, reason, action: 'payments.refund.approve' })
  await deps.store.write((tx) => tx.approveApproval(approvalId, actor.name, deps.clock()))
  const balance = await deps.store.write((tx) => tx.lockBalance(projectId))
  const { available, reserved } = balance!
  return { projectId, credits, reference: refundId, replayed: false, balance: { available, reserved } }
}
