import { type Static, Type } from '../../../../base/schema.ts'
import { DateTime, failsWith, Nullable, named, request } from '../../../../contract/field.ts'
import { response } from '../../../../contract/operation.ts'
import { view, write } from '../../../../contract/operations/access.ts'
import { AuthResponse, Password } from '../../../../contract/schemas/identity.ts'

export const recoveryCodeCount = 10

const Code = () =>
  Type.String({
    minLength: 6,
    maxLength: 32,
    description: 'Six digits from the authenticator app, or a recovery code.',
    ...failsWith('SECOND_FACTOR_FAILED'),
  })

export const FactorCodeRequest = request('FactorCodeRequest', { code: Code() })

export const SetUpTotpRequest = request('SetUpTotpRequest', { password: Password() })

export const SecondFactor = named('SecondFactor', {
  totpSince: Nullable(DateTime('Since when one-time codes are required; null if they are not.')),
  recoveryCodesLeft: Type.Integer({ minimum: 0, maximum: recoveryCodeCount }),
  provenUntil: Nullable(DateTime('Until when this session can change what the second factor protects.')),
  removedAt: Nullable(DateTime('When the second factor will be removed, because a recovery asked for it.')),
})

export const TotpSetup = named('TotpSetup', {
  totpUri: Type.String({ minLength: 1, description: 'Shown once, as a QR code and as text. Valid for 15 minutes.' }),
})

const RecoveryCodes = Type.Array(Type.String({ minLength: 1 }), {
  minItems: recoveryCodeCount,
  maxItems: recoveryCodeCount,
  description: 'Shown only once. Each can be used once.',
})

export const NewRecoveryCodes = named('NewRecoveryCodes', { recoveryCodes: RecoveryCodes })

export const FactorAdded = named('FactorAdded', {
  recoveryCodes: Type.Union([RecoveryCodes, Type.Null()], { description: 'Null if the account already has some.' }),
})

export const FactorProven = named('FactorProven', { provenUntil: DateTime() })

export type FactorCodeRequest = Static<typeof FactorCodeRequest>
export type SetUpTotpRequest = Static<typeof SetUpTotpRequest>
export type SecondFactor = Static<typeof SecondFactor>
export type TotpSetup = Static<typeof TotpSetup>
export type NewRecoveryCodes = Static<typeof NewRecoveryCodes>
export type FactorAdded = Static<typeof FactorAdded>
export type FactorProven = Static<typeof FactorProven>

const tag = 'Account security'
const path = '/v1/console/second-factor'
const inForce = (description: string) => response(200, description, SecondFactor)

export const secondFactorOperations = [
  write({
    tag,
    id: 'auth.second_factor',
    path: '/v1/auth/second-factor',
    access: 'origin',
    summary: 'Confirm the second factor of a sign-in',
    description:
      'Follows a login that got `SECOND_FACTOR_REQUIRED`, within 5 minutes; the cookie of that response identifies it. Five wrong codes from one address in 15 minutes, or 20 in a day, are refused until that time is over (429).',
    request: FactorCodeRequest,
    responses: [{ ...response(200, 'Signed in.', AuthResponse), headers: ['Set-Cookie'] }],
    ownErrors: ['SECOND_FACTOR_FAILED', 'SIGN_IN_EXPIRED'],
  }),
  view({
    tag,
    id: 'console.second_factor.read',
    path,
    summary: 'Read the second factor',
    response: inForce('What the account requires in addition to the password.'),
  }),
  write({
    tag,
    id: 'console.second_factor.prove',
    path: `${path}/prove`,
    summary: 'Confirm the second factor',
    description: 'Allows changes to keys, password, email, webhooks and payments in this session for 15 minutes.',
    request: FactorCodeRequest,
    responses: [response(200, 'Proven.', FactorProven)],
    ownErrors: ['SECOND_FACTOR_FAILED', 'SECOND_FACTOR_NOT_SET_UP'],
  }),
  write({
    tag,
    id: 'console.second_factor.totp.set_up',
    path: `${path}/totp`,
    summary: 'Set up an authenticator app',
    description: 'Nothing changes until a first code confirms it. A wrong password counts as a failed login.',
    request: SetUpTotpRequest,
    responses: [response(200, 'The secret for the app.', TotpSetup)],
    ownErrors: [
      'STEP_UP_REQUIRED',
      'PASSWORD_INVALID',
      'AUTHENTICATION_FAILED',
      'PASSWORD_STATE_INVALID',
      'SECOND_FACTOR_EXISTS',
    ],
  }),
  write({
    tag,
    id: 'console.second_factor.totp.confirm',
    path: `${path}/totp/confirm`,
    summary: 'Confirm the authenticator app with a first code',
    description: 'From then on, the account requires a code at every login. Every address of the account is notified.',
    request: FactorCodeRequest,
    responses: [response(200, 'In force, with ten recovery codes.', FactorAdded)],
    ownErrors: ['STEP_UP_REQUIRED', 'SECOND_FACTOR_FAILED', 'SECOND_FACTOR_NOT_SET_UP'],
  }),
  write({
    tag,
    id: 'console.second_factor.totp.remove',
    path: `${path}/totp/remove`,
    summary: 'Remove the authenticator app',
    description: 'Removing the last second factor also invalidates the recovery codes.',
    responses: [inForce('What is left.')],
    ownErrors: ['STEP_UP_REQUIRED', 'SECOND_FACTOR_NOT_SET_UP'],
  }),
  write({
    tag,
    id: 'console.second_factor.recovery_codes.replace',
    path: `${path}/recovery-codes`,
    summary: 'Replace the recovery codes',
    description: 'The old ones stop working.',
    responses: [response(200, 'Ten new codes.', NewRecoveryCodes)],
    ownErrors: ['STEP_UP_REQUIRED', 'SECOND_FACTOR_NOT_SET_UP'],
  }),
  write({
    tag,
    id: 'console.second_factor.removal.cancel',
    path: `${path}/removal/cancel`,
    summary: 'Keep the second factor',
    description: 'Cancels the removal that a recovery requested. Does nothing if there is none.',
    responses: [inForce('What stays in force.')],
  }),
]
