import { type Static, Type } from 'typebox'
import { Choice, failsWith, named, request } from '../field.ts'
import {
  Count,
  idParameter,
  ListPage,
  type ListParameters,
  listParameters,
  OptionalReasonRequest,
  OrNull,
  projectIdPattern,
  Reason,
  Reference,
  Text,
  Time,
  TimeOrNull,
} from './fields.ts'
import { answered, type OperatorOperation, operatorAction, operatorView } from './operation.ts'

export const MoveCreditsRequest = request('MoveCreditsRequest', {
  projectId: Type.String({ pattern: projectIdPattern, ...failsWith('PROJECT_NOT_FOUND') }),
  credits: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, ...failsWith('CREDITS_INVALID') }),
  reference: Reference(),
  reason: Reason(),
  again: Type.Optional(
    Type.Boolean({
      description: 'True if you know of the earlier movement with a similar reference and this is another payment.',
    }),
  ),
})

const moved = {
  projectId: Type.String({ pattern: projectIdPattern }),
  credits: Type.Integer({ minimum: 1 }),
  reference: Text(),
  replayed: Type.Boolean({ description: 'True if this reference was carried out before; nothing was moved again.' }),
  balance: named('BalanceAfter', { available: Count(), reserved: Count() }),
}
export const CreditsMoved = named('CreditsMoved', moved)

const approvalIdPattern = '^apv_[A-Za-z0-9]+$'
const approvalStates = ['pending', 'approved', 'rejected'] as const

export const ApprovalPending = named('ApprovalPending', {
  approval: named('ApprovalReference', {
    id: Type.String({ pattern: approvalIdPattern }),
    state: Choice(approvalStates),
  }),
})
export const ApprovalCarriedOut = named('ApprovalCarriedOut', { ...ApprovalPending.properties, ...moved })

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
export const ApprovalPage = ListPage('ApprovalPage', Approval)

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

const move = (kind: 'grant' | 'withdraw', description: string) =>
  operatorAction({
    id: `operator.credits.${kind}`,
    tag: 'Credits',
    path: `/api/credits/${kind}`,
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
    answers: [
      answered('Carried out, now or before.', CreditsMoved, movedExample),
      answered('It waits for a second operator.', ApprovalPending, stateOf('pending'), 202),
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

const decide = (name: 'approve' | 'reject', summary: string, description: string) =>
  operatorAction({
    id: `operator.approvals.${name}`,
    tag: 'Credits',
    path: `/api/approvals/{approvalId}/${name}`,
    summary,
    description,
    permission: 'approvals',
    pathParameters: { approvalId: idParameter(approvalIdPattern, 'APPROVAL_NOT_FOUND', approvalExample.id) },
    request: OptionalReasonRequest,
    requestExample: { reason: 'The transfer has arrived.' },
    answers: [
      name === 'approve'
        ? answered('It is carried out.', ApprovalCarriedOut, { ...stateOf('approved'), ...movedExample })
        : answered('It is rejected.', ApprovalPending, stateOf('rejected')),
    ],
    ownErrors: [
      'APPROVAL_NOT_FOUND',
      'APPROVAL_NOT_PENDING',
      'REASON_INVALID',
      ...(name === 'approve'
        ? ([
            'APPROVAL_OWN_REQUEST',
            'APPROVER_NOT_INDEPENDENT',
            'AVAILABLE_CREDITS_EXCEEDED',
            'REFERENCE_ALREADY_USED',
          ] as const)
        : []),
    ],
  })

export const creditOperations: OperatorOperation[] = [
  move('grant', 'Adds credits to a project: for a bank transfer, or as goodwill.'),
  move('withdraw', 'Takes available credits back: after a mistaken grant, or for a refund made elsewhere.'),
  operatorView({
    id: 'operator.approvals.list',
    tag: 'Credits',
    path: '/api/approvals',
    summary: 'List grants and withdrawals that need a second operator',
    description: 'The oldest first.',
    queryParameters: { ...listParameters(approvalIdPattern), state: Choice(approvalStates) },
    answer: answered('A page of them.', ApprovalPage, { items: [approvalExample], nextAfter: null }),
  }),
  decide(
    'approve',
    'Approve a request of another operator',
    'Nobody approves their own request, nor does an operator who was added or reset after it or by whoever made it.',
  ),
  decide('reject', 'Reject a request', 'Whoever made it may withdraw it in this way.'),
]

export type MoveCreditsRequest = Static<typeof MoveCreditsRequest>
export type Approval = Static<typeof Approval>
export interface ApprovalParameters extends ListParameters {
  readonly state?: Approval['state']
}
