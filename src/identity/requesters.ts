import type { IdentityDeps } from './deps.ts'
import { tellOwner } from './notices.ts'
import type { Credentials } from './ports/accounts.ts'
import type { IdentityWriter } from './ports.ts'

/** Notes where a sign-in came from, and tells the owner if the account was never seen there. Returns whether it did. */
export async function noteSignIn(
  tx: IdentityWriter,
  deps: IdentityDeps,
  account: Credentials,
  requester: string,
): Promise<boolean> {
  const digest = deps.digests.requester(requester)
  const seen = await tx.requestersOf(account.accountId)
  // An account from before requesters were noted has none: its owner would be told of their own sign-in.
  const isNew = seen.length > 0 && !digest.all.some((known) => seen.includes(known))
  await rememberRequester(tx, deps, account.accountId, requester)
  if (isNew) await tellOwner(tx, deps, account, 'new_sign_in')
  return isNew
}

export async function rememberRequester(
  tx: IdentityWriter,
  { digests, clock }: Pick<IdentityDeps, 'digests' | 'clock'>,
  accountId: string,
  requester: string,
): Promise<void> {
  const { current, all } = digests.requester(requester)
  const older = all.filter((digest) => digest !== current)
  await tx.noteRequester({ accountId, requesterDigest: current, older, at: clock() })
}
