import type { PasswordChanged, RecoveryCodeRequest, RecoveryRequest } from '../contract/console/account-security.ts'
import { Refusal } from '../contract/errors.ts'
import { type Challenge, challengeLifetimeSeconds, resendAfterSeconds } from '../contract/schemas/identity.ts'
import { checkCode, consumeCode, newCode, storeCode, storeCodeIn } from './challenges.ts'
import { requireUncommon } from './change-password.ts'
import type { ContactKind } from './contacts.ts'
import type { IdentityDeps } from './deps.ts'
import { addressOf, channelOf, tellOwner } from './notices.ts'
import type { IdentityWriter } from './ports.ts'

/**
 * Sends a code to the phone or verified email of an account. An unknown identifier costs the same work and gets the same
 * response: a code that nobody knows, and a message that is never sent.
 */
export async function sendRecoveryCode(deps: IdentityDeps, { identifier }: RecoveryCodeRequest): Promise<Challenge> {
  const { store, digests } = deps
  const kind = identifier.includes('@') ? 'email' : 'phone'
  const contact = digests[kind](identifier)
  const accountId = (await store.read((tx) => tx.accountIdOf(kind, contact))) ?? null
  return issueRecovery(deps, { kind, to: identifier, contactDigest: contact.current, accountId })
}

/** What a recovery that an operator starts needs: it runs in the operator's transaction, also from the command line. */
export type RecoveryStartDeps = Pick<IdentityDeps, 'digests' | 'contacts' | 'outbox' | 'limiter' | 'limits' | 'clock'>

/** Sends a code to the account's own phone. False if that cannot be written to. */
export async function startRecovery(deps: RecoveryStartDeps, tx: IdentityWriter, accountId: string): Promise<boolean> {
  const account = await tx.credentialsOf(accountId)
  const to = account && addressOf(deps.contacts, account, 'phone')
  if (to === undefined) return false
  const contactDigest = deps.digests.phone(to).current
  const { issued, message } = prepareRecovery(deps, { kind: 'phone', to, contactDigest, accountId })
  await storeCodeIn(deps, tx, issued)
  await tx.addMessage(message)
  return true
}

/** After the response is out: the work of a delivery must not show in its time. */
const wakeAfterMs = 50

interface RecoveryTarget {
  readonly kind: ContactKind
  readonly to: string
  readonly contactDigest: string
  readonly accountId: string | null
}

async function issueRecovery(deps: IdentityDeps, target: RecoveryTarget): Promise<Challenge> {
  const { issued, message } = prepareRecovery(deps, target)
  await storeCode(deps, issued, (tx) => tx.addMessage(message))
  setTimeout(deps.outbox.wake, wakeAfterMs).unref()
  return { challengeId: issued.challengeId, expiresInSeconds: challengeLifetimeSeconds, resendAfterSeconds }
}

function prepareRecovery(deps: Pick<IdentityDeps, 'digests' | 'outbox' | 'clock'>, target: RecoveryTarget) {
  const { kind, to, contactDigest, accountId } = target
  const issued = newCode(deps, {
    kind,
    contactDigest,
    purpose: 'recovery',
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
export async function confirmRecovery(deps: IdentityDeps, request: RecoveryRequest): Promise<PasswordChanged> {
  const { store, passwords, outbox, clock } = deps
  requireUncommon(request.newPassword)
  const { accountId } = await checkCode(
    deps,
    request,
    (challenge) => challenge.purpose === 'recovery' && challenge.accountId !== null,
  )
  // Before the transaction, because hashing is slow.
  const passwordDigest = await passwords.hash(request.newPassword)
  await store.write(async (tx) => {
    const account = await tx.lockAccount(accountId!)
    if (!account) throw new Refusal('VERIFICATION_FAILED')
    const at = clock()
    await consumeCode(tx, request, at)
    await tx.replacePasswordDigest(account.accountId, account.passwordDigest, passwordDigest)
    await tx.endSessionsOf(account.accountId)
    await tx.invalidateChallengesOf(account.accountId, at)
    const { projectId } = account
    await tx.addEvent({ type: 'account.password_changed', at, projectId, data: { by: 'recovery' } })
    await tellOwner(tx, deps, account, 'password_recovered')
  })
  outbox.wake()
  return { state: 'password_changed' }
}
