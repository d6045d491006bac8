import type { ChangePasswordRequest, PasswordChanged } from '../contract/console/account-security.ts'
import { Refusal } from '../contract/errors.ts'
import { isCommonPassword } from './common-passwords.ts'
import type { IdentityDeps, SignedInContext } from './deps.ts'
import { tellOwner } from './notices.ts'
import { lockProven, provePassword } from './prove-password.ts'

/** Replaces the password and ends the other sessions and every open code of the account. */
export async function changePassword(
  deps: IdentityDeps,
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
    await tx.invalidateChallengesOf(accountId, at)
    const { projectId } = account
    await tx.addEvent({ type: 'account.password_changed', at, projectId, data: { by: 'password' } })
    await tellOwner(tx, deps, account, 'password_changed')
  })
  outbox.wake()
  return { state: 'password_changed' }
}

/** NIST SP 800-63B: a new password must not be one that attackers try first. */
export function requireUncommon(newPassword: string): void {
  if (isCommonPassword(newPassword))
    throw new Refusal('PASSWORD_INVALID', { explain: 'A new one must not be a common password.' })
}
