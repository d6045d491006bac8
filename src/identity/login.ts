import { Refusal } from '../contract/errors.ts'
import type { LoginRequest } from '../contract/schemas/identity.ts'
import type { Authenticated, IdentityDeps } from './deps.ts'
import { tokenDigest } from './digests.ts'
import { countLoginAttempt } from './login-limits.ts'

export interface LoginContext {
  /** The session cookie that came with the request: the login ends that session. */
  readonly previousToken: string | undefined
  /** The network that the attempt came from. */
  readonly requester: string
}

/** An unknown identifier, a pending email and a wrong password cost the same work, so that timing reveals nothing. */
export async function login(
  deps: IdentityDeps,
  request: LoginRequest,
  { previousToken, requester }: LoginContext,
): Promise<Authenticated> {
  const { store, sessions, digests, contacts, passwords } = deps
  const isEmail = request.identifier.includes('@')
  const identifier = isEmail ? digests.email(request.identifier) : digests.phone(request.identifier)
  await countLoginAttempt(deps, {
    identifierDigest: identifier.current,
    requesterDigest: digests.requester(requester).current,
  })

  const found = await store.read((tx) =>
    isEmail ? tx.credentialsByVerifiedEmail(identifier) : tx.credentialsByPhone(identifier),
  )
  const { isRight, isOutdated } = await passwords.verify(request.password, found?.passwordDigest)
  if (!found || !isRight) throw new Refusal('AUTHENTICATION_FAILED')

  const upgraded = isOutdated ? await passwords.hash(request.password) : undefined
  const { passwordDigest, phoneKeyVersion, emailKeyVersion, ...account } = found
  const kind = isEmail ? 'email' : 'phone'
  // A contact from before there were sealed copies, or sealed with an older secret: it is at hand now.
  const resealed = contacts.isCurrent(isEmail ? emailKeyVersion : phoneKeyVersion)
    ? undefined
    : contacts[kind](account.accountId, request.identifier)
  return store.write(async (tx) => {
    if (resealed) await tx.resealContact(kind, account.accountId, resealed)
    if (upgraded) await tx.replacePasswordDigest(account.accountId, passwordDigest, upgraded)
    if (previousToken) await tx.endSession(tokenDigest('session', previousToken))
    return { account, session: await sessions.open(tx, account) }
  })
}
