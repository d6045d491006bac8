import { type Static, Type } from '../../../base/schema.ts'
import { Choice, failsWith, named, request } from '../../../contract/field.ts'
import { response } from '../../../contract/operation.ts'
import { CsrfToken, Password } from '../../../contract/schemas/identity.ts'
import {
  idParameter,
  type OperatorCommand,
  type OperatorOperation,
  OptionalReasonRequest,
  OrNull,
  openErrors,
  operatorAction,
  operatorView,
  Reason,
  ReasonRequest,
  Text,
  Time,
  TimeOrNull,
} from '../../../operator-kit/operation.ts'
import { ownReasons } from '../../../operator-kit/own-reasons.ts'
import { operatorRoles } from '../../../operator-kit/roles.ts'

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
  requestedBy: OrNull(Text(), 'While pending: the administrator who requested it.'),
  createdAt: Time(),
  disabledAt: TimeOrNull(),
})
const OperatorList = named('OperatorList', { items: Type.Array(ListedOperator, { maxItems: 1000 }) })

const NewOperator = named('NewOperator', {
  name: Text(),
  role: Choice(operatorRoles),
  password: Text('The first password. It is shown only once and must be changed at the first sign-in.'),
  totpUri: Type.String({ format: 'uri', description: 'For an authenticator app. It is shown only once.' }),
  state: Choice(['active', 'pending'], { description: 'Pending until a second administrator approves.' }),
})

const pathParameters = {
  name: {
    ...idParameter('^[\\p{L}\\p{N}][\\p{L}\\p{N}._-]{0,63}$', 'OPERATOR_NOT_FOUND'),
    words: 'Up to 64 letters, digits, dots, underscores and hyphens; the first is a letter or a digit.',
  },
}
const approvalNote =
  'Where `operators.approvalAboveCredits` is set, an administrator or a treasurer is pending until a second administrator approves.'
const of = { tag: 'Operators', permission: 'operators' } as const
const defaults = { reason: ownReasons.none }
const printsCredentials: OperatorCommand = {
  defaults,
  says: ({ name, role, password, totpUri }: NewOperator) =>
    `${name} can sign in as ${role}. This is shown only once:\n\npassword  ${password}\ntotp      ${totpUri}`,
}

export const operatorManagementOperations = [
  operatorView({
    id: 'operator.operators.list',
    tag: 'Operators',
    path: '/api/operators',
    summary: 'List the operators',
    response: response(200, 'The operators.', OperatorList),
  }),
  operatorAction({
    ...of,
    id: 'operator.operators.add',
    path: '/api/operators',
    summary: 'Add an operator',
    description: `Adds an operator with a first password. ${approvalNote}`,
    request: AddOperatorRequest,
    commands: [{ usage: 'operators add <name>', ...printsCredentials }],
    responses: [response(200, 'The new operator.', NewOperator)],
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
    commands: [{ defaults, says: ({ name }: ListedOperator) => `${name} is disabled.` }],
    responses: [response(200, 'The operator.', ListedOperator)],
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
    commands: [printsCredentials],
    responses: [response(200, 'The new credentials.', NewOperator)],
    ownErrors: ['OPERATOR_NOT_FOUND', 'REASON_INVALID'],
  }),
  decide(
    'approve',
    'Approve a new or reset operator',
    'Operators cannot approve their own requests, nor requests of the operator who added or reset them, nor requests made before they were added or reset.',
  ),
  decide(
    'reject',
    'Reject a new or reset operator',
    'The operator is disabled. The administrator who made the request can retract it this way.',
  ),
]

function decide<const Name extends 'approve' | 'reject'>(name: Name, summary: string, description: string) {
  return operatorAction({
    ...of,
    id: `operator.operators.${name}`,
    path: `/api/operators/{name}/${name}` as const,
    summary,
    description,
    pathParameters,
    request: OptionalReasonRequest,
    commands: [{ says: (operator: ListedOperator) => `${operator.name} is ${operator.state}.` }],
    responses: [response(200, 'The operator.', ListedOperator)],
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
export type NewOperator = Static<typeof NewOperator>

const line = { minLength: 1, maxLength: 128 } as const

export const OperatorSignInRequest = request(
  'OperatorSignInRequest',
  {
    name: Type.Optional(Type.String(line)),
    password: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
    totp: Type.Optional(
      Type.String({
        maxLength: 16,
        description:
          'Six digits. Needed unless the gateway is on a loopback origin. Viewers and supporters who have never used one can sign in without it and set it up first.',
      }),
    ),
    token: Type.Optional(
      Type.String({ ...line, description: 'The token of a one-time sign-in link, instead of the other fields.' }),
    ),
  },
  {
    description: 'Either name and password, or the token of a sign-in link.',
    alternatives: [['name', 'password'], ['token']],
  },
)

export const SignedInOperator = named('SignedInOperator', {
  name: Text(),
  role: Choice(operatorRoles),
  csrfToken: CsrfToken,
})
const SignedOutOperator = named('SignedOutOperator', { state: Type.Literal('signed_out') })

export const OperatorPasswordRequest = request('OperatorPasswordRequest', {
  currentPassword: Type.String({ minLength: 1, maxLength: 512 }),
  newPassword: Password(),
})
const OperatorPasswordChanged = named('OperatorPasswordChanged', {
  state: Type.Literal('password_changed'),
  endedSessions: Type.Integer({ minimum: 0, description: 'Other sessions of the same operator that were ended.' }),
})

export const TotpRequest = request('TotpRequest', { currentPassword: Type.String({ minLength: 1, maxLength: 512 }) })
const NewTotp = named('NewTotp', {
  totpUri: Type.String({ format: 'uri', description: 'For an authenticator app. It is shown only once.' }),
})

export const ConfirmTotpRequest = request('ConfirmTotpRequest', {
  totp: Type.String({ minLength: 1, maxLength: 16, description: 'Six digits.', examples: ['018472'] }),
})
const TotpConfirmed = named('TotpConfirmed', { state: Type.Literal('totp_confirmed') })

/** The one write without a session. */
const signIn = {
  id: 'operator.sign_in',
  tag: 'Session',
  method: 'POST',
  path: '/api/sign-in',
  takesIdempotencyKey: false,
  access: 'origin',
  permission: null,
  summary: 'Sign in',
  description:
    'With name, password and, if needed, a one-time code, or with the token of a one-time sign-in link. The session ends after 30 minutes without activity and after 12 hours. Successful and failed attempts are in the audit log.',
  request: OperatorSignInRequest,
  requestExample: { name: 'mei', password: 'correct horse battery staple', totp: '018472' },
  responses: [{ ...response(200, 'You are signed in.', SignedInOperator), headers: ['Set-Cookie'] }],
  errors: openErrors('origin', ['AUTHENTICATION_FAILED', 'TOTP_REQUIRED', 'OPERATOR_LOCKED', 'SIGN_IN_LINK_INVALID']),
} as const satisfies OperatorOperation

export const sessionOperations = [
  signIn,
  operatorView({
    id: 'operator.me',
    tag: 'Session',
    path: '/api/me',
    summary: 'See who is signed in',
    isBeforePasswordChange: true,
    response: response(200, 'The signed-in operator.', SignedInOperator),
  }),
  operatorAction({
    id: 'operator.sign_out',
    tag: 'Session',
    path: '/api/sign-out',
    summary: 'Sign out',
    permission: null,
    isBeforePasswordChange: true,
    responses: [{ ...response(200, 'The session is ended.', SignedOutOperator), headers: ['Set-Cookie'] }],
  }),
  operatorAction({
    id: 'operator.password',
    tag: 'Session',
    path: '/api/me/password',
    summary: 'Change your password',
    description: 'Ends your other sessions. Until the first password is changed, only this and signing out work.',
    permission: null,
    isBeforePasswordChange: true,
    request: OperatorPasswordRequest,
    responses: [response(200, 'The password is changed.', OperatorPasswordChanged)],
    ownErrors: ['AUTHENTICATION_FAILED', 'PASSWORD_INVALID', 'NO_PASSWORD'],
  }),
  operatorAction({
    id: 'operator.totp',
    tag: 'Session',
    path: '/api/me/totp',
    summary: 'Replace the secret of your one-time codes',
    description: 'Codes from the old secret are refused from now on.',
    permission: null,
    isBeforeEnrolment: true,
    request: TotpRequest,
    responses: [response(200, 'The new secret.', NewTotp)],
    ownErrors: ['AUTHENTICATION_FAILED', 'NO_PASSWORD'],
  }),
  operatorAction({
    id: 'operator.totp.confirm',
    tag: 'Session',
    path: '/api/me/totp/confirm',
    summary: 'Confirm the secret of your one-time codes',
    description:
      'With a first code. On a public origin, nothing else works before that. Five wrong codes in a row lock the operator until a reset.',
    permission: null,
    isBeforeEnrolment: true,
    request: ConfirmTotpRequest,
    responses: [response(200, 'One-time codes are set up.', TotpConfirmed)],
    ownErrors: ['AUTHENTICATION_FAILED', 'OPERATOR_LOCKED', 'NO_PASSWORD'],
  }),
]

export type OperatorSignInRequest = Static<typeof OperatorSignInRequest>
export type SignedInOperator = Static<typeof SignedInOperator>
export type OperatorPasswordRequest = Static<typeof OperatorPasswordRequest>
export type TotpRequest = Static<typeof TotpRequest>
export type ConfirmTotpRequest = Static<typeof ConfirmTotpRequest>
