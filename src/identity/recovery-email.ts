import {
  type EmailChallenge,
  type EmailVerified,
  emailChallengeLifetimeSeconds,
  type RecoveryEmailRequest,
  type RecoveryEmailStanding,
  type VerifyEmailRequest,
} from '../contract/console/account-security.ts'
import { Refusal } from '../contract/errors.ts'
import { resendAfterSeconds } from '../contract/schemas/identity.ts'
import { requireKnownSecrets } from '../secrets/check-secret.ts'
import { checkCode, consumeCode, newCode, storeCode } from './challenges.ts'
import type { IdentityDeps, SignedInContext } from './deps.ts'
import { isDigestOf } from './digests.ts'
import { addressOf, tell, tellOwner } from './notices.ts'
import { AccountConflict } from './ports.ts'
import { lockProven, provePassword } from './prove-password.ts'

/** Replaces the recovery email. The new one is pending until it is verified; every open code of the account ends. */
export async function replaceRecoveryEmail(
  deps: IdentityDeps,
  { recoveryEmail, password }: RecoveryEmailRequest,
  { session: { accountId }, requester }: SignedInContext,
): Promise<RecoveryEmailStanding> {
  const { store, keyring, digests, contacts, outbox, clock } = deps
  const account = await provePassword(deps, { accountId, password, requester })
  const email = contacts.email(accountId, recoveryEmail)
  const standing = await store.write(async (tx) => {
    const locked = await lockProven(tx, account)
    requireKnownSecrets(await tx.secretVersions(), keyring)
    // The same address again keeps its state and its codes. It may have lacked a sealed copy.
    const isSame = isDigestOf(locked.emailDigest, digests.email(recoveryEmail))
    const state = isSame ? locked.recoveryEmailState : 'pending_verification'
    await tx.setRecoveryEmail(accountId, email, state)
    if (!isSame) {
      await tx.invalidateChallengesOf(accountId, clock())
      await tell(tx, deps, locked, 'phone', 'email_changed')
      if (locked.recoveryEmailState === 'verified') await tell(tx, deps, locked, 'email', 'email_replaced')
    }
    return { recoveryEmailMasked: email.masked, recoveryEmailState: state }
  })
  outbox.wake()
  return standing
}

/** Sends a code to the pending recovery email of the account. */
export async function sendEmailCode(
  deps: IdentityDeps,
  { session: { accountId }, requester }: SignedInContext,
): Promise<EmailChallenge> {
  const { store, digests, contacts, outbox, canSendEmail } = deps
  const account = await store.read((tx) => tx.credentialsOf(accountId))
  if (account?.recoveryEmailState === 'verified') throw new Refusal('VERIFICATION_CONFLICT')
  const to = account && addressOf(contacts, account, 'email')
  if (to === undefined || !canSendEmail) throw new Refusal('EMAIL_DELIVERY_UNAVAILABLE')

  const issued = newCode(deps, {
    contactDigest: digests.email(to).current,
    purpose: 'email_verification',
    accountId,
    lifetimeSeconds: emailChallengeLifetimeSeconds,
  })
  const { challengeId, code, row } = issued
  const content = { kind: 'verification', to, code, challengeId } as const
  const message = outbox.prepare('email', content, { accountId, expiresAt: row.expiresAt })
  await storeCode(deps, issued, requester, (tx) => tx.addMessage(message))
  outbox.wake()
  return { challengeId, expiresInSeconds: emailChallengeLifetimeSeconds, resendAfterSeconds }
}

/** Verifies the address that the code was sent to, provided that no other account has verified it. */
export async function verifyEmail(
  deps: IdentityDeps,
  request: VerifyEmailRequest,
  { session: { accountId }, requester }: SignedInContext,
): Promise<EmailVerified> {
  const { store, keyring, digests, contacts, outbox, clock } = deps
  const challenge = await checkCode(deps, request, {
    requester,
    isMeant: ({ purpose, accountId: owner }) => purpose === 'email_verification' && owner === accountId,
  })
  const verified = store.write(async (tx) => {
    const account = await tx.lockAccount(accountId)
    const email = account && addressOf(contacts, account, 'email')
    await consumeCode(tx, request, clock())
    if (email === undefined || !isDigestOf(challenge.contactDigest, digests.email(email)))
      throw new Refusal('VERIFICATION_FAILED')
    requireKnownSecrets(await tx.secretVersions(), keyring)
    const owner = await tx.accountIdOf('email', digests.email(email))
    if (owner !== undefined && owner !== accountId) throw new Refusal('ACCOUNT_UNAVAILABLE')
    // Digested with the current secret: the unique index compares digests of one secret only.
    await tx.setRecoveryEmail(accountId, contacts.email(accountId, email), 'verified')
    await tellOwner(tx, deps, { ...account!, recoveryEmailState: 'verified' }, 'email_verified')
  })
  await verified.catch((error) => {
    throw error instanceof AccountConflict ? new Refusal('ACCOUNT_UNAVAILABLE', { cause: error }) : error
  })
  outbox.wake()
  return { recoveryEmailState: 'verified' }
}
