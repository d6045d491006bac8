import { examples } from '../examples.ts'
import { EmptyRequest } from '../field.ts'
import type { Operation } from '../operation.ts'
import {
  AuthResponse,
  Challenge,
  LoggedOut,
  LoginRequest,
  RegisterRequest,
  SendCodeRequest,
} from '../schemas/identity.ts'
import { errorsOf } from './access.ts'

const shared = { tag: 'Identity', method: 'POST', takesIdempotencyKey: false } as const
const json = 'application/json' as const

export const identityOperations: Operation[] = [
  {
    ...shared,
    id: 'auth.send_code',
    path: '/v1/auth/send-code',
    access: 'origin',
    summary: 'Send a verification code',
    description:
      'Sends a 6-digit code by SMS. It is valid for 300 seconds, 5 attempts and one use. A new one can be requested after 60 seconds and replaces it. The response does not reveal whether the phone has an account.',
    request: SendCodeRequest,
    requestExample: { phone: examples.phone },
    responses: [
      {
        status: 202,
        description: 'The code is on its way.',
        contentType: json,
        schema: Challenge,
        example: examples.challenge,
      },
    ],
    errors: errorsOf('origin', ['PHONE_INVALID', 'SMS_DELIVERY_UNAVAILABLE']),
  },
  {
    ...shared,
    id: 'auth.register',
    path: '/v1/auth/register',
    access: 'origin',
    summary: 'Register an account',
    description:
      'Consumes the code and creates the account, its personal project and a session, all or nothing. If the connection fails, try to log in before you repeat it.',
    request: RegisterRequest,
    requestExample: {
      phone: examples.phone,
      verificationCode: '493027',
      challengeId: examples.challenge.challengeId,
      recoveryEmail: 'li@example.com',
      password: examples.password,
      next: '/console',
    },
    responses: [
      {
        status: 201,
        description: 'Registered and signed in.',
        contentType: json,
        schema: AuthResponse,
        example: examples.auth,
        headers: ['Set-Cookie'],
      },
    ],
    errors: errorsOf('origin', [
      'VERIFICATION_FAILED',
      'PHONE_INVALID',
      'EMAIL_INVALID',
      'PASSWORD_INVALID',
      'NEXT_PATH_INVALID',
      'ACCOUNT_ALREADY_EXISTS',
      'ACCOUNT_UNAVAILABLE',
      'VERIFICATION_CONFLICT',
    ]),
  },
  {
    ...shared,
    id: 'auth.login',
    path: '/v1/auth/login',
    access: 'origin',
    summary: 'Log in',
    description:
      'Starts a new session and ends the current one. Unknown, pending and wrong credentials get the same response.',
    request: LoginRequest,
    requestExample: { identifier: examples.phone, password: examples.password, next: '/console' },
    responses: [
      {
        status: 200,
        description: 'Signed in.',
        contentType: json,
        schema: AuthResponse,
        example: examples.auth,
        headers: ['Set-Cookie'],
      },
    ],
    errors: errorsOf('origin', [
      'IDENTIFIER_INVALID',
      'PASSWORD_INVALID',
      'NEXT_PATH_INVALID',
      'AUTHENTICATION_FAILED',
      'PASSWORD_STATE_INVALID',
    ]),
  },
  {
    ...shared,
    id: 'auth.logout',
    path: '/v1/auth/logout',
    access: 'session-write',
    summary: 'Log out',
    description: 'Ends the session on the server and clears the cookie.',
    request: EmptyRequest(),
    requestExample: {},
    responses: [
      {
        status: 200,
        description: 'Signed out.',
        contentType: json,
        schema: LoggedOut,
        example: { state: 'logged_out' },
        headers: ['Set-Cookie'],
      },
    ],
    errors: errorsOf('session-write'),
  },
]
