import { Refusal } from '../contract/errors.ts'
import type { IdentityDeps } from './deps.ts'
import { countLoginAttempt } from './login-limits.ts'
import { addressOf } from './notices.ts'
import type { Credentials } from './ports/accounts.ts'
import type { IdentityWriter } from './ports.ts'

interface PasswordAttempt {
  readonly accountId: string
  readonly password: string
  /** The network that the attempt came from. */
  readonly requester: string
}

/** Checks the password of somebody who is signed in. Limited like a login: a stolen session must not become a way to guess. */
export async function provePassword(
  deps: IdentityDeps,
  { accountId, password, requester }: PasswordAttempt,
): Promise<Credentials> {
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
export async function lockProven(tx: IdentityWriter, account: Credentials): Promise<Credentials> {
  const locked = await tx.lockAccount(account.accountId)
  if (locked?.passwordDigest !== account.passwordDigest) throw new Refusal('AUTHENTICATION_FAILED')
  return locked
}

/** The digest that a login by phone counts under: the stored one may be of an older secret. */
function phoneDigestOf({ contacts, digests }: IdentityDeps, account: Credentials): string {
  const phone = addressOf(contacts, account, 'phone')
  return phone === undefined ? account.phoneDigest : digests.phone(phone).current
}
