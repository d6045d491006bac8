import type {
  PasskeyCreation,
  PasskeyRequest,
} from '../../../../src/features/identity/accounts/second-factor/passkey-contract.ts'

/** Whether this browser and this address can use passkeys. An address of digits cannot be the name of a site. */
export const canUsePasskeys = (): boolean =>
  typeof PublicKeyCredential !== 'undefined' &&
  'parseCreationOptionsFromJSON' in PublicKeyCredential &&
  !/^[\d.]+$|^\[/.test(location.hostname)

/** The user closed the question, or the device has no passkey. */
export class PasskeyCancelled extends Error {}

const cancelled = (cause: unknown): never => {
  throw new PasskeyCancelled('cancelled', { cause })
}

export async function createPasskey(options: PasskeyCreation) {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  )
  const credential = (await navigator.credentials.create({ publicKey }).catch(cancelled)) as PublicKeyCredential
  const { id, response } = credential.toJSON() as RegistrationResponseJSON
  const { clientDataJSON, attestationObject, transports = [] } = response
  return { id, clientDataJSON, attestationObject, transports }
}

export async function askAuthenticator(options: PasskeyRequest) {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  )
  const credential = (await navigator.credentials.get({ publicKey }).catch(cancelled)) as PublicKeyCredential
  const { id, response } = credential.toJSON() as AuthenticationResponseJSON
  const { clientDataJSON, authenticatorData, signature, userHandle = '' } = response
  return { id, clientDataJSON, authenticatorData, signature, userHandle }
}
