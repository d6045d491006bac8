import { type Static, Type } from 'typebox'
import { Choice, failsWith, named, request } from '../field.ts'
import { idParameter, OptionalReasonRequest, OrNull, Reason, ReasonRequest, Text, Time, TimeOrNull } from './fields.ts'
import { answered, type OperatorOperation, operatorAction, operatorView } from './operation.ts'
import { operatorRoles } from './roles.ts'

export const AddOperatorRequest = request('AddOperatorRequest', {
  name: Type.String({ minLength: 1, maxLength: 64, ...failsWith('OPERATOR_NAME_INVALID') }),
  role: Choice(operatorRoles, failsWith('ROLE_INVALID')),
  reason: Reason(),
})

export const ListedOperator = named('ListedOperator', {
  name: Text(),
  role: Choice(operatorRoles),
  state: Choice(['active', 'pending', 'locked', 'disabled'], {
    description:
      'Pending until a second administrator approves; locked after five wrong one-time codes, until a reset.',
  }),
  requestedBy: OrNull(Text(), 'While pending: the administrator who asked for it.'),
  createdAt: Time(),
  disabledAt: TimeOrNull(),
})
export const OperatorList = named('OperatorList', { items: Type.Array(ListedOperator, { maxItems: 1000 }) })

export const NewOperator = named('NewOperator', {
  name: Text(),
  role: Choice(operatorRoles),
  password: Text('The first password. It is shown only once and must be changed at the first sign-in.'),
  totpUri: Type.String({ format: 'uri', description: 'For an authenticator app. It is shown only once.' }),
  state: Choice(['active', 'pending'], { description: 'Pending until a second administrator approves.' }),
})

const example: Static<typeof ListedOperator> = {
  name: 'mei',
  role: 'support',
  state: 'active',
  requestedBy: null,
  createdAt: '2026-09-01T08:00:00.000Z',
  disabledAt: null,
}
const first = {
  name: 'mei',
  role: 'support',
  password: 'vT3xQ9mB2nL7kR5wZ8pC',
  totpUri: 'otpauth://totp/API%20Relay%20Gateway:mei?secret=JBSWY3DPEHPK3PXP&issuer=API%20Relay%20Gateway',
  state: 'active',
}
const pathParameters = {
  name: idParameter('^[\\p{L}\\p{N}][\\p{L}\\p{N}._-]{0,63}$', 'OPERATOR_NOT_FOUND', 'mei'),
}
const approvalNote =
  'Where `operators.approvalAboveCredits` is set, an administrator or a treasurer is pending until a second administrator approves.'
const of = { tag: 'Operators', permission: 'operators' } as const

export const operatorOperationsOfOperators: OperatorOperation[] = [
  operatorView({
    id: 'operator.operators.list',
    tag: 'Operators',
    path: '/api/operators',
    summary: 'List the operators',
    answer: answered('The operators.', OperatorList, { items: [example] }),
  }),
  operatorAction({
    ...of,
    id: 'operator.operators.add',
    path: '/api/operators',
    summary: 'Add an operator',
    description: `Adds an operator with a first password. ${approvalNote}`,
    request: AddOperatorRequest,
    requestExample: { name: 'mei', role: 'support', reason: 'Joined the team.' },
    answers: [answered('The new operator.', NewOperator, first)],
    ownErrors: ['OPERATOR_NAME_INVALID', 'ROLE_INVALID', 'REASON_INVALID', 'OPERATOR_ALREADY_EXISTS'],
  }),
  operatorAction({
    ...of,
    id: 'operator.operators.disable',
    path: '/api/operators/{name}/disable',
    summary: 'Disable an operator',
    description: 'Ends their sessions and refuses every sign-in until a reset.',
    pathParameters,
    request: ReasonRequest,
    requestExample: { reason: 'Left the team.' },
    answers: [
      answered('The operator.', ListedOperator, {
        ...example,
        state: 'disabled',
        disabledAt: '2026-09-03T09:00:00.000Z',
      }),
    ],
    ownErrors: ['OPERATOR_NOT_FOUND', 'REASON_INVALID'],
  }),
  operatorAction({
    ...of,
    id: 'operator.operators.reset',
    path: '/api/operators/{name}/reset',
    summary: 'Give an operator a new first password and a new secret for one-time codes',
    description: `Ends their sessions, and enables an operator who was disabled or locked. ${approvalNote}`,
    pathParameters,
    request: ReasonRequest,
    requestExample: { reason: 'Lost the phone.' },
    answers: [answered('The new credentials.', NewOperator, first)],
    ownErrors: ['OPERATOR_NOT_FOUND', 'REASON_INVALID'],
  }),
  decide(
    'approve',
    'Approve a new or reset operator',
    'Nobody approves their own request, nor does an operator who was added or reset after it or by whoever made it.',
  ),
  decide(
    'reject',
    'Reject a new or reset operator',
    'The operator is disabled. Whoever asked may take it back in this way.',
  ),
]

function decide(name: 'approve' | 'reject', summary: string, description: string): OperatorOperation {
  return operatorAction({
    ...of,
    id: `operator.operators.${name}`,
    path: `/api/operators/{name}/${name}`,
    summary,
    description,
    pathParameters,
    request: OptionalReasonRequest,
    requestExample: { reason: 'Seen in person.' },
    answers: [answered('The operator.', ListedOperator, example)],
    ownErrors: [
      'OPERATOR_NOT_FOUND',
      'OPERATOR_NOT_PENDING',
      'REASON_INVALID',
      ...(name === 'approve' ? (['APPROVAL_OWN_REQUEST', 'APPROVER_NOT_INDEPENDENT'] as const) : []),
    ],
  })
}

export type AddOperatorRequest = Static<typeof AddOperatorRequest>
export type ListedOperator = Static<typeof ListedOperator>
