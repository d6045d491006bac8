import { Refusal } from '../contract/errors.ts'
import type { LoginRequest } from '../contract/schemas/identity.ts'
import type { Authenticated, IdentityDeps } from './deps.ts'
import { tokenDigest } from './digests.ts'

/** An unknown identifier, a pending email and a wrong password cost the same work, so that timing reveals nothing. */
export async function login(
  deps: IdentityDeps,
  request: LoginRequest,
  previousToken: string | undefined,
): Promise<Authenticated> {
  const { store, sessions, digests, passwords, limiter, limits } = deps
  const isEmail = request.identifier.includes('@')
  const identifierDigest = isEmail ? digests.email(request.identifier) : digests.phone(request.identifier)
  await limiter.take(`login-identifier ${identifierDigest}`, limits.loginPerIdentifier)

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
