import { Refusal } from '../contract/errors.ts'
import type { LoginRequest } from '../contract/schemas/identity.ts'
import type { ContactKind } from './contacts.ts'
import type { Authenticated, IdentityDeps } from './deps.ts'
import { isDigestOf, type KeyedDigest, tokenDigest } from './digests.ts'
import { countLoginAttempt } from './login-limits.ts'
import type { Credentials } from './ports/accounts.ts'
import { noteSignIn } from './requesters.ts'

export interface LoginContext {
  /** The session cookie that came with the request: the login ends that session. */
  readonly previousToken: string | undefined
  /** The network that the attempt came from. */
  readonly requester: string
}

/** Each further attempt needs another change of the account in the meantime. */
const maxAttempts = 3

/** An unknown identifier, a pending email and a wrong password cost the same work, so that timing reveals nothing. */
export async function login(deps: IdentityDeps, request: LoginRequest, context: LoginContext): Promise<Authenticated> {
  const { store, digests, passwords } = deps
  const kind = request.identifier.includes('@') ? 'email' : 'phone'
  const identifier = digests[kind](request.identifier)
  const readCredentials = () =>
    store.read((tx) =>
      kind === 'email' ? tx.credentialsByVerifiedEmail(identifier) : tx.credentialsByPhone(identifier),
    )
  let found = await passwords.withPlace(async () => {
    await countLoginAttempt(deps, {
      identifierDigest: identifier.current,
      requesterDigest: digests.requester(context.requester).current,
    })
    return readCredentials()
  })

  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const turn = { rank: 'payer', requester: context.requester } as const
    const { isRight, isOutdated } = await passwords.verify(request.password, found?.passwordDigest, turn)
    if (!found || !isRight) break
    const upgradedDigest = isOutdated ? await passwords.hash(request.password) : undefined
    const signedIn = await openSession(deps, { request, kind, identifier, found, upgradedDigest, ...context })
    if (signedIn) return signedIn
    found = await readCredentials()
  }
  throw new Refusal('AUTHENTICATION_FAILED')
}

interface CheckedLogin extends LoginContext {
  readonly request: LoginRequest
  readonly kind: ContactKind
  readonly identifier: KeyedDigest
  readonly found: Credentials
  readonly upgradedDigest: string | undefined
}

/** Undefined if the password or the contact was replaced after it was checked: a recovery ends logins under way too. */
async function openSession(deps: IdentityDeps, login: CheckedLogin): Promise<Authenticated | undefined> {
  const { store, sessions, contacts, outbox, clock } = deps
  const { request, kind, identifier, found, upgradedDigest, previousToken, requester } = login
  const { accountId, passwordDigest } = found
  // A contact from before there were sealed copies, or sealed with an older secret: it is at hand now.
  const resealed = contacts.isCurrent(kind === 'email' ? found.emailKeyVersion : found.phoneKeyVersion)
    ? undefined
    : contacts[kind](accountId, request.identifier)
  let isNoticeDue = false
  const signedIn = await store.write(async (tx) => {
    const account = await tx.lockAccount(accountId)
    if (account?.passwordDigest !== passwordDigest || !canLogIn(account, kind, identifier)) return undefined
    if (resealed) await tx.resealContact(kind, accountId, resealed)
    if (upgradedDigest) await tx.replacePasswordDigest(accountId, passwordDigest, upgradedDigest)
    if (previousToken) await tx.endSession(tokenDigest('session', previousToken))
    isNoticeDue = await noteSignIn(tx, deps, account, requester)
    const { projectId } = account
    await tx.addEvent({ type: 'account.signed_in', at: clock(), projectId, data: { isNewNetwork: isNoticeDue } })
    return { account, session: await sessions.open(tx, account) }
  })
  if (isNoticeDue) outbox.wake()
  return signedIn
}

const canLogIn = (account: Credentials, kind: ContactKind, identifier: KeyedDigest) =>
  kind === 'email'
    ? account.recoveryEmailState === 'verified' && isDigestOf(account.emailDigest, identifier)
    : isDigestOf(account.phoneDigest, identifier)
