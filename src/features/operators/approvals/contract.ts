import { type Static, Type } from '../../../base/schema.ts'
import { Choice, named } from '../../../contract/field.ts'
import { response } from '../../../contract/operation.ts'
import { Page } from '../../../contract/paging.ts'
import {
  approvalSubjects,
  idParameter,
  type ListParameters,
  listParameters,
  OptionalReasonRequest,
  OrNull,
  operatorAction,
  operatorView,
  projectIdPattern,
  Text,
  Time,
  TimeOrNull,
} from '../../../operator-kit/operation.ts'
import { ApprovalPending, approvalIdPattern, approvalStates, moved } from '../../billing/credits/contract.ts'

const ApprovalCarriedOut = named('ApprovalCarriedOut', { ...ApprovalPending.properties, ...moved })

export const Approval = named('Approval', {
  id: Type.String({ pattern: approvalIdPattern }),
  state: Choice(approvalStates),
  subject: Choice(approvalSubjects, {
    description:
      'movement: a grant or withdrawal. refund: of a payment. refund_decision: how a refund in review ended. payment_end: how a payment in review ends.',
  }),
  subjectId: OrNull(Text(), 'The refund, or the payment that is to end; null for a movement.'),
  kind: Choice(['grant', 'withdraw']),
  projectId: Type.String({ pattern: projectIdPattern }),
  credits: Type.Integer({ minimum: 1 }),
  reference: Text('Of the movement or refund; of a payment that is to end, its transaction at the provider.'),
  paymentId: OrNull(Text(), 'The payment that it is about; null for a movement.'),
  amountFen: OrNull(Type.Integer({ minimum: 1 }), 'The money that it is about; null for a movement.'),
  reason: Text(),
  requestedBy: Text(),
  requestedAt: Time(),
  decidedBy: OrNull(Text()),
  decidedAt: TimeOrNull(),
})
const ApprovalPage = Page('ApprovalPage', Approval)

type Decided = Static<typeof ApprovalPending>

const decision = {
  tag: 'Credits',
  commands: [{ says: ({ approval: { id, state } }: Decided) => `${id} is ${state}.` }],
  permission: 'approvals',
  pathParameters: { approvalId: idParameter(approvalIdPattern, 'APPROVAL_NOT_FOUND') },
  request: OptionalReasonRequest,
  ownErrors: ['APPROVAL_NOT_FOUND', 'APPROVAL_NOT_PENDING', 'REASON_INVALID'],
} as const

export const approvalOperations = [
  operatorView({
    id: 'operator.approvals.list',
    tag: 'Credits',
    path: '/api/approvals',
    summary: 'List grants and withdrawals that need a second operator',
    description: 'Oldest first.',
    queryParameters: { ...listParameters(approvalIdPattern), state: Choice(approvalStates) },
    response: response(200, 'A page of them.', ApprovalPage),
  }),
  operatorAction({
    ...decision,
    id: 'operator.approvals.approve',
    path: '/api/approvals/{approvalId}/approve',
    summary: 'Approve another operator’s request',
    description:
      'Operators cannot approve their own requests, nor requests of the operator who added or reset them, nor requests made before they were added or reset.',
    responses: [response(200, 'It is carried out.', ApprovalCarriedOut)],
    ownErrors: [
      ...decision.ownErrors,
      'APPROVAL_OWN_REQUEST',
      'APPROVER_NOT_INDEPENDENT',
      'AVAILABLE_CREDITS_EXCEEDED',
      'INSUFFICIENT_CREDITS',
      'REFERENCE_ALREADY_USED',
      'REFUND_NOT_FOUND',
      'REFUND_NOT_IN_REVIEW',
      'PAYMENT_NOT_FOUND',
      'PAYMENT_NOT_IN_REVIEW',
      'PAYMENT_NOT_CREDITABLE',
    ],
  }),
  operatorAction({
    ...decision,
    id: 'operator.approvals.reject',
    path: '/api/approvals/{approvalId}/reject',
    summary: 'Reject a request',
    description: 'The operator who made it can retract it this way.',
    responses: [response(200, 'It is rejected.', ApprovalPending)],
  }),
]

export type Approval = Static<typeof Approval>
export interface ApprovalParameters extends ListParameters {
  readonly state?: Approval['state']
}
