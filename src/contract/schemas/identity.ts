import { type Static, Type } from '../../base/schema.ts'
import { Choice, DateTime, failsWith, named, request } from '../field.ts'

export const phonePattern = '^1[3-9][0-9]{9}$'
export const verificationCodePattern = '^[0-9]{6}$'
/** A recovery code gives an account away, so it is longer than the others. */
export const recoveryCodeDigits = 8
export const challengeIdPattern = '^gvc_[A-Za-z0-9]+$'
export const emailMaxLength = 254
export const challengeLifetimeSeconds = 300
export const resendAfterSeconds = 60
export const maxWrongAttempts = 5

const Phone = () =>
  Type.String({ pattern: phonePattern, ...failsWith('PHONE_INVALID'), description: 'Mainland China mobile number.' })
export const Password = () =>
  Type.String({
    minLength: 12,
    maxLength: 128,
    ...failsWith('PASSWORD_INVALID'),
    description: 'Counted in characters.',
    examples: ['correct horse battery staple'],
  })
export const VerificationCode = () =>
  Type.String({ pattern: verificationCodePattern, ...failsWith('VERIFICATION_FAILED') })
export const RecoveryCode = () =>
  Type.String({ pattern: `^[0-9]{${recoveryCodeDigits}}$`, ...failsWith('VERIFICATION_FAILED') })
export const ChallengeId = () => Type.String({ pattern: challengeIdPattern, ...failsWith('VERIFICATION_FAILED') })
export const RecoveryEmail = (description: string) =>
  Type.String({ format: 'email', maxLength: emailMaxLength, ...failsWith('EMAIL_INVALID'), description })
export const Identifier = () =>
  Type.Union([Type.String({ pattern: phonePattern }), Type.String({ format: 'email', maxLength: emailMaxLength })], {
    ...failsWith('IDENTIFIER_INVALID'),
    description: 'A verified phone, or a verified recovery email.',
  })
const Next = () =>
  Type.Optional(Choice(['/console'], { ...failsWith('NEXT_PATH_INVALID'), description: 'Where to go afterwards.' }))

export const SendCodeRequest = request('SendCodeRequest', { phone: Phone() })

export const Challenge = named('Challenge', {
  challengeId: Type.String({ pattern: challengeIdPattern }),
  expiresInSeconds: Type.Literal(challengeLifetimeSeconds),
  resendAfterSeconds: Type.Literal(resendAfterSeconds),
})

export const RegisterRequest = request('RegisterRequest', {
  phone: Phone(),
  verificationCode: VerificationCode(),
  challengeId: ChallengeId(),
  recoveryEmail: RecoveryEmail(
    'Stored as pending_verification: until it is verified, it cannot be used to log in, and other accounts can use it too.',
  ),
  password: Password(),
  next: Next(),
})

export const LoginRequest = request('LoginRequest', {
  identifier: Identifier(),
  password: Password(),
  next: Next(),
})

export const recoveryEmailStates = ['pending_verification', 'verified'] as const

const accountFields = {
  accountId: Type.String({ minLength: 1 }),
  identitySubject: Type.String({ minLength: 1, description: 'Immutable subject of the identity provider.' }),
  phoneMasked: Type.String({ minLength: 1 }),
  recoveryEmailMasked: Type.String({ minLength: 1 }),
  recoveryEmailState: Choice(recoveryEmailStates),
}
export const Account = named('Account', accountFields)
export const CurrentAccount = named('CurrentAccount', { ...accountFields, name: Type.String({ minLength: 1 }) })

const projectId = Type.String({ minLength: 1 })
export const Project = named('Project', { projectId })
export const CurrentProject = named('CurrentProject', { projectId, name: Type.String({ minLength: 1 }) })

export const Session = named('Session', { expiresAt: DateTime() })
export const csrfTokenMinLength = 10
export const CsrfToken = Type.String({ minLength: csrfTokenMinLength, description: 'Send it back as X-CSRF-Token.' })

export const AuthResponse = named('AuthResponse', {
  account: Account,
  project: Project,
  session: Session,
  csrfToken: CsrfToken,
  redirectTo: Choice(['/console', '/gateway/console']),
})

export const LoggedOut = named('LoggedOut', { state: Type.Literal('logged_out') })

export type SendCodeRequest = Static<typeof SendCodeRequest>
export type RegisterRequest = Static<typeof RegisterRequest>
export type LoginRequest = Static<typeof LoginRequest>
export type Challenge = Static<typeof Challenge>
export type Account = Static<typeof Account>
export type CurrentAccount = Static<typeof CurrentAccount>
export type AuthResponse = Static<typeof AuthResponse>
