import { isoOf } from '../../../base/time.ts'
import type { OperatorErrorCode } from '../../../contract/error-codes/operators.ts'
import { Refusal } from '../../../contract/errors.ts'
import { reasonOf } from '../../../contract/reasons.ts'
import { ok } from '../../../http/endpoint.ts'
import { type OperatorHandler, operatorHandler } from '../../../operator-kit/endpoint.ts'
import type { DecidedReviews, DecideReviewsRequest, OpenReviewPage, ReviewParameters } from './contract.ts'
import { decideReview, listReviews, NotInReview, type ReviewDeps } from './reviews.ts'

export const reviewHandlers = (deps: ReviewDeps): OperatorHandler[] => [
  operatorHandler<unknown, ReviewParameters>('operator.reviews.list', async ({ query: { after = '', ...query } }) => {
    const { rows, next } = await listReviews(deps, { after, ...query })
    const items = rows.map(({ reservedAt, reason, operation, ...row }) => ({
      ...row,
      operation: operation as OpenReviewPage['items'][number]['operation'],
      reservedAt: isoOf(reservedAt),
      reason: reasonOf(reason),
    }))
    return ok({ items, nextAfter: next } satisfies OpenReviewPage)
  }),
  operatorHandler<DecideReviewsRequest>('operator.reviews.decide', async ({ actor, body }) => {
    const { chargeIds, decision, reason } = body
    const items: DecidedReviews['items'] = []
    for (const chargeId of chargeIds) {
      const refusal = await decideReview(deps, actor, { chargeId, to: decision, reason }).then(() => null, refusalOnly)
      items.push({
        chargeId,
        decision: refusal ? null : decision,
        error: refusal && { code: refusal.code, message: refusal.message },
        earlier: refusal && earlierDecision(refusal),
      })
    }
    return ok({ items } satisfies DecidedReviews)
  }),
]

/** What an operator did wrong belongs to its charge; a failing store fails the whole request. */
function refusalOnly(error: unknown): Refusal<OperatorErrorCode> {
  if (!(error instanceof Refusal) || error.code === 'REASON_INVALID') throw error
  return error
}

function earlierDecision(refusal: Refusal<OperatorErrorCode>): DecidedReviews['items'][number]['earlier'] {
  if (!(refusal instanceof NotInReview) || refusal.charge.decision === null) return null
  const { state, decision } = refusal.charge
  const { by, at, reason } = decision
  return { decision: state === 'settled' ? 'settled' : 'released', by, at: isoOf(at), reason }
}
