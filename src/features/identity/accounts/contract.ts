import { type Static, Type } from '../../../base/schema.ts'
import { Choice, DateTime, failsWith, Nullable, named, request } from '../../../contract/field.ts'
import { response } from '../../../contract/operation.ts'
import { view, write } from '../../../contract/operations/access.ts'
import {
  Challenge,
  ChallengeId,
  challengeIdPattern,
  Identifier,
  Password,
  RecoveryCode,
  RecoveryEmail,
  recoveryEmailStates,
  resendAfterSeconds,
  VerificationCode,
} from '../../../contract/schemas/identity.ts'

/** Longer than a code by SMS: mail can be slow. */
export const emailChallengeLifetimeSeconds = 1800

export const RecoveryEmailRequest = request('RecoveryEmailRequest', {
  recoveryEmail: RecoveryEmail('Replaces the recovery email. It can sign in once it is verified.'),
  password: Password(),
})

export const RecoveryEmailStanding = named('RecoveryEmailStanding', {
  recoveryEmailMasked: Type.String({ minLength: 1 }),
  recoveryEmailState: Choice(recoveryEmailStates),
})

export const EmailChallenge = named('EmailChallenge', {
  challengeId: Type.String({ pattern: challengeIdPattern }),
  expiresInSeconds: Type.Literal(emailChallengeLifetimeSeconds),
  resendAfterSeconds: Type.Literal(resendAfterSeconds),
})

export const VerifyEmailRequest = request('VerifyEmailRequest', {
  challengeId: ChallengeId(),
  verificationCode: VerificationCode(),
})

export const EmailVerified = named('EmailVerified', { recoveryEmailState: Type.Literal('verified') })

export const RecoveryCodeRequest = request('RecoveryCodeRequest', { identifier: Identifier() })

export const RecoveryRequest = request('RecoveryRequest', {
  challengeId: ChallengeId(),
  verificationCode: RecoveryCode(),
  newPassword: Password(),
  removesSecondFactor: Type.Optional(
    Type.Boolean({
      description: 'For somebody who lost the second factor: it is removed after 24 hours. Ignored without one.',
      ...failsWith('VERIFICATION_FAILED'),
    }),
  ),
})

export const ChangePasswordRequest = request('ChangePasswordRequest', {
  currentPassword: Password(),
  newPassword: Password(),
})

export const AccountRecovered = named('AccountRecovered', {
  state: Type.Literal('password_changed'),
  secondFactorRemovedAt: Nullable(DateTime('When the second factor will be removed; null if it stays.')),
})

export const PasswordChanged = named('PasswordChanged', { state: Type.Literal('password_changed') })

export type RecoveryEmailRequest = Static<typeof RecoveryEmailRequest>
export type RecoveryEmailStanding = Static<typeof RecoveryEmailStanding>
export type EmailChallenge = Static<typeof EmailChallenge>
export type VerifyEmailRequest = Static<typeof VerifyEmailRequest>
export type EmailVerified = Static<typeof EmailVerified>
export type RecoveryCodeRequest = Static<typeof RecoveryCodeRequest>
export type RecoveryRequest = Static<typeof RecoveryRequest>
export type ChangePasswordRequest = Static<typeof ChangePasswordRequest>
export type AccountRecovered = Static<typeof AccountRecovered>
export type PasswordChanged = Static<typeof PasswordChanged>

const tag = 'Account security'
const passwordChanged = response(200, 'The password is replaced.', PasswordChanged)

export const accountSecurityOperations = [
  write({
    tag,
    id: 'console.recovery_email.replace',
    path: '/v1/console/recovery-email',
    summary: 'Replace the recovery email',
    description:
      'Needs the password; a wrong one counts as a failed login. The new address is pending until it is verified, and codes sent to the old one end. The address that is already verified stays verified.',
    request: RecoveryEmailRequest,
    responses: [response(200, 'The address is replaced.', RecoveryEmailStanding)],
    ownErrors: [
      'STEP_UP_REQUIRED',
      'EMAIL_INVALID',
      'PASSWORD_INVALID',
      'AUTHENTICATION_FAILED',
      'PASSWORD_STATE_INVALID',
    ],
  }),
  write({
    tag,
    id: 'console.recovery_email.send_code',
    path: '/v1/console/recovery-email/send-code',
    summary: 'Send a code to the recovery email',
    description:
      'The 6-digit code is valid for 1800 seconds, 5 attempts and one use. After 60 seconds you can request a new one, which replaces it. An address that is already verified gets 409.',
    responses: [response(202, 'The code was sent.', EmailChallenge)],
    ownErrors: ['VERIFICATION_CONFLICT', 'EMAIL_DELIVERY_UNAVAILABLE'],
  }),
  write({
    tag,
    id: 'console.recovery_email.verify',
    path: '/v1/console/recovery-email/verify',
    summary: 'Verify the recovery email',
    description:
      'From then on, the address can be used to log in and to recover the account. An address can be verified by only one account.',
    request: VerifyEmailRequest,
    responses: [response(200, 'The address is verified.', EmailVerified)],
    ownErrors: ['STEP_UP_REQUIRED', 'VERIFICATION_FAILED', 'VERIFICATION_CONFLICT', 'ACCOUNT_UNAVAILABLE'],
  }),
  write({
    tag,
    id: 'console.password.change',
    path: '/v1/console/password',
    summary: 'Change the password',
    description:
      'Ends all other sessions of the account. A wrong current password counts as a failed login. Very common passwords are refused.',
    request: ChangePasswordRequest,
    responses: [passwordChanged],
    ownErrors: ['STEP_UP_REQUIRED', 'PASSWORD_INVALID', 'AUTHENTICATION_FAILED', 'PASSWORD_STATE_INVALID'],
  }),
  write({
    tag,
    id: 'auth.recovery.send_code',
    path: '/v1/auth/recovery/send-code',
    access: 'origin',
    summary: 'Send a code to recover an account',
    description:
      'By SMS to a phone, by email to a verified recovery email. The 8-digit code is valid for 300 seconds, 5 attempts and one use; the last three of a contact are valid. After 20 wrong codes in a day for one contact, 10 of them from one address, no further one is sent or accepted there until the day ends (429). The response does not reveal whether there is such an account.',
    request: RecoveryCodeRequest,
    responses: [response(202, 'A code is on its way if there is such an account.', Challenge)],
    ownErrors: ['IDENTIFIER_INVALID'],
  }),
  write({
    tag,
    id: 'auth.recovery.confirm',
    path: '/v1/auth/recovery/confirm',
    access: 'origin',
    summary: 'Set a new password with a code',
    description:
      'Ends every sign-in and every open code of the account; its API keys stay valid. It does not sign in: log in with the new password. A second factor is still asked for; `removesSecondFactor` removes it after 24 hours, unless somebody who is signed in cancels that. One of the most common passwords is refused.',
    request: RecoveryRequest,
    responses: [response(200, 'The password is replaced.', AccountRecovered)],
    ownErrors: ['VERIFICATION_FAILED', 'PASSWORD_INVALID', 'VERIFICATION_CONFLICT'],
  }),
]

export const sessionIdPattern = '^ses_[A-Za-z0-9]+$'

const SignIn = named('SignIn', {
  sessionId: Type.String({ pattern: sessionIdPattern, description: 'Names the sign-in; it is no credential.' }),
  browser: Type.Union([Type.String({ maxLength: 64 }), Type.Null()], {
    description: 'The browser and the system that signed in, such as `Firefox, Linux`; null if unknown.',
  }),
  network: Type.Union([Type.String({ maxLength: 64 }), Type.Null()], {
    description: 'The network that it came from, without what identifies one machine; null if unknown.',
  }),
  createdAt: DateTime(),
  expiresAt: DateTime(),
  isCurrent: Type.Boolean({ description: 'True for the current session.' }),
})

export const SignInList = named('SignInList', { items: Type.Array(SignIn, { maxItems: 100 }) })

export const EndedSession = named('EndedSession', {
  sessionId: Type.String({ pattern: sessionIdPattern }),
  state: Type.Literal('logged_out'),
})

export const SignedOutEverywhere = named('SignedOutEverywhere', {
  state: Type.Literal('logged_out'),
  endedSessions: Type.Integer({ minimum: 0 }),
})

export type SignInList = Static<typeof SignInList>

export type EndedSession = Static<typeof EndedSession>

export type SignedOutEverywhere = Static<typeof SignedOutEverywhere>

export const signInOperations = [
  view({
    id: 'console.sessions.list',
    tag: 'Sign-ins',
    path: '/v1/console/sessions',
    summary: 'List the active sign-ins',
    response: response(200, 'The sign-ins of the account.', SignInList),
  }),
  write({
    id: 'console.sessions.end_all',
    tag: 'Sign-ins',
    path: '/v1/console/sessions/end-all',
    summary: 'Sign out everywhere',
    description: 'Ends all sessions of the account, including the current one, and clears its cookie.',
    responses: [{ ...response(200, 'All sign-ins are ended.', SignedOutEverywhere), headers: ['Set-Cookie'] }],
  }),
  write({
    id: 'console.sessions.end',
    tag: 'Sign-ins',
    path: '/v1/console/sessions/{sessionId}/end',
    summary: 'End one sign-in',
    description: 'Ending the current session logs out: its cookie is cleared.',
    pathParameters: {
      sessionId: { pattern: sessionIdPattern, code: 'NOT_FOUND' },
    },
    responses: [{ ...response(200, 'The sign-in is ended.', EndedSession), headers: ['Set-Cookie'] }],
    ownErrors: ['NOT_FOUND'],
  }),
]
