import { type Static, Type } from 'typebox'
import { Choice, named, request } from '../field.ts'
import { EmptyRequest } from '../schemas/envelope.ts'
import { CsrfToken, Password } from '../schemas/identity.ts'
import { Text } from './fields.ts'
import { answered, type OperatorOperation, openErrors, operatorAction, operatorView } from './operation.ts'
import { operatorRoles } from './roles.ts'

export const operatorCookieName = 'gateway_operator'

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
          'Six digits. Needed unless the gateway is on a loopback origin. Viewers and supporters who have never used one may sign in without it and set it up first.',
      }),
    ),
    token: Type.Optional(Type.String({ ...line, description: 'Of a one-time sign-in link, instead of the others.' })),
  },
  { description: 'Either name and password, or the token of a sign-in link.' },
)

export const SignedInOperator = named('SignedInOperator', {
  name: Text(),
  role: Choice(operatorRoles),
  csrfToken: CsrfToken,
})
export const SignedOutOperator = named('SignedOutOperator', { state: Type.Literal('signed_out') })

export const OperatorPasswordRequest = request('OperatorPasswordRequest', {
  currentPassword: Type.String({ minLength: 1, maxLength: 512 }),
  newPassword: Password(),
})
export const OperatorPasswordChanged = named('OperatorPasswordChanged', {
  state: Type.Literal('password_changed'),
  endedSessions: Type.Integer({ minimum: 0, description: 'Other sessions of the same operator that were ended.' }),
})

export const TotpRequest = request('TotpRequest', { currentPassword: Type.String({ minLength: 1, maxLength: 512 }) })
export const NewTotp = named('NewTotp', {
  totpUri: Type.String({ format: 'uri', description: 'For an authenticator app. It is shown only once.' }),
})

export const ConfirmTotpRequest = request('ConfirmTotpRequest', {
  totp: Type.String({ minLength: 1, maxLength: 16, description: 'Six digits.' }),
})
export const TotpConfirmed = named('TotpConfirmed', { state: Type.Literal('totp_confirmed') })

const signedIn = { name: 'mei', role: 'support', csrfToken: 'x3lP0s7e8Q1yJw2n4bVtZk' } as const
const totp = 'otpauth://totp/API%20Relay%20Gateway:mei?secret=JBSWY3DPEHPK3PXP&issuer=API%20Relay%20Gateway'

export const sessionOperations: OperatorOperation[] = [
  {
    id: 'operator.sign_in',
    tag: 'Session',
    method: 'POST',
    path: '/api/sign-in',
    access: 'origin',
    permission: null,
    takesIdempotencyKey: false,
    summary: 'Sign in',
    description:
      'With name, password and where needed a one-time code, or with the token of a one-time sign-in link. The session ends after 30 minutes without activity and after 12 hours. Right and wrong attempts are in the audit log.',
    request: OperatorSignInRequest,
    requestExample: { name: 'mei', password: 'a first password', totp: '492039' },
    responses: [{ ...answered('You are signed in.', SignedInOperator, signedIn), headers: ['Set-Cookie'] }],
    errors: openErrors('origin', ['AUTHENTICATION_FAILED', 'TOTP_REQUIRED', 'OPERATOR_LOCKED', 'SIGN_IN_LINK_INVALID']),
  },
  operatorView({
    id: 'operator.me',
    tag: 'Session',
    path: '/api/me',
    summary: 'See who is signed in',
    isBeforePasswordChange: true,
    answer: answered('The signed-in operator.', SignedInOperator, signedIn),
  }),
  operatorAction({
    id: 'operator.sign_out',
    tag: 'Session',
    path: '/api/sign-out',
    summary: 'Sign out',
    permission: null,
    isBeforePasswordChange: true,
    request: EmptyRequest(),
    requestExample: {},
    answers: [
      { ...answered('The session is ended.', SignedOutOperator, { state: 'signed_out' }), headers: ['Set-Cookie'] },
    ],
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
    requestExample: { currentPassword: 'a first password', newPassword: 'a better password' },
    answers: [
      answered('The password is changed.', OperatorPasswordChanged, { state: 'password_changed', endedSessions: 0 }),
    ],
    ownErrors: ['AUTHENTICATION_FAILED', 'PASSWORD_INVALID', 'NO_PASSWORD'],
  }),
  operatorAction({
    id: 'operator.totp',
    tag: 'Session',
    path: '/api/me/totp',
    summary: 'Replace the secret of your one-time codes',
    description: 'Codes of the former secret are refused from now on.',
    permission: null,
    isBeforeEnrolment: true,
    request: TotpRequest,
    requestExample: { currentPassword: 'a better password' },
    answers: [answered('The new secret.', NewTotp, { totpUri: totp })],
    ownErrors: ['AUTHENTICATION_FAILED', 'NO_PASSWORD'],
  }),
  operatorAction({
    id: 'operator.totp.confirm',
    tag: 'Session',
    path: '/api/me/totp/confirm',
    summary: 'Confirm the secret of your one-time codes',
    description:
      'With a first code. On a public origin nothing else works before. Five wrong codes in a row lock the operator until a reset.',
    permission: null,
    isBeforeEnrolment: true,
    request: ConfirmTotpRequest,
    requestExample: { totp: '492039' },
    answers: [answered('One-time codes are set up.', TotpConfirmed, { state: 'totp_confirmed' })],
    ownErrors: ['AUTHENTICATION_FAILED', 'OPERATOR_LOCKED', 'NO_PASSWORD'],
  }),
]

export type OperatorSignInRequest = Static<typeof OperatorSignInRequest>
export type SignedInOperator = Static<typeof SignedInOperator>
export type OperatorPasswordRequest = Static<typeof OperatorPasswordRequest>
export type TotpRequest = Static<typeof TotpRequest>
export type ConfirmTotpRequest = Static<typeof ConfirmTotpRequest>
