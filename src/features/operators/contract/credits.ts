import { type Static, Type } from 'typebox'
import { Choice, chargeIdPattern, closed, failsWith, named, request } from '../../../contract/field.ts'
import { response } from '../../../contract/operation.ts'
import { chargedOperations } from '../../../contract/prices.ts'
import {
  Count,
  Fault,
  idParameter,
  ListPage,
  type ListParameters,
  listParameters,
  OptionalReasonRequest,
  OrNull,
  operatorAction,
  operatorView,
  projectIdPattern,
  Reason,
  Reference,
  Text,
  Time,
  TimeOrNull,
} from './operation.ts'

export const MoveCreditsRequest = request('MoveCreditsRequest', {
  projectId: Type.String({ pattern: projectIdPattern, ...failsWith('PROJECT_NOT_FOUND') }),
  credits: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, ...failsWith('CREDITS_INVALID') }),
  reference: Reference(),
  reason: Reason(),
  again: Type.Optional(
    Type.Boolean({
      description:
        'True if you know about the earlier movement with a similar reference and this is a different payment.',
    }),
  ),
})

const moved = {
  projectId: Type.String({ pattern: projectIdPattern }),
  credits: Type.Integer({ minimum: 1 }),
  reference: Text(),
  replayed: Type.Boolean({ description: 'True if this reference was already booked; nothing was moved again.' }),
  balance: named('BalanceAfter', { available: Count(), reserved: Count() }),
}
const CreditsMoved = named('CreditsMoved', moved)

const approvalIdPattern = '^apv_[A-Za-z0-9]+$'
const approvalStates = ['pending', 'approved', 'rejected'] as const

const ApprovalPending = named('ApprovalPending', {
  approval: named('ApprovalReference', {
    id: Type.String({ pattern: approvalIdPattern }),
    state: Choice(approvalStates),
  }),
})
const ApprovalCarriedOut = named('ApprovalCarriedOut', { ...ApprovalPending.properties, ...moved })

export const Approval = named('Approval', {
  id: Type.String({ pattern: approvalIdPattern }),
  state: Choice(approvalStates),
  kind: Choice(['grant', 'withdraw']),
  projectId: Type.String({ pattern: projectIdPattern }),
  credits: Type.Integer({ minimum: 1 }),
  reference: Text(),
  reason: Text(),
  requestedBy: Text(),
  requestedAt: Time(),
  decidedBy: OrNull(Text()),
  decidedAt: TimeOrNull(),
})
const ApprovalPage = ListPage('ApprovalPage', Approval)

const movedExample: Static<typeof CreditsMoved> = {
  projectId: 'prj_2kL6nP0qS3tU7vY9aC1dG5',
  credits: 500,
  reference: 'bank transfer 20260903-118',
  replayed: false,
  balance: { available: 1440, reserved: 3 },
}
const approvalExample: Static<typeof Approval> = {
  id: 'apv_0M1n2O3p4Q5r6S7t8U9v',
  state: 'pending',
  kind: 'grant',
  projectId: movedExample.projectId,
  credits: 50_000,
  reference: 'bank transfer 20260903-119',
  reason: 'Paid by bank transfer.',
  requestedBy: 'mei',
  requestedAt: '2026-09-03T09:00:00.000Z',
  decidedBy: null,
  decidedAt: null,
}
const stateOf = (state: (typeof approvalStates)[number]) => ({ approval: { id: approvalExample.id, state } })

const move = <const Kind extends 'grant' | 'withdraw'>(kind: Kind, description: string) =>
  operatorAction({
    id: `operator.credits.${kind}`,
    tag: 'Credits',
    path: `/api/credits/${kind}` as const,
    summary: kind === 'grant' ? 'Grant credits' : 'Withdraw credits',
    description: `${description} A repeat with the same reference and number is answered with the first result; with another number it is refused. A reference that was used before in another project or spelling is refused and the earlier movement named, unless \`again\` is true. Above \`operators.approvalAboveCredits\` it waits for a second operator (202); so does one with which the operator would move, or in the project would be moved, more than that within 24 hours without an approval.`,
    permission: 'credits',
    request: MoveCreditsRequest,
    requestExample: {
      projectId: movedExample.projectId,
      credits: 500,
      reference: movedExample.reference,
      reason: 'Paid by bank transfer.',
    },
    responses: [
      response(200, 'Carried out, now or before.', CreditsMoved, movedExample),
      response(202, 'It waits for a second operator.', ApprovalPending, stateOf('pending')),
    ],
    ownErrors: [
      'PROJECT_NOT_FOUND',
      'CREDITS_INVALID',
      'REASON_INVALID',
      'REFERENCE_INVALID',
      'REFERENCE_ALREADY_USED',
      'REFERENCE_SEEN_BEFORE',
      ...(kind === 'withdraw' ? (['AVAILABLE_CREDITS_EXCEEDED'] as const) : []),
    ],
  })

const decision = {
  tag: 'Credits',
  permission: 'approvals',
  pathParameters: { approvalId: idParameter(approvalIdPattern, 'APPROVAL_NOT_FOUND', approvalExample.id) },
  request: OptionalReasonRequest,
  requestExample: { reason: 'The transfer has arrived.' },
  ownErrors: ['APPROVAL_NOT_FOUND', 'APPROVAL_NOT_PENDING', 'REASON_INVALID'],
} as const

export const creditOperations = [
  move('grant', 'Adds credits to a project: for a bank transfer, or as goodwill.'),
  move('withdraw', 'Takes available credits back: after a mistaken grant, or for a refund made elsewhere.'),
  operatorView({
    id: 'operator.approvals.list',
    tag: 'Credits',
    path: '/api/approvals',
    summary: 'List grants and withdrawals that need a second operator',
    description: 'Oldest first.',
    queryParameters: { ...listParameters(approvalIdPattern), state: Choice(approvalStates) },
    response: response(200, 'A page of them.', ApprovalPage, { items: [approvalExample], nextAfter: null }),
  }),
  operatorAction({
    ...decision,
    id: 'operator.approvals.approve',
    path: '/api/approvals/{approvalId}/approve',
    summary: 'Approve another operator’s request',
    description:
      'Nobody can approve their own request, nor can an operator who was added or reset after it or by the operator who made it.',
    responses: [response(200, 'It is carried out.', ApprovalCarriedOut, { ...stateOf('approved'), ...movedExample })],
    ownErrors: [
      ...decision.ownErrors,
      'APPROVAL_OWN_REQUEST',
      'APPROVER_NOT_INDEPENDENT',
      'AVAILABLE_CREDITS_EXCEEDED',
      'INSUFFICIENT_CREDITS',
      'REFERENCE_ALREADY_USED',
    ],
  }),
  operatorAction({
    ...decision,
    id: 'operator.approvals.reject',
    path: '/api/approvals/{approvalId}/reject',
    summary: 'Reject a request',
    description: 'The operator who made it can retract it this way.',
    responses: [response(200, 'It is rejected.', ApprovalPending, stateOf('rejected'))],
  }),
]

export type MoveCreditsRequest = Static<typeof MoveCreditsRequest>
export type Approval = Static<typeof Approval>
export interface ApprovalParameters extends ListParameters {
  readonly state?: Approval['state']
}

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
export const OpenReviewPage = ListPage('OpenReviewPage', OpenReview)

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
      error: OrNull(Fault(), 'Why not.'),
      earlier: OrNull(
        named('EarlierDecision', { decision: Choice(decisions), by: Text(), at: Time(), reason: Text() }),
        'The decision of the operator who decided first.',
      ),
    }),
    { maxItems: 100, description: 'One for each charge, in the order of the request.' },
  ),
})

const charge = 'chg_0M1n2O3p4Q5r6S7t8U9v'

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
    response: response(200, 'A page of them.', OpenReviewPage, {
      items: [
        {
          chargeId: charge,
          projectId: 'prj_2kL6nP0qS3tU7vY9aC1dG5',
          operation: 'model.chat',
          credits: 3,
          requestId: 'req_0M1n2O3p4Q5r6S7t8U9v',
          reservedAt: '2026-09-03T08:30:00.000Z',
          reason: { code: 'PROVIDER_TIMED_OUT', text: 'The provider did not respond in time.' },
          provider: 'model_provider_a',
        },
      ],
      nextAfter: null,
    }),
  }),
  operatorAction({
    id: 'operator.reviews.decide',
    tag: 'Reviews',
    path: '/api/reviews/decide',
    summary: 'Settle or release calls in review',
    description: 'Each call is decided separately: one that cannot be decided does not block the others.',
    permission: 'reviews',
    request: DecideReviewsRequest,
    requestExample: { chargeIds: [charge], decision: 'released', reason: 'The provider has no record of the call.' },
    responses: [
      response(200, 'What became of each.', DecidedReviews, {
        items: [
          { chargeId: charge, decision: 'released', error: null, earlier: null },
          {
            chargeId: 'chg_0M1n2O3p4Q5r6S7t8U9w',
            decision: null,
            error: {
              code: 'NOT_IN_REVIEW',
              message:
                'chg_0M1n2O3p4Q5r6S7t8U9w is already settled, decided by ada at 2026-09-03T09:00:00.000Z: It was delivered.',
            },
            earlier: { decision: 'settled', by: 'ada', at: '2026-09-03T09:00:00.000Z', reason: 'It was delivered.' },
          },
        ],
      }),
    ],
    ownErrors: ['CHARGES_INVALID', 'DECISION_INVALID', 'REASON_INVALID'],
  }),
]

export type OpenReviewPage = Static<typeof OpenReviewPage>
export type DecideReviewsRequest = Static<typeof DecideReviewsRequest>
export type DecidedReviews = Static<typeof DecidedReviews>
