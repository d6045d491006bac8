import type { OperatorErrorCode } from '../contract/error-codes/operators.ts'
import {
  addAudit,
  addEntry,
  type BatchState,
  type Changes,
  creditsAdded,
  creditsTaken,
  movementSlot,
  referenceSlot,
} from './batch-state.ts'
import type { Balance, Movement, MovementResult } from './commands.ts'
import { addToSums, isBeyondLimit, isSameOperator } from './move-alone.ts'
import type { MovementRecord, PendingApproval } from './movements.ts'

/**
 * Grants or withdraws credits, once per reference. A withdrawal takes only available credits and lowers `credited`, so that the
 * parts of a balance still add up to the credits that were added and not withdrawn.
 */
export function move(state: BatchState, changes: Changes, command: Movement): MovementResult {
  const { projectId, credits, reference } = command
  const slot = movementSlot({ projectId, kind: command.type, reference })
  const earlier = state.movements.get(slot)
  const pending = state.pendingApprovals.get(slot)
  if (command.approvalId !== null) {
    if (pending?.approvalId !== command.approvalId || pending.amount !== credits) return refused('APPROVAL_NOT_PENDING')
    if (isSameOperator(pending.requestedBy, command.note.by)) return refused('APPROVAL_OWN_REQUEST')
  } else if (earlier ?? pending) {
    return repeated({ earlier, pending, credits })
  }
  const balance = state.balances.get(projectId)
  if (!balance) return refused('PROJECT_NOT_FOUND')
  if (command.type === 'withdraw' && balance.available < credits) return refused('AVAILABLE_CREDITS_EXCEEDED')
  if (command.approvalId === null) {
    const same = state.sameReferences.get(referenceSlot(command))
    if (same && !command.isAgain) return { ...refused('REFERENCE_SEEN_BEFORE'), earlier: same }
    if (isBeyondLimit(state.movedSums, moveOf(command), command)) return { kind: 'needs_approval' }
  }

  const before = { available: balance.available, reserved: balance.reserved }
  const movement = carryOut(state, changes, { command, balance })
  state.movements.set(slot, movement)
  state.pendingApprovals.delete(slot)
  countForLater(state, command)
  const { available, reserved } = movement
  const approval = pending ? { approvalId: pending.approvalId, requestedBy: pending.requestedBy } : {}
  const after = { available, reserved, credits, reference, ...approval }
  addAudit(state, changes, { ...command.note, at: command.at, before, after })
  return { kind: 'moved', movement, replayed: false }
}

const moveOf = ({ type: kind, projectId, note: { by } }: Movement) => ({ kind, by, projectId })

/** For the movements that follow in the same batch. */
function countForLater(state: BatchState, command: Movement): void {
  const { projectId, credits: amount, reference, at } = command
  state.sameReferences.set(referenceSlot(command), { projectId, amount, reference, at })
  if (command.approvalId === null) addToSums(state.movedSums, moveOf(command), amount)
}

/** A repeat gets the first result, or waits for the same approval. */
function repeated({ earlier, pending, credits }: Repeated): MovementResult {
  if ((earlier ?? pending)?.amount !== credits) return refused('REFERENCE_ALREADY_USED')
  return earlier
    ? { kind: 'moved', movement: earlier, replayed: true }
    : { kind: 'pending', approvalId: pending!.approvalId }
}

interface Repeated {
  readonly earlier: MovementRecord | undefined
  readonly pending: PendingApproval | undefined
  readonly credits: number
}

function carryOut(
  state: BatchState,
  changes: Changes,
  { command, balance }: { command: Movement; balance: Balance },
): MovementRecord {
  const { type: kind, credits, movementId, projectId, reference } = command
  const change = kind === 'grant' ? credits : -credits
  balance.available += change
  balance.credited += change
  const lotId = kind === 'grant' ? command.lotId : null
  addEntry(state, changes, balance, { kind, amount: credits, chargeId: null, lotId, at: command.at })
  const { available, reserved, lastEntryId } = balance
  const movement = {
    movementId,
    projectId,
    kind,
    amount: credits,
    reference,
    entryId: lastEntryId!,
    available,
    reserved,
  }
  changes.moved.push({ command, movement })
  addMovementEvents(changes, command, balance)
  return movement
}

function addMovementEvents(changes: Changes, { type, credits, projectId, at }: Movement, balance: Balance): void {
  const data = { credits, available: balance.available }
  if (type === 'grant') {
    creditsAdded(changes, balance)
    changes.events.push({ type: 'credits.granted', at, projectId, data })
  } else {
    changes.events.push({ type: 'credits.withdrawn', at, projectId, data })
    creditsTaken(changes, balance, { credits, at })
  }
}

const refused = (code: OperatorErrorCode) => ({ kind: 'refused', code }) as const
