import { isoOf } from '../../../base/time.ts'
import type { OperatorErrorCode } from '../../../contract/error-codes/operators.ts'
import { Refusal } from '../../../contract/errors.ts'
import { reasonOf } from '../../../contract/reasons.ts'
import { ok } from '../../../http/endpoint.ts'
import { type OperatorHandler, operatorHandler } from '../../../operator-kit/endpoint.ts'
import type { OperatorContext, OperatorPart } from '../../../ops/feature.ts'
import {
  type DecidedReviews,
  type DecideReviewsRequest,
  type OpenReviewPage,
  type ReviewParameters,
  reviewOperations,
} from './contract.ts'
import { decideReview, listReviews, NotInReview, type ReviewDeps } from './reviews.ts'
import { createReviewStore } from './store.ts'

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
    for (const chargeId of chargeIds)
      items.push(
        await decideReview(deps, actor, { chargeId, to: decision, reason }).then(
          ({ charge: { projectId, credits }, at }) => {
            const decided = { decision, decidedAt: isoOf(at), projectId, credits }
            return { chargeId, ...decided, error: null, earlier: null }
          },
          (error) => notDecided(chargeId, refusalOnly(error)),
        ),
      )
    return ok({ items } satisfies DecidedReviews)
  }),
]

export const buildReviews = ({ engine, ledger, clock }: OperatorContext) => ({
  operatorHandlers: reviewHandlers({ reviews: createReviewStore(engine), ledger, clock }),
})

export const reviewsPart: OperatorPart = { operations: reviewOperations, build: buildReviews }

/** What an operator did wrong belongs to its charge; a failing store fails the whole request. */
function refusalOnly(error: unknown): Refusal<OperatorErrorCode> {
  if (!(error instanceof Refusal) || error.code === 'REASON_INVALID') throw error
  return error
}

const notDecided = (chargeId: string, refusal: Refusal<OperatorErrorCode>): DecidedReviews['items'][number] => ({
  ...{ chargeId, decision: null, decidedAt: null, projectId: null, credits: null },
  error: { code: refusal.code, message: refusal.message },
  earlier: earlierDecision(refusal),
})

function earlierDecision(refusal: Refusal<OperatorErrorCode>): DecidedReviews['items'][number]['earlier'] {
  if (!(refusal instanceof NotInReview) || refusal.charge.decision === null) return null
  const { state, decision } = refusal.charge
  const { by, at, reason } = decision
  return { decision: state === 'settled' ? 'settled' : 'released', by, at: isoOf(at), reason }
}
