import { isoOrNull } from '../../../base/time.ts'
import { after } from '../../../base/timers.ts'
import { Refusal } from '../../../contract/errors.ts'
import { type Challenge, challengeLifetimeSeconds, resendAfterSeconds } from '../../../contract/schemas/identity.ts'
import { requireKnownSecrets } from '../../../ops/secrets.ts'
import type { AccountFlowDeps, RequestContext, SignedInContext } from './accounts.ts'
import type { ChallengePurpose } from './challenge-store.ts'
import { checkCode, consumeCode, newCode, storeCode, storeCodeIn } from './challenges.ts'
import { lockProven, provePassword, requireUncommon } from './change-password.ts'
import { isRecovery } from './code-limits.ts'
import { type ContactKind, isDigestOf } from './contacts.ts'
import {
  type AccountRecovered,
  type EmailChallenge,
  type EmailVerified,
  emailChallengeLifetimeSeconds,
  type RecoveryCodeRequest,
  type RecoveryEmailRequest,
  type RecoveryEmailStanding,
  type RecoveryRequest,
  type VerifyEmailRequest,
} from './contract.ts'
import { startRemoval } from './factor-removal.ts'
import { addressOf, channelOf, notifyContact, notifyOwner } from './notices.ts'
import { AccountConflict, type AccountWriter } from './store.ts'

/**
 * Sends a code to the phone or verified email of an account. An unknown identifier costs the same work and gets the same
 * response: a code that is never revealed, and a message that is never sent.
 */
export async function sendRecoveryCode(
  deps: AccountFlowDeps,
  { identifier }: RecoveryCodeRequest,
  { requester }: RequestContext,
): Promise<Challenge> {
  const { store, digests } = deps
  const kind = identifier.includes('@') ? 'email' : 'phone'
  const contact = digests[kind](identifier)
  const accountId = (await store.read((tx) => tx.accountIdOf(kind, contact))) ?? null
  return issueRecovery(deps, { kind, to: identifier, contactDigest: contact.current, accountId }, requester)
}

/** What a recovery that an operator starts needs: it runs in the operator's transaction, also from the command line. */
type RecoveryStartDeps = Pick<
  AccountFlowDeps,
  'digests' | 'contacts' | 'outbox' | 'limiter' | 'limits' | 'codes' | 'clock'
>

/**
 * Sends a code to the account's own phone: its owner gets the code, and the operator who asked the id that belongs to it. Null if
 * that phone cannot be written to. Its purpose is its own, so that strangers who ask
 * for codes and guess them cannot close this way too: they do not learn the id of its challenge.
 */
export async function startRecovery(deps: RecoveryStartDeps, tx: AccountWriter, accountId: string) {
  const account = await tx.credentialsOf(accountId)
  const to = account && addressOf(deps.contacts, account, 'phone')
  if (to === undefined) return null
  const contactDigest = deps.digests.phone(to).current
  const target = { kind: 'phone', to, contactDigest, accountId } as const
  const { issued, message } = prepareRecovery(deps, target, 'operator_recovery')
  await storeCodeIn(deps, tx, issued, { requesterDigest: null })
  await tx.addMessage(message)
  return { challengeId: issued.challengeId, expiresAt: issued.row.expiresAt }
}

/** After the response is out: the work of a delivery must not show in its time. */
const wakeAfterMs = 50

interface RecoveryTarget {
  readonly kind: ContactKind
  readonly to: string
  readonly contactDigest: string
  readonly accountId: string | null
}

async function issueRecovery(deps: AccountFlowDeps, target: RecoveryTarget, requester: string): Promise<Challenge> {
  const { issued, message } = prepareRecovery(deps, target, 'recovery')
  await storeCode(deps, issued, { requester, isByEmail: target.kind === 'email', message })
  after(wakeAfterMs, deps.outbox.wake).unref()
  return { challengeId: issued.challengeId, expiresInSeconds: challengeLifetimeSeconds, resendAfterSeconds }
}

function prepareRecovery(
  deps: Pick<AccountFlowDeps, 'digests' | 'outbox' | 'clock'>,
  target: RecoveryTarget,
  purpose: ChallengePurpose,
) {
  const { kind, to, contactDigest, accountId } = target
  const issued = newCode(deps, {
    contactDigest,
    purpose,
    accountId,
    lifetimeSeconds: challengeLifetimeSeconds,
  })
  const { challengeId, code, row } = issued
  const channel = accountId === null ? 'none' : channelOf[kind]
  const content = { kind: 'recovery', to, code, challengeId } as const
  // Names no account: the check of the reference would cost time for known identifiers only.
  const message = deps.outbox.prepare(channel, content, { accountId: null, expiresAt: row.expiresAt })
  return { issued, message }
}

/** Replaces the password and ends every session and open code of the account in one commit. Its keys stay valid. */
export async function confirmRecovery(
  deps: AccountFlowDeps,
  request: RecoveryRequest,
  { requester }: RequestContext,
): Promise<AccountRecovered> {
  const { store, passwords, outbox, clock } = deps
  requireUncommon(request.newPassword)
  const { accountId } = await checkCode(deps, request, {
    requester,
    isMeant: (challenge) => isRecovery(challenge.purpose) && challenge.accountId !== null,
  })
  // Before the transaction, because hashing is slow.
  const passwordDigest = await passwords.hash(request.newPassword)
  const removedAt = await store.write(async (tx) => {
    const account = await tx.lockAccount(accountId!)
    if (!account) throw new Refusal('VERIFICATION_FAILED')
    const at = clock()
    await consumeCode(tx, request, at)
    await tx.replacePasswordDigest(account.accountId, account.passwordDigest, passwordDigest)
    await tx.endSessionsOf(account.accountId)
    await tx.endOpenProofsOf(account.accountId, at)
    const { projectId } = account
    await tx.addEvent({ type: 'account.password_changed', at, projectId, data: { by: 'recovery' } })
    await notifyOwner(tx, deps, account, 'password_recovered')
    if (!account.hasFactor) return null
    if (request.removesSecondFactor) await startRemoval(tx, deps, account)
    return tx.removalDueAt(account.accountId)
  })
  outbox.wake()
  return { state: 'password_changed', secondFactorRemovedAt: isoOrNull(removedAt) }
}

/** Replaces the recovery email. The new one is pending until it is verified; every open code of the account ends. */
export async function replaceRecoveryEmail(
  deps: AccountFlowDeps,
  { recoveryEmail, password }: RecoveryEmailRequest,
  { session: { accountId }, requester }: SignedInContext,
): Promise<RecoveryEmailStanding> {
  const { store, keyring, digests, contacts, outbox, clock } = deps
  const account = await provePassword(deps, { accountId, password, requester })
  const email = contacts.email(accountId, recoveryEmail)
  const changed = await store.write(async (tx) => {
    const locked = await lockProven(tx, account)
    requireKnownSecrets(await tx.secretVersions(), keyring)
    // The same address again keeps its state and its codes. It may have lacked a sealed copy.
    const isSame = isDigestOf(locked.emailDigest, digests.email(recoveryEmail))
    const state = isSame ? locked.recoveryEmailState : 'pending_verification'
    await tx.setRecoveryEmail(accountId, email, state)
    if (!isSame) {
      await tx.endOpenProofsOf(accountId, clock())
      await notifyContact(tx, deps, locked, 'phone', 'email_changed')
      if (locked.recoveryEmailState === 'verified') await notifyContact(tx, deps, locked, 'email', 'email_replaced')
    }
    return { recoveryEmailMasked: email.masked, recoveryEmailState: state }
  })
  outbox.wake()
  return changed
}

/** Sends a code to the pending recovery email of the account. */
export async function sendEmailCode(
  deps: AccountFlowDeps,
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
  await storeCode(deps, issued, { requester, message })
  outbox.wake()
  return { challengeId, expiresInSeconds: emailChallengeLifetimeSeconds, resendAfterSeconds }
}

/** Verifies the address that the code was sent to, provided that no other account has verified it. */
export async function verifyEmail(
  deps: AccountFlowDeps,
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
    await notifyOwner(tx, deps, { ...account!, recoveryEmailState: 'verified' }, 'email_verified')
  })
  await verified.catch((error) => {
    throw error instanceof AccountConflict ? new Refusal('ACCOUNT_UNAVAILABLE', { cause: error }) : error
  })
  outbox.wake()
  return { recoveryEmailState: 'verified' }
}
