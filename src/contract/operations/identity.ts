import { examples } from '../examples.ts'
import { response } from '../operation.ts'
import {
  AuthResponse,
  Challenge,
  LoggedOut,
  LoginRequest,
  RegisterRequest,
  SendCodeRequest,
} from '../schemas/identity.ts'
import { write } from './access.ts'

const shared = { tag: 'Identity', access: 'origin' } as const

export const identityOperations = [
  write({
    ...shared,
    id: 'auth.send_code',
    path: '/v1/auth/send-code',
    summary: 'Send a verification code',
    description:
      'Sends a 6-digit code by SMS. It is valid for 300 seconds, 5 attempts and one use. After 60 seconds you can request a new one, which replaces it. The response does not reveal whether the phone number has an account.',
    request: SendCodeRequest,
    requestExample: { phone: examples.phone },
    responses: [response(202, 'The code was sent.', Challenge, examples.challenge)],
    ownErrors: ['PHONE_INVALID', 'SMS_DELIVERY_UNAVAILABLE'],
  }),
  write({
    ...shared,
    id: 'auth.register',
    path: '/v1/auth/register',
    summary: 'Register an account',
    description:
      'Consumes the code and creates the account, its personal project and a session, all or nothing. If the connection fails, try logging in before you repeat it.',
    request: RegisterRequest,
    requestExample: {
      phone: examples.phone,
      verificationCode: '493027',
      challengeId: examples.challenge.challengeId,
      recoveryEmail: 'li@example.com',
      password: examples.password,
      next: '/console',
    },
    responses: [response(201, 'Registered and signed in.', AuthResponse, examples.auth, 'Set-Cookie')],
    ownErrors: [
      'VERIFICATION_FAILED',
      'PHONE_INVALID',
      'EMAIL_INVALID',
      'PASSWORD_INVALID',
      'NEXT_PATH_INVALID',
      'ACCOUNT_ALREADY_EXISTS',
      'ACCOUNT_UNAVAILABLE',
      'VERIFICATION_CONFLICT',
    ],
  }),
  write({
    ...shared,
    id: 'auth.login',
    path: '/v1/auth/login',
    summary: 'Log in',
    description:
      'Starts a new session and ends the current one. Unknown, pending and wrong credentials get the same response.',
    request: LoginRequest,
    requestExample: { identifier: examples.phone, password: examples.password, next: '/console' },
    responses: [response(200, 'Signed in.', AuthResponse, examples.auth, 'Set-Cookie')],
    ownErrors: [
      'IDENTIFIER_INVALID',
      'PASSWORD_INVALID',
      'NEXT_PATH_INVALID',
      'AUTHENTICATION_FAILED',
      'SECOND_FACTOR_REQUIRED',
      'PASSWORD_STATE_INVALID',
    ],
  }),
  write({
    id: 'auth.logout',
    tag: 'Identity',
    path: '/v1/auth/logout',
    summary: 'Log out',
    description: 'Ends the session on the server and clears the cookie.',
    responses: [response(200, 'Signed out.', LoggedOut, { state: 'logged_out' }, 'Set-Cookie')],
  }),
]
