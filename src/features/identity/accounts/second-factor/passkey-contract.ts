import { type Static, Type } from '../../../../base/schema.ts'
import { DateTime, DisplayName, failsWith, Nullable, named, request } from '../../../../contract/field.ts'
import { response } from '../../../../contract/operation.ts'
import { view, write } from '../../../../contract/operations/access.ts'
import { AuthResponse, Password } from '../../../../contract/schemas/identity.ts'
import { FactorAdded, FactorProven } from './contract.ts'

export const maxPasskeys = 10

const passkeyIdPattern = '^psk_[A-Za-z0-9]+$'

const Bytes = (maxLength: number, description: string) =>
  Type.String({ pattern: '^[A-Za-z0-9_-]+$', maxLength, description, ...failsWith('PASSKEY_FAILED') })

const Text = () => Type.String({ minLength: 1 })
const CredentialType = () => Type.Literal('public-key')
const transports = () => Type.Array(Type.String({ maxLength: 32 }), { maxItems: 10, ...failsWith('PASSKEY_FAILED') })

const KnownCredential = named('KnownCredential', {
  id: Text(),
  type: CredentialType(),
  transports: Type.Array(Text(), { maxItems: 10 }),
})

/** What the browser is given; `parseCreationOptionsFromJSON` reads it. */
export const PasskeyCreation = named('PasskeyCreation', {
  challenge: Text(),
  rp: named('PasskeySite', { id: Text(), name: Text() }),
  user: named('PasskeyUser', { id: Text(), name: Text(), displayName: Text() }),
  pubKeyCredParams: Type.Array(named('PasskeyAlgorithm', { type: CredentialType(), alg: Type.Integer() })),
  timeout: Type.Integer({ minimum: 1 }),
  excludeCredentials: Type.Array(KnownCredential, { maxItems: maxPasskeys }),
  authenticatorSelection: named('PasskeySelection', {
    residentKey: Type.Literal('required'),
    userVerification: Type.Literal('required'),
  }),
  attestation: Type.Literal('none'),
})

/** What the browser is given; `parseRequestOptionsFromJSON` reads it. */
export const PasskeyRequest = named('PasskeyRequest', {
  challenge: Text(),
  rpId: Text(),
  timeout: Type.Integer({ minimum: 1 }),
  userVerification: Type.Literal('required'),
  allowCredentials: Type.Array(KnownCredential, {
    maxItems: maxPasskeys,
    description: 'Empty to allow any passkey of this site.',
  }),
})

export const StartPasskeyRequest = request('StartPasskeyRequest', { password: Password() })

export const AddPasskeyRequest = request('AddPasskeyRequest', {
  name: DisplayName(),
  id: Bytes(1400, 'The id of the credential.'),
  clientDataJSON: Bytes(4096, 'As the browser returned it, in base64url.'),
  attestationObject: Bytes(8192, 'As the browser returned it, in base64url.'),
  transports: transports(),
})

export const RenamePasskeyRequest = request('RenamePasskeyRequest', { name: DisplayName() })

export const PasskeyProofRequest = request('PasskeyProofRequest', {
  id: Bytes(1400, 'The id of the credential.'),
  clientDataJSON: Bytes(4096, 'As the browser returned it, in base64url.'),
  authenticatorData: Bytes(2048, 'As the browser returned it, in base64url.'),
  signature: Bytes(1024, 'As the browser returned it, in base64url.'),
  userHandle: Bytes(128, 'Whose passkey it is, as the browser returned it.'),
})

export const Passkey = named('Passkey', {
  passkeyId: Type.String({ pattern: passkeyIdPattern }),
  name: Text(),
  createdAt: DateTime(),
  lastUsedAt: Nullable(DateTime()),
})

export const PasskeyList = named('PasskeyList', { items: Type.Array(Passkey, { maxItems: maxPasskeys }) })

export type PasskeyCreation = Static<typeof PasskeyCreation>
export type PasskeyRequest = Static<typeof PasskeyRequest>
export type StartPasskeyRequest = Static<typeof StartPasskeyRequest>
export type AddPasskeyRequest = Static<typeof AddPasskeyRequest>
export type RenamePasskeyRequest = Static<typeof RenamePasskeyRequest>
export type PasskeyProofRequest = Static<typeof PasskeyProofRequest>
export type PasskeyList = Static<typeof PasskeyList>

const tag = 'Account security'
const path = '/v1/console/second-factor/passkeys'

const passkeyId = {
  pattern: passkeyIdPattern,
  code: 'PASSKEY_NOT_FOUND',
} as const

export const passkeyOperations = [
  write({
    tag,
    id: 'auth.passkey.start',
    path: '/v1/auth/passkey/start',
    access: 'origin',
    summary: 'Start a sign-in with a passkey',
    description: 'The challenge is valid for 5 minutes and one use.',
    responses: [response(200, 'What the browser asks its authenticator.', PasskeyRequest)],
  }),
  write({
    tag,
    id: 'auth.passkey.finish',
    path: '/v1/auth/passkey',
    access: 'origin',
    summary: 'Sign in with a passkey',
    description:
      'The passkey says whose it is. The authenticator must have verified the user, and the origin must be this one.',
    request: PasskeyProofRequest,
    responses: [{ ...response(200, 'Signed in.', AuthResponse), headers: ['Set-Cookie'] }],
    ownErrors: ['PASSKEY_FAILED'],
  }),
  view({
    tag,
    id: 'console.passkeys.list',
    path,
    summary: 'List the passkeys',
    response: response(200, 'The passkeys of the account.', PasskeyList),
  }),
  write({
    tag,
    id: 'console.passkeys.start',
    path: `${path}/start`,
    summary: 'Start adding a passkey',
    description:
      'A wrong password counts as a failed login. The challenge is valid in this session, for 5 minutes and one use.',
    request: StartPasskeyRequest,
    responses: [response(200, 'What the browser asks its authenticator.', PasskeyCreation)],
    ownErrors: [
      'STEP_UP_REQUIRED',
      'PASSWORD_INVALID',
      'AUTHENTICATION_FAILED',
      'PASSWORD_STATE_INVALID',
      'PASSKEY_LIMIT_REACHED',
    ],
  }),
  write({
    tag,
    id: 'console.passkeys.add',
    path,
    summary: 'Add a passkey',
    description: 'Every address of the account is notified. The first second factor comes with ten recovery codes.',
    request: AddPasskeyRequest,
    responses: [response(200, 'Added.', FactorAdded)],
    ownErrors: ['STEP_UP_REQUIRED', 'INVALID_NAME', 'PASSKEY_FAILED', 'PASSKEY_LIMIT_REACHED'],
  }),
  write({
    tag,
    id: 'console.passkeys.rename',
    path: `${path}/{passkeyId}/rename`,
    summary: 'Rename a passkey',
    pathParameters: { passkeyId },
    request: RenamePasskeyRequest,
    responses: [response(200, 'The passkeys with their names.', PasskeyList)],
    ownErrors: ['STEP_UP_REQUIRED', 'INVALID_NAME', 'PASSKEY_NOT_FOUND'],
  }),
  write({
    tag,
    id: 'console.passkeys.remove',
    path: `${path}/{passkeyId}/remove`,
    summary: 'Remove a passkey',
    description: 'Removing the last second factor also invalidates the recovery codes.',
    pathParameters: { passkeyId },
    responses: [response(200, 'What is left.', PasskeyList)],
    ownErrors: ['STEP_UP_REQUIRED', 'PASSKEY_NOT_FOUND'],
  }),
  write({
    tag,
    id: 'console.passkeys.ask',
    path: `${path}/ask`,
    summary: 'Start confirming with a passkey',
    responses: [response(200, 'What the browser asks its authenticator.', PasskeyRequest)],
  }),
  write({
    tag,
    id: 'console.passkeys.prove',
    path: `${path}/prove`,
    summary: 'Confirm with a passkey',
    description: 'Allows changes in this session for 15 minutes, as a one-time code does.',
    request: PasskeyProofRequest,
    responses: [response(200, 'Proven.', FactorProven)],
    ownErrors: ['PASSKEY_FAILED'],
  }),
]
