import { type Static, Type } from '../../../base/schema.ts'
import { type OperatorErrorCode, operatorRefusal } from '../../../contract/error-codes/operators.ts'
import { Choice, chargeIdPattern, closed, failsWith, named, request } from '../../../contract/field.ts'
import { response } from '../../../contract/operation.ts'
import { Page } from '../../../contract/paging.ts'
import { chargedOperations } from '../../../contract/prices.ts'
import {
  type CommandGiven,
  Fault,
  type ListParameters,
  listParameters,
  OrNull,
  operatorAction,
  operatorView,
  projectIdPattern,
  Reason,
  Text,
  Time,
  TimeOrNull,
} from '../../../operator-kit/operation.ts'

const OpenReview = named('OpenReview', {
  chargeId: Type.String({ pattern: chargeIdPattern }),
  projectId: Type.String({ pattern: projectIdPattern }),
  operation: Choice(chargedOperations),
  credits: Type.Integer({ minimum: 1, description: 'Credits that stay reserved.' }),
  requestId: Text('The X-Request-Id of the call, as in the log.'),
  reservedAt: Time(),
  reason: OrNull(
    closed({ code: Type.String({ pattern: '^[A-Z_]+$' }), text: Text('The meaning of the code.') }),
    'Why the outcome is uncertain.',
  ),
  provider: OrNull(Text(), 'The provider that was asked; null if the operation asks several.'),
})
export interface ReviewParameters extends ListParameters {
  readonly provider?: string
}
export const OpenReviewPage = Page('OpenReviewPage', OpenReview)

const decisions = ['settled', 'released'] as const

export const DecideReviewsRequest = request('DecideReviewsRequest', {
  chargeIds: Type.Array(Type.String({ pattern: chargeIdPattern, maxLength: 64 }), {
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
    ...failsWith('CHARGES_INVALID'),
  }),
  decision: Choice(decisions, {
    description: 'settled: the credits are spent. released: they are available again.',
    ...failsWith('DECISION_INVALID'),
  }),
  reason: Reason(),
})

export const DecidedReviews = named('DecidedReviews', {
  items: Type.Array(
    named('DecidedReviewItem', {
      chargeId: Text(),
      decision: OrNull(Choice(decisions), 'Null if it was not decided now.'),
      decidedAt: TimeOrNull('Null if it was not decided now.'),
      projectId: OrNull(Type.String({ pattern: projectIdPattern }), 'Null if it was not decided now.'),
      credits: OrNull(Type.Integer({ minimum: 1 }), 'Credits that were reserved. Null if it was not decided now.'),
      error: OrNull(Fault(), 'Why not.'),
      earlier: OrNull(
        named('EarlierDecision', { decision: Choice(decisions), by: Text(), at: Time(), reason: Text() }),
        'The decision of the operator who decided first.',
      ),
    }),
    { maxItems: 100, description: 'One for each charge, in the order of the request.' },
  ),
})

export const reviewOperations = [
  operatorView({
    id: 'operator.reviews.list',
    tag: 'Reviews',
    path: '/api/reviews',
    summary: 'List the calls in review',
    description: 'Oldest first.',
    queryParameters: {
      ...listParameters(chargeIdPattern),
      provider: Type.String({
        minLength: 1,
        maxLength: 128,
        description: 'Only calls that asked this provider.',
      }),
    },
    response: response(200, 'A page of them.', OpenReviewPage),
  }),
  operatorAction({
    id: 'operator.reviews.decide',
    tag: 'Reviews',
    path: '/api/reviews/decide',
    summary: 'Settle or release calls in review',
    description: 'Each call is decided separately: one that cannot be decided does not block the others.',
    permission: 'reviews',
    commands: [
      decide('settle', 'settled', 'charge the reserved credits: the provider did the work'),
      decide('release', 'released', 'release the reserved credits: the provider did not do the work'),
    ],
    request: DecideReviewsRequest,
    responses: [response(200, 'What became of each.', DecidedReviews)],
    ownErrors: ['CHARGES_INVALID', 'DECISION_INVALID', 'REASON_INVALID'],
  }),
]

/** The command decides one charge. */
function decide(name: string, decision: (typeof decisions)[number], description: string) {
  return {
    usage: `reviews ${name} <chargeId>`,
    description,
    fixed: { decision },
    shows({ items: [item] }: DecidedReviews, { by, body: { reason } }: CommandGiven) {
      const { chargeId, projectId, credits, decidedAt, error } = item!
      if (error) throw operatorRefusal(error.code as OperatorErrorCode, error.message)
      return { chargeId, projectId, credits, state: decision, by, reason, decidedAt }
    },
    says: ({ chargeId, credits, projectId, by }: Record<string, unknown>) =>
      `${chargeId} is ${decision}: ${credits} credits of ${projectId}, decided by ${by}.`,
  }
}

export type OpenReviewPage = Static<typeof OpenReviewPage>
export type DecideReviewsRequest = Static<typeof DecideReviewsRequest>
export type DecidedReviews = Static<typeof DecidedReviews>
