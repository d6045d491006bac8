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
  const { store, sessions, digests, passwords } = deps
  const isEmail = request.identifier.includes('@')
  const identifierDigest = isEmail ? digests.email(request.identifier) : digests.phone(request.identifier)
  await countLoginAttempt(deps, { identifierDigest, requesterDigest: digests.requester(requester) })

  const found = await store.read((tx) =>
    isEmail ? tx.credentialsByVerifiedEmail(identifierDigest) : tx.credentialsByPhone(identifierDigest),
  )
  const { isRight, isOutdated } = await passwords.verify(request.password, found?.passwordDigest)
  if (!found || !isRight) throw new Refusal('AUTHENTICATION_FAILED')

  const upgraded = isOutdated ? await passwords.hash(request.password) : undefined
  const { passwordDigest, ...account } = found
  return store.write(async (tx) => {
    if (upgraded) await tx.replacePasswordDigest(account.accountId, passwordDigest, upgraded)
    if (previousToken) await tx.endSession(tokenDigest('session', previousToken))
    return { account, session: await sessions.open(tx, account) }
  })
}
