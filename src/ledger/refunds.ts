import {
  addAudit,
  addEntry,
  type BatchState,
  balanceOf,
  type Changes,
  creditsAdded,
  creditsTaken,
  movementSlot,
} from './batch-state.ts'
import { addToSums, isBeyondLimit, isSameOperator, kindOfEnd } from './move-alone.ts'
import type { Hold, HoldResult, RefundDecision, RefundState, Unhold, UnholdResult } from './payments.ts'

/** Holds the credits of a refund; a repeat finds them held. */
export function hold(state: BatchState, changes: Changes, command: Hold): HoldResult {
  const { refundId, projectId, lotId, credits, at } = command
  const refund = state.refunds.get(refundId)
  if (refund?.state !== 'waiting') return { kind: 'held' }
  const balance = balanceOf(state, projectId)
  if (balance.available < credits) return { kind: 'refused', code: 'INSUFFICIENT_CREDITS' }
  const before = { available: balance.available, reserved: balance.reserved }
  balance.available -= credits
  balance.reserved += credits
  refund.state = 'held'
  addEntry(state, changes, balance, { kind: 'reserve', amount: credits, chargeId: null, lotId, at })
  changes.held.push({ command, entryId: balance.lastEntryId! })
  creditsTaken(changes, balance, { credits, at })
  const after = { available: balance.available, reserved: balance.reserved, credits, refundId }
  addAudit(state, changes, { ...command.note, at, before, after })
  return { kind: 'held' }
}

/** Ends a refund once: by withdrawing its held credits, or by returning them. */
export function unhold(state: BatchState, changes: Changes, command: Unhold): UnholdResult {
  const { refundId, projectId, to, decision, at } = command
  const refund = state.refunds.get(refundId)
  if (!refund) return { kind: 'already' }
  const refusal = decision && refusalOf(state, { ...decision, to }, refund)
  if (refusal) return refusal
  if (!isHolding(refund.state)) return { kind: 'already' }
  const { credits, lotId } = refund
  const balance = balanceOf(state, projectId)
  const before = { state: refund.state, available: balance.available, reserved: balance.reserved }
  balance.reserved -= credits
  if (to === 'refunded') balance.credited -= credits
  else balance.available += credits
  refund.state = to
  const kind = to === 'refunded' ? 'withdraw' : 'release'
  addEntry(state, changes, balance, { kind, amount: credits, chargeId: null, lotId, at })
  changes.unheld.push({ command, entryId: balance.lastEntryId! })
  if (to === 'returned') creditsAdded(changes, balance)
  else {
    const { paymentId, orderId, amountFen: refundedFen } = refund
    changes.events.push({ type: 'payment.refunded', at, projectId, data: { paymentId, orderId, refundedFen } })
  }
  if (decision) {
    const after = { state: to, available: balance.available, reserved: balance.reserved, credits, projectId }
    addAudit(state, changes, { ...decision.note, at, before, after })
    countForLater(state, { ...decision, to }, refund)
  }
  return { kind: 'ended' }
}

/** Why an operator may not end a refund; null if nothing is against it. */
function refusalOf(
  state: BatchState,
  { note, approval, limit, to }: RefundDecision & Pick<Unhold, 'to'>,
  refund: RefundState,
): UnholdResult | null {
  const { projectId, credits } = refund
  if (approval) {
    const pending = state.pendingApprovals.get(movementSlot({ projectId, ...approval }))
    if (pending?.approvalId !== approval.approvalId || pending.amount !== credits)
      return { kind: 'refused', code: 'APPROVAL_NOT_PENDING' }
    if (isSameOperator(pending.requestedBy, note.by)) return { kind: 'refused', code: 'APPROVAL_OWN_REQUEST' }
  }
  // Only the provider ends what it is still being asked about.
  if (refund.state !== 'review') return { kind: 'already' }
  const move = { kind: kindOfEnd[to], by: note.by, projectId }
  return isBeyondLimit(state.movedSums, move, { credits, limit }) ? { kind: 'needs_approval' } : null
}

/** For the decisions that follow in the same batch. */
function countForLater(
  state: BatchState,
  { note, approval, to }: RefundDecision & Pick<Unhold, 'to'>,
  { projectId, credits }: RefundState,
): void {
  if (approval) state.pendingApprovals.delete(movementSlot({ projectId, ...approval }))
  else addToSums(state.movedSums, { kind: kindOfEnd[to], by: note.by, projectId }, credits)
}

const isHolding = (state: string) => state === 'held' || state === 'pending' || state === 'review'
