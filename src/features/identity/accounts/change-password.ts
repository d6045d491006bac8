import { Refusal } from '../../../contract/errors.ts'
import type { AccountFlowDeps, RequestContext, SignedInContext } from './accounts.ts'
import { isCommonPassword } from './common-passwords.ts'
import type { ChangePasswordRequest, PasswordChanged } from './contract.ts'
import { addressOf, notifyOwner } from './notices.ts'
import { countLoginAttempt } from './rate-limits.ts'
import type { AccountWriter, Credentials } from './store.ts'

interface PasswordAttempt extends RequestContext {
  readonly accountId: string
  readonly password: string
}

/** Checks the password of a signed-in account. Limited like a login: a stolen session must not become a way to guess. */
export async function provePassword(deps: AccountFlowDeps, { accountId, password, requester }: PasswordAttempt) {
  const { store, digests, passwords } = deps
  const account = await store.read((tx) => tx.credentialsOf(accountId))
  if (!account) throw new Refusal('GATEWAY_AUTH_REQUIRED')
  await countLoginAttempt(deps, {
    identifierDigest: phoneDigestOf(deps, account),
    requesterDigest: digests.requester(requester).current,
  })
  const { isRight } = await passwords.verify(password, account.passwordDigest)
  if (!isRight) throw new Refusal('AUTHENTICATION_FAILED')
  return account
}

/** Locks the account for the write that a password allowed. Refused if the password was replaced after it was checked. */
export async function lockProven(tx: AccountWriter, account: Credentials): Promise<Credentials> {
  const locked = await tx.lockAccount(account.accountId)
  if (locked?.passwordDigest !== account.passwordDigest) throw new Refusal('AUTHENTICATION_FAILED')
  return locked
}

/** The digest that a login by phone counts under: the stored one may be of an older secret. */
function phoneDigestOf({ contacts, digests }: AccountFlowDeps, account: Credentials): string {
  const phone = addressOf(contacts, account, 'phone')
  return phone === undefined ? account.phoneDigest : digests.phone(phone).current
}

/** Replaces the password and ends the other sessions and every open code of the account. */
export async function changePassword(
  deps: AccountFlowDeps,
  request: ChangePasswordRequest,
  { session, requester }: SignedInContext,
): Promise<PasswordChanged> {
  const { store, passwords, outbox, clock } = deps
  requireUncommon(request.newPassword)
  const { accountId } = session
  const account = await provePassword(deps, { accountId, password: request.currentPassword, requester })
  // Before the transaction, because hashing is slow.
  const passwordDigest = await passwords.hash(request.newPassword)
  await store.write(async (tx) => {
    await lockProven(tx, account)
    await tx.replacePasswordDigest(accountId, account.passwordDigest, passwordDigest)
    await tx.endOtherSessionsOf(accountId, session.sessionDigest)
    const at = clock()
    await tx.endOpenProofsOf(accountId, at)
    const { projectId } = account
    await tx.addEvent({ type: 'account.password_changed', at, projectId, data: { by: 'password' } })
    await notifyOwner(tx, deps, account, 'password_changed')
  })
  outbox.wake()
  return { state: 'password_changed' }
}

/** NIST SP 800-63B: a new password must not be one that attackers try first. */
export function requireUncommon(newPassword: string): void {
  if (isCommonPassword(newPassword))
    throw new Refusal('PASSWORD_INVALID', { explain: 'A new one must not be a common password.' })
}
