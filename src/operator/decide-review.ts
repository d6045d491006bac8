import { type BillableOperation, mediaOperation } from '../contract/prices.ts'
import type { StoredResponse } from '../ledger/commands.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { jobResponse } from '../media/end-command.ts'
import { errorResponse, reviewResponse } from '../relay/response.ts'
import type { ReviewedCharge, ReviewStore } from '../storage/stores/review-store.ts'

export interface ReviewDecision {
  readonly chargeId: string
  readonly to: 'settled' | 'released'
  readonly by: string
  readonly reason: string
}

export type DecisionResult =
  | { readonly kind: 'decided'; readonly charge: ReviewedCharge; readonly at: number }
  | { readonly kind: 'not_in_review'; readonly charge: ReviewedCharge }
  | { readonly kind: 'unknown' }

export interface DecideDeps {
  readonly reviews: Pick<ReviewStore, 'find'>
  readonly ledger: Pick<Ledger, 'end'>
  readonly clock: () => number
}

/** Settles or releases a charge in review through the ledger, and records who decided and why. */
export async function decideReview(
  { reviews, ledger, clock }: DecideDeps,
  { chargeId, to, by, reason }: ReviewDecision,
): Promise<DecisionResult> {
  const charge = await reviews.find(chargeId)
  if (!charge) return { kind: 'unknown' }
  const at = clock()
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
    decision: { by, reason },
    at,
  })
  if (result.kind === 'ended') return { kind: 'decided', charge, at }
  // Read again: another operator may have decided first.
  return { kind: 'not_in_review', charge: (await reviews.find(chargeId)) ?? charge }
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
