import { newSortableId } from '../../../../base/ids.ts'
import { tokenDigest } from '../../../../base/signatures.ts'
import { isoOf, isoOrNull } from '../../../../base/time.ts'
import { Refusal } from '../../../../contract/errors.ts'
import type { SignedIn } from '../../../../http/guards.ts'
import type { Authenticated, SignedInContext } from '../accounts.ts'
import { provePassword } from '../change-password.ts'
import { cancelRemoval, noteFactorChange } from '../factor-removal.ts'
import { stepUpMs } from '../guards.ts'
import { finishSignIn, type LoginContext } from '../sign-in.ts'
import type { Credentials } from '../store.ts'
import type { FactorAdded } from './contract.ts'
import { challengeMs, type PasskeyChallenges } from './passkey-challenges.ts'
import {
  type AddPasskeyRequest,
  maxPasskeys,
  type PasskeyCreation,
  type PasskeyList,
  type PasskeyProofRequest,
  type PasskeyRequest,
  type StartPasskeyRequest,
} from './passkey-contract.ts'
import type { FactorDeps } from './proof.ts'
import { afterAdding, dropUnneeded, lock } from './second-factor.ts'
import type { FactorReader, FactorWriter, PasskeyRow } from './store.ts'

export interface PasskeyDeps extends FactorDeps {
  readonly challenges: PasskeyChallenges
  /** From the configuration only; the Host of a request is not trusted. */
  readonly origin: URL
}

/** Loaded with the first passkey: it is a tenth of the start, and most installations have none. */
const webauthn = () => import('@simplewebauthn/server')

const siteName = 'API Relay Gateway'
/** Ed25519, ES256 and RS256, which all authenticators together know. */
const algorithms = [-8, -7, -257]

const knownCredential = ({ credentialId, transports }: PasskeyRow) => ({
  id: credentialId,
  type: 'public-key' as const,
  transports: transports.filter((name) => name !== ''),
})

/** The password is asked for, as for an authenticator app. */
export async function startPasskey(
  { factors, flows, challenges, origin }: PasskeyDeps,
  { password }: StartPasskeyRequest,
  { session: { accountId, sessionDigest }, requester }: SignedInContext,
): Promise<PasskeyCreation> {
  const { phoneMasked } = await provePassword(flows, { accountId, password, requester })
  const passkeys = await factors.read((tx) => tx.passkeysOf(accountId))
  if (passkeys.length >= maxPasskeys) throw new Refusal('PASSKEY_LIMIT_REACHED')
  return {
    challenge: challenges.issue({ purpose: 'register', sessionDigest }),
    rp: { id: origin.hostname, name: siteName },
    // Opaque, so that an authenticator learns no phone number.
    user: { id: userHandleOf(accountId), name: phoneMasked, displayName: phoneMasked },
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: challengeMs,
    excludeCredentials: passkeys.map(knownCredential),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    attestation: 'none',
  }
}

const userHandleOf = (accountId: string) => Buffer.from(accountId).toString('base64url')

export async function addPasskey(
  deps: PasskeyDeps,
  { name, id, clientDataJSON, attestationObject, transports }: AddPasskeyRequest,
  { accountId, sessionDigest }: SignedIn,
): Promise<FactorAdded> {
  const { factors, flows, origin } = deps
  const challenge = openChallenge(deps, { purpose: 'register', sessionDigest })
  const { verifyRegistrationResponse } = await webauthn()
  const { registrationInfo } = await refuseFaults(() =>
    verifyRegistrationResponse({
      response: {
        ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
        response: { clientDataJSON, attestationObject },
      },
      expectedChallenge: challenge.isExpected,
      expectedOrigin: origin.origin,
      expectedRPID: origin.hostname,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    }),
  )
  if (!registrationInfo) throw new Refusal('PASSKEY_FAILED')
  const { id: credentialId, publicKey, counter } = registrationInfo.credential
  const added = await factors.write(async (tx) => {
    const account = await lock(tx, accountId)
    await challenge.useUp(tx)
    if ((await tx.passkeysOf(accountId)).length >= maxPasskeys) throw new Refusal('PASSKEY_LIMIT_REACHED')
    const at = flows.clock()
    const row = {
      ...{
        passkeyId: newSortableId('psk', at),
        accountId,
        credentialId,
        name,
        transports,
        signCount: counter,
        createdAt: at,
      },
      publicKey: Buffer.from(publicKey).toString('base64url'),
    }
    if (!(await tx.addPasskey(row))) throw new Refusal('PASSKEY_FAILED')
    await noteFactorChange(tx, flows, account, 'passkey_added')
    return afterAdding(tx, { account, sessionDigest, at })
  })
  flows.outbox.wake()
  return added
}

/** Any passkey of this site: it says whose it is. */
export const startSignIn = ({ challenges, origin }: PasskeyDeps): PasskeyRequest => ({
  challenge: challenges.issue({ purpose: 'sign_in', sessionDigest: null }),
  ...requestTo(origin),
  allowCredentials: [],
})

const requestTo = (origin: URL) =>
  ({ rpId: origin.hostname, timeout: challengeMs, userVerification: 'required' }) as const

/** A verified passkey is two factors: the device, and what unlocks it. No password is asked for. */
export async function signInWithPasskey(
  deps: PasskeyDeps,
  proof: PasskeyProofRequest,
  context: LoginContext,
): Promise<Authenticated> {
  const { factors, flows } = deps
  const passkey = await factors.read((tx) => tx.passkeyToSignIn(proof.id))
  const use = await verifyProof(deps, proof, passkey, null)
  const signedIn = await factors.write(async (tx) => {
    const account = await lock(tx, use.accountId)
    if (await tx.isSuspended(account.accountId)) throw new Refusal('PASSKEY_FAILED')
    await use.accept(tx, account)
    return finishSignIn(tx, flows, account, { ...context, factorAt: flows.clock() })
  })
  flows.outbox.wake()
  return signedIn
}

export async function askForPasskey(deps: PasskeyDeps, session: SignedIn): Promise<PasskeyRequest> {
  const { accountId, sessionDigest } = session
  const passkeys = await deps.factors.read((tx) => tx.passkeysOf(accountId))
  return {
    challenge: deps.challenges.issue({ purpose: 'prove', sessionDigest }),
    ...requestTo(deps.origin),
    allowCredentials: passkeys.map(knownCredential),
  }
}

/** Allows changes in this session for a while. Returns until when. */
export async function provePasskey(
  deps: PasskeyDeps,
  proof: PasskeyProofRequest,
  { accountId, sessionDigest }: SignedIn,
): Promise<number> {
  const { factors, flows } = deps
  const passkeys = await factors.read((tx) => tx.passkeysOf(accountId))
  const passkey = passkeys.find(({ credentialId }) => credentialId === proof.id)
  const use = await verifyProof(deps, proof, passkey, sessionDigest)
  const provenAt = await factors.write(async (tx) => {
    await use.accept(tx, await lock(tx, accountId))
    const at = flows.clock()
    await tx.proveFactor(sessionDigest, at)
    return at
  })
  flows.outbox.wake()
  return provenAt + stepUpMs
}

/** Checks the signature before any transaction; `accept` then uses challenge and counter up, so that one proof works once. */
async function verifyProof(
  deps: PasskeyDeps,
  { id, userHandle, ...signed }: PasskeyProofRequest,
  passkey: PasskeyRow | undefined,
  sessionDigest: string | null,
) {
  if (!passkey || userHandle !== userHandleOf(passkey.accountId)) throw new Refusal('PASSKEY_FAILED')
  const { flows, origin } = deps
  const purpose = sessionDigest === null ? 'sign_in' : 'prove'
  const challenge = openChallenge(deps, { purpose, sessionDigest })
  const { verifyAuthenticationResponse } = await webauthn()
  const { verified, authenticationInfo } = await refuseFaults(() =>
    verifyAuthenticationResponse({
      response: {
        ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
        response: { ...signed, userHandle },
      },
      expectedChallenge: challenge.isExpected,
      expectedOrigin: origin.origin,
      expectedRPID: origin.hostname,
      requireUserVerification: true,
      credential: {
        id,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        counter: passkey.signCount,
      },
    }),
  )
  if (!verified) throw new Refusal('PASSKEY_FAILED')
  const { newCounter } = authenticationInfo
  return {
    accountId: passkey.accountId,
    async accept(tx: FactorWriter, account: Credentials): Promise<void> {
      await challenge.useUp(tx)
      // A counter that does not rise was copied, or another request was faster. Zero means that the authenticator has none.
      if (!(await tx.usePasskey(id, newCounter, flows.clock()))) throw new Refusal('PASSKEY_FAILED')
      // Someone who can use the factor has not lost it.
      await cancelRemoval(tx, flows, account)
    },
  }
}

/** The challenge that a response was made for: checked by `isExpected`, used up by `useUp`. */
function openChallenge(
  { challenges }: Pick<PasskeyDeps, 'challenges'>,
  use: Parameters<PasskeyChallenges['issue']>[0],
) {
  let found: { readonly digest: string; readonly expiresAt: number } | null = null
  return {
    isExpected(challenge: string): boolean {
      const expiresAt = challenges.expiryOf(challenge, use)
      found = expiresAt === null ? null : { digest: tokenDigest('challenge', challenge), expiresAt }
      return found !== null
    },
    async useUp(tx: FactorWriter): Promise<void> {
      if (!found || !(await tx.useChallenge(found.digest, found.expiresAt))) throw new Refusal('PASSKEY_FAILED')
    },
  }
}

/** The library throws for whatever is wrong with a response. */
async function refuseFaults<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify()
  } catch (cause) {
    throw new Refusal('PASSKEY_FAILED', { cause })
  }
}

export const listPasskeys = ({ factors }: PasskeyDeps, { accountId }: SignedIn): Promise<PasskeyList> =>
  factors.read((tx) => shownPasskeys(tx, accountId))

const shownPasskeys = async (tx: FactorReader, accountId: string): Promise<PasskeyList> => ({
  items: (await tx.passkeysOf(accountId)).map(({ passkeyId, name, createdAt, lastUsedAt }) => ({
    passkeyId,
    name,
    createdAt: isoOf(createdAt),
    lastUsedAt: isoOrNull(lastUsedAt),
  })),
})

/** Sends no notice: a name has no effect. */
export const renamePasskey = (
  { factors }: PasskeyDeps,
  { accountId }: SignedIn,
  { passkeyId, name }: { readonly passkeyId: string; readonly name: string },
): Promise<PasskeyList> =>
  factors.write(async (tx) => {
    if (!(await tx.renamePasskey(accountId, passkeyId, name))) throw new Refusal('PASSKEY_NOT_FOUND')
    return shownPasskeys(tx, accountId)
  })

export async function removePasskey(
  { factors, flows }: PasskeyDeps,
  { accountId }: SignedIn,
  passkeyId: string,
): Promise<PasskeyList> {
  const left = await factors.write(async (tx) => {
    const account = await lock(tx, accountId)
    if (!(await tx.removePasskey(accountId, passkeyId))) throw new Refusal('PASSKEY_NOT_FOUND')
    await noteFactorChange(tx, flows, account, 'passkey_removed')
    await dropUnneeded(tx, accountId)
    return shownPasskeys(tx, accountId)
  })
  flows.outbox.wake()
  return left
}
