import { type Static, Type } from 'typebox'
import { Choice, failsWith, named, request } from '../field.ts'
import { idParameter, Reason, ReasonRequest, Text, Time, TimeOrNull } from './fields.ts'
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
  state: Choice(['active', 'disabled']),
  createdAt: Time(),
  disabledAt: TimeOrNull(),
})
export const OperatorList = named('OperatorList', { items: Type.Array(ListedOperator, { maxItems: 1000 }) })

export const NewOperator = named('NewOperator', {
  name: Text(),
  role: Choice(operatorRoles),
  password: Text('The first password. It is shown only once and must be changed at the first sign-in.'),
  totpUri: Type.String({ format: 'uri', description: 'For an authenticator app. It is shown only once.' }),
})

const example: Static<typeof ListedOperator> = {
  name: 'mei',
  role: 'support',
  state: 'active',
  createdAt: '2026-09-01T08:00:00.000Z',
  disabledAt: null,
}
const first = {
  name: 'mei',
  role: 'support',
  password: 'vT3xQ9mB2nL7kR5wZ8pC',
  totpUri: 'otpauth://totp/API%20Relay%20Gateway:mei?secret=JBSWY3DPEHPK3PXP&issuer=API%20Relay%20Gateway',
}
const pathParameters = {
  name: idParameter('^[\\p{L}\\p{N}][\\p{L}\\p{N}._-]{0,63}$', 'OPERATOR_NOT_FOUND', 'mei'),
}
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
    description: 'Ends their sessions, and enables an operator who was disabled.',
    pathParameters,
    request: ReasonRequest,
    requestExample: { reason: 'Lost the phone.' },
    answers: [answered('The new credentials.', NewOperator, first)],
    ownErrors: ['OPERATOR_NOT_FOUND', 'REASON_INVALID'],
  }),
]

export type AddOperatorRequest = Static<typeof AddOperatorRequest>
export type ListedOperator = Static<typeof ListedOperator>
