import { Refusal } from '../contract/errors.ts'
import { newId } from '../contract/ids.ts'
import { maxWrongAttempts, type RegisterRequest } from '../contract/schemas/identity.ts'
import { requireKnownSecrets } from '../secrets/check-secret.ts'
import type { Authenticated, IdentityDeps } from './deps.ts'
import { isDigestOf, tokenDigest } from './digests.ts'
import { AccountConflict, type AccountRow, type ChallengeRow } from './ports.ts'

/** Fixed, so that nothing visible to others is derived from the phone. */
const accountName = 'Personal account'
const projectName = 'Personal project'

/** Consumes the challenge and creates identity, account, project and session in one transaction. */
export async function register(deps: IdentityDeps, request: RegisterRequest): Promise<Authenticated> {
  const { store, sessions, keyring, digests, contacts, passwords, identityProvider, clock } = deps
  await checkCode(deps, request)
  // Before the transaction, because hashing is slow.
  const passwordDigest = await passwords.hash(request.password)
  const identitySubject = await identityProvider.subjectOf(request.phone)

  const challengeDigest = tokenDigest('challenge', request.challengeId)
  const accountId = newId('acc')
  const phone = contacts.phone(accountId, request.phone)
  const recoveryEmail = contacts.email(accountId, request.recoveryEmail)
  const account: AccountRow = {
    accountId,
    name: accountName,
    identitySubject,
    phoneMasked: phone.masked,
    recoveryEmailMasked: recoveryEmail.masked,
    recoveryEmailState: 'pending_verification',
    projectId: newId('prj'),
    projectName,
  }
  const created = store.write(async (tx) => {
    const at = clock()
    if (!(await tx.consumeChallenge(challengeDigest, maxWrongAttempts, at))) {
      const challenge = await tx.challenge(challengeDigest)
      throw new Refusal(challenge?.consumedAt ? 'VERIFICATION_CONFLICT' : 'VERIFICATION_FAILED')
    }
    requireKnownSecrets(await tx.secretVersions(), keyring)
    if (await tx.isPhoneRegistered(digests.phone(request.phone))) throw new Refusal('ACCOUNT_ALREADY_EXISTS')
    await tx.createAccount({ ...account, recoveryEmail, passwordDigest, phone, at })
    return { account, session: await sessions.open(tx, account) }
  })
  return created.catch((error) => {
    throw error instanceof AccountConflict ? new Refusal('ACCOUNT_UNAVAILABLE', { cause: error }) : error
  })
}

/**
 * Counts a wrong code in its own transaction, so that the refusal does not undo the count. Concurrent guesses are checked one
 * at a time, so that none beyond the limit is ever compared.
 */
async function checkCode({ store, digests, clock }: IdentityDeps, request: RegisterRequest): Promise<void> {
  const challengeDigest = tokenDigest('challenge', request.challengeId)
  const fault = await store.write(async (tx) => {
    const challenge = await tx.lockChallenge(challengeDigest)
    if (!challenge || challenge.wrongAttempts >= maxWrongAttempts) return 'VERIFICATION_FAILED'
    const isRight =
      challenge.purpose === 'registration' &&
      isDigestOf(challenge.contactDigest, digests.phone(request.phone)) &&
      isDigestOf(challenge.codeDigest, digests.code(request.challengeId, request.verificationCode))
    if (isRight && challenge.consumedAt !== null) return 'VERIFICATION_CONFLICT'
    if (isRight && isUsable(challenge, clock())) return null
    if (!isRight) await tx.countWrongAttempt(challengeDigest)
    return 'VERIFICATION_FAILED'
  })
  if (fault) throw new Refusal(fault)
}

const isUsable = (challenge: ChallengeRow, now: number) =>
  challenge.consumedAt === null &&
  challenge.invalidatedAt === null &&
  challenge.expiresAt > now &&
  challenge.wrongAttempts < maxWrongAttempts
