import { isoOf } from '../../../base/time.ts'
import { type OperatorErrorCode, operatorErrors, operatorRefusal } from '../../../contract/error-codes/operators.ts'
import { Refusal } from '../../../contract/errors.ts'
import { type BillableOperation, mediaOperation } from '../../../contract/prices.ts'
import type { StoredResponse } from '../../../ledger/commands.ts'
import type { Ledger } from '../../../ledger/ledger.ts'
import { type Actor, noteOf } from '../../../operator-kit/actor.ts'
import { errorResponse, reviewResponse } from '../../../relay/settle.ts'
import { type PageOfRows, pageOf } from '../../../storage/sql-text.ts'
import { jobResponse } from '../media/job-transitions.ts'
import type { OpenReviewRow, ReviewedCharge, ReviewStore } from './store.ts'

export interface ReviewDeps {
  readonly reviews: ReviewStore
  readonly ledger: Pick<Ledger, 'end'>
  readonly clock: () => number
}

export interface ReviewDecision {
  readonly chargeId: string
  readonly to: 'settled' | 'released'
  readonly reason: string
}

/** Settles or releases a charge in review through the ledger, and records who decided and why. */
export async function decideReview(
  { reviews, ledger, clock }: ReviewDeps,
  actor: Actor,
  { chargeId, to, reason }: ReviewDecision,
): Promise<{ readonly charge: ReviewedCharge; readonly at: number }> {
  const charge = await reviews.find(chargeId)
  if (!charge) throw operatorRefusal('CHARGE_NOT_FOUND', `there is no charge ${chargeId}`)
  const at = clock()
  const action = to === 'settled' ? 'review.settle' : 'review.release'
  const result = await ledger.end({
    type: 'end',
    chargeId,
    projectId: charge.projectId,
    from: 'manual_review',
    to,
    response: responseAfter(charge, to),
    usage: null,
    // Null keeps the reason for the review; the operator's reason is stored with the decision.
    reason: null,
    snapshots: [],
    decision: noteOf(actor, { action, object: chargeId, reason }, at),
    at,
  })
  if (result.kind === 'ended') return { charge, at }
  // Read again: another operator may have decided first.
  throw new NotInReview((await reviews.find(chargeId)) ?? charge)
}

/** The charge is not in review, perhaps because another operator was first. */
export class NotInReview extends Refusal<OperatorErrorCode> {
  readonly charge: ReviewedCharge

  constructor(charge: ReviewedCharge) {
    super('NOT_IN_REVIEW', { message: whyNot(charge), row: operatorErrors.NOT_IN_REVIEW })
    this.charge = charge
  }
}

/** Charges in review, oldest first, and where the next page begins. */
export async function listReviews(
  { reviews }: Pick<ReviewDeps, 'reviews'>,
  { after, limit, provider }: { readonly after: string; readonly limit: number; readonly provider?: string },
): Promise<PageOfRows<OpenReviewRow>> {
  return pageOf(await reviews.waiting(after, limit + 1, provider), limit, ({ chargeId }) => chargeId)
}

/** The response that a repeated call gets from now on. */
function responseAfter({ chargeId, credits, ...charge }: ReviewedCharge, to: 'settled' | 'released'): StoredResponse {
  // A job is shown as it is, with the decision as its resolution.
  if (charge.operation === mediaOperation) return jobResponse(chargeId)
  const operation = charge.operation as BillableOperation
  return to === 'settled'
    ? reviewResponse({ operation, credits, chargeId }, 'settled')
    : errorResponse('ADAPTER_FAILURE')
}

function whyNot({ chargeId, state, decision }: ReviewedCharge): string {
  if (!decision) return `${chargeId} is ${state}, not in review; there is nothing to decide`
  const { by, at, reason } = decision
  return `${chargeId} is already ${state}, decided by ${by} at ${isoOf(at)}: ${reason}`
}
