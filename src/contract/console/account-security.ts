import { type Static, Type } from 'typebox'
import { Choice, named, request } from '../field.ts'
import {
  ChallengeId,
  challengeIdPattern,
  Identifier,
  Password,
  RecoveryCode,
  RecoveryEmail,
  recoveryEmailStates,
  resendAfterSeconds,
  VerificationCode,
} from '../schemas/identity.ts'

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
})

export const ChangePasswordRequest = request('ChangePasswordRequest', {
  currentPassword: Password(),
  newPassword: Password(),
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
export type PasswordChanged = Static<typeof PasswordChanged>
