import { newId, newSortableId } from '../../../base/ids.ts'
import { isoOf } from '../../../base/time.ts'
import { type OperatorErrorCode, operatorRefusal } from '../../../contract/error-codes/operators.ts'
import type { Refusal } from '../../../contract/errors.ts'
import type { AuditNote } from '../../../ledger/audit.ts'
import type { Movement } from '../../../ledger/commands.ts'
import type { Ledger } from '../../../ledger/ledger.ts'
import type { EarlierMovement, MovementRecord } from '../../../ledger/movements.ts'
import { type Actor, checkReason, checkReference, noteOf, referenceKeyOf } from '../../../operator-kit/actor.ts'
import { type ApprovalHandler, type ApprovedMovement, requestApproval } from '../../../operator-kit/approvals.ts'
import type { FeatureContext } from '../../../ops/feature.ts'
import { maxGrantedCredits } from './contract.ts'
import { type MovementWriter, operatedMovements } from './store.ts'

export interface MovementRequest {
  readonly kind: Movement['type']
  readonly projectId: string
  readonly credits: number
  readonly reference: string
  readonly reason: string
  /** Whether the operator knows of an earlier movement with a similar reference. */
  readonly again?: boolean | undefined
}

/** Carried out now or earlier, with the balance after it; or waiting for a second operator. */
export type MovedCredits = ApprovedMovement | { readonly approval: { readonly id: string; readonly state: 'pending' } }

export interface Moving extends Pick<FeatureContext, 'engine' | 'clock'> {
  readonly ledger: Pick<Ledger, 'move'>
  /** Grants and withdrawals above this wait for a second operator; null for none. */
  readonly approvalAboveCredits: number | null
}

/** Grants or withdraws credits, once per project, kind and reference. */
export async function moveCredits(deps: Moving, actor: Actor, request: MovementRequest): Promise<MovedCredits> {
  const checked = {
    ...request,
    credits: checkCredits(request),
    reference: checkReference(request.reference),
    reason: checkReason(request.reason),
  }
  const { approvalAboveCredits: limit } = deps
  if (limit !== null && checked.credits > limit) return requestMovement(deps, actor, checked)
  const moved = await carryOut(deps, actor, { ...checked, action: `credits.${checked.kind}`, approvalId: null, limit })
  return moved ?? requestMovement(deps, actor, checked)
}

interface CarriedOut extends MovementRequest, Pick<AuditNote, 'action'> {
  readonly approvalId: string | null
  readonly limit: number | null
}

/** Null if it needs an approval, because it exceeds the 24-hour limit. */
async function carryOut(
  { ledger, clock }: Pick<Moving, 'ledger' | 'clock'>,
  actor: Actor,
  { kind, projectId, credits, reference, reason, again, action, approvalId, limit }: CarriedOut,
): Promise<MovedCredits | null> {
  const at = clock()
  const result = await ledger.move({
    type: kind,
    movementId: newSortableId('mov', at),
    projectId,
    credits,
    reference,
    referenceKey: referenceKeyOf(reference),
    isAgain: again ?? false,
    limit,
    lotId: newId('lot'),
    approvalId,
    note: noteOf(actor, { action, object: projectId, reason }, at),
    at,
  })
  if (result.kind === 'refused') throw refusal(result.code, { projectId, credits, reference, earlier: result.earlier })
  if (result.kind === 'needs_approval') return null
  return result.kind === 'pending' ? pendingAt(result.approvalId) : outcomeOf(result.movement, result.replayed)
}

/** Stores the request for a second operator, unless this reference was requested or carried out before. */
async function requestMovement({ engine, clock }: Moving, actor: Actor, request: MovementRequest) {
  const { kind, projectId, credits, reference, reason, again = false } = request
  const referenceKey = referenceKeyOf(reference)
  return operatedMovements(engine).write(async (tx) => {
    const balance = await tx.lockBalance(projectId)
    if (!balance) throw refusal('PROJECT_NOT_FOUND', request)
    const repeated = await earlierResult(tx, request)
    if (repeated) return repeated
    if (kind === 'withdraw' && balance.available < credits) throw refusal('AVAILABLE_CREDITS_EXCEEDED', request)
    // Locks before the comparison, so that the reference is not used concurrently.
    await tx.holdAudit()
    const earlier = again ? undefined : await tx.sameReference({ projectId, kind, reference, referenceKey })
    if (earlier) throw refusal('REFERENCE_SEEN_BEFORE', { ...request, earlier })
    const wanted = {
      subject: 'movement',
      subjectId: null,
      projectId,
      kind,
      amount: credits,
      reference,
      reason,
    } as const
    return pendingAt(await requestApproval(tx, actor, { ...wanted, action: `credits.${kind}.request` }, clock()))
  })
}

/** Carries out a grant or withdrawal that another operator requested. */
export const movementApprovals = (deps: Pick<Moving, 'ledger' | 'clock'>): ApprovalHandler => ({
  subject: 'movement',
  async approve(actor, approval) {
    const { kind, amount: credits } = approval
    const moved = await carryOut(deps, actor, { ...approval, credits, action: `credits.${kind}.approve`, limit: null })
    return moved as ApprovedMovement
  },
})

async function earlierResult(tx: MovementWriter, request: MovementRequest): Promise<MovedCredits | null> {
  const movement = await tx.movement(request)
  const pending = await tx.pendingMovement(request)
  const earlier = movement ?? pending
  if (!earlier) return null
  if (earlier.amount !== request.credits) throw refusal('REFERENCE_ALREADY_USED', request)
  return movement ? outcomeOf(movement, true) : pendingAt(pending!.approvalId)
}

function checkCredits({ kind, credits }: MovementRequest): number {
  const most = kind === 'grant' ? maxGrantedCredits : Number.MAX_SAFE_INTEGER
  if (Number.isSafeInteger(credits) && credits >= 1 && credits <= most) return credits
  throw operatorRefusal(
    'CREDITS_INVALID',
    kind === 'grant'
      ? `Credits are granted in whole numbers from 1 to ${maxGrantedCredits}.`
      : 'Credits are withdrawn in whole numbers from 1 on.',
  )
}

interface Subject extends Pick<MovementRequest, 'projectId' | 'credits' | 'reference'> {
  readonly earlier?: EarlierMovement | undefined
}

function refusal(
  code: OperatorErrorCode,
  { projectId, credits, reference, earlier }: Subject,
): Refusal<OperatorErrorCode> {
  switch (code) {
    case 'PROJECT_NOT_FOUND':
      return operatorRefusal(code, `There is no project ${projectId}.`)
    case 'AVAILABLE_CREDITS_EXCEEDED':
      return operatorRefusal(code, `${projectId} has fewer than ${credits} available credits.`)
    case 'REFERENCE_ALREADY_USED':
      return operatorRefusal(
        code,
        `The reference ${reference} was already used in ${projectId} for a different number of credits.`,
      )
    case 'REFERENCE_SEEN_BEFORE': {
      if (!earlier) return operatorRefusal(code)
      const { projectId: where, amount, reference: spelling, at } = earlier
      const facts = `${where}, ${amount} credits, ${isoOf(at)}, ${spelling}`
      return operatorRefusal(code, `The reference ${reference} was used before: ${facts}.`)
    }
    default:
      return operatorRefusal(code)
  }
}

const pendingAt = (id: string): MovedCredits => ({ approval: { id, state: 'pending' } })

const outcomeOf = (movement: MovementRecord, replayed: boolean): ApprovedMovement => ({
  projectId: movement.projectId,
  credits: movement.amount,
  reference: movement.reference,
  replayed,
  balance: { available: movement.available, reserved: movement.reserved },
})
