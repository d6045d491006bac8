import { newId } from '../../../base/ids.ts'
import { tokenDigest } from '../../../base/signatures.ts'
import { minuteMs } from '../../../base/time.ts'
import { Refusal } from '../../../contract/errors.ts'
import type { LoginRequest, RegisterRequest } from '../../../contract/schemas/identity.ts'
import { requireKnownSecrets } from '../../../ops/secrets.ts'
import type { AccountFlowDeps, Authenticated, RequestContext } from './accounts.ts'
import { checkCode, consumeCode } from './challenges.ts'
import { type ContactKind, isDigestOf, type KeyedDigest } from './contacts.ts'
import { removeIfDue } from './factor-removal.ts'
import { noteSignIn, rememberRequester } from './notices.ts'
import { countLoginAttempt } from './rate-limits.ts'
import { newToken } from './sessions.ts'
import { AccountConflict, type AccountRow, type AccountWriter, type Credentials } from './store.ts'

export interface LoginContext extends RequestContext {
  /** The session cookie that came with the request: the login ends that session. */
  readonly previousToken: string | undefined
}

/** Each retry needs another concurrent change of the account. */
const maxAttempts = 3

/** The password was right; the second factor is proven with this token. */
export interface PendingFactor {
  readonly pendingToken: string
}

/** An unknown identifier, a pending email and a wrong password cost the same work, so that timing reveals nothing. */
export async function login(
  deps: AccountFlowDeps,
  request: LoginRequest,
  context: LoginContext,
): Promise<Authenticated | PendingFactor> {
  const { store, digests, passwords } = deps
  const kind = request.identifier.includes('@') ? 'email' : 'phone'
  const identifier = digests[kind](request.identifier)
  const readCredentials = () =>
    store.read((tx) =>
      kind === 'email' ? tx.credentialsByVerifiedEmail(identifier) : tx.credentialsByPhone(identifier),
    )
  let found = await passwords.withHashSlot(async () => {
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

/** Undefined if the password or the contact was replaced after it was checked: a recovery ends logins in progress too. */
async function openSession(
  deps: AccountFlowDeps,
  login: CheckedLogin,
): Promise<Authenticated | PendingFactor | undefined> {
  const { store, contacts, outbox, clock } = deps
  const { request, kind, identifier, found, upgradedDigest } = login
  const { accountId, passwordDigest } = found
  // A contact from before there were sealed copies, or sealed with an older secret: it is at hand now.
  const resealed = contacts.isCurrent(kind === 'email' ? found.emailKeyVersion : found.phoneKeyVersion)
    ? undefined
    : contacts[kind](accountId, request.identifier)
  const signedIn = await store.write(async (tx) => {
    const account = await tx.lockAccount(accountId)
    if (account?.passwordDigest !== passwordDigest || !canLogIn(account, kind, identifier)) return undefined
    if (await tx.isSuspended(accountId)) return undefined
    if (resealed) await tx.resealContact(kind, accountId, resealed)
    if (upgradedDigest) await tx.replacePasswordDigest(accountId, passwordDigest, upgradedDigest)
    if (!account.hasFactor || (await removeIfDue(tx, deps, account))) return finishSignIn(tx, deps, account, login)
    const pendingToken = newToken()
    const digest = tokenDigest('pending-sign-in', pendingToken)
    await tx.addPendingSignIn({ tokenDigest: digest, accountId, expiresAt: clock() + pendingSignInMs })
    return { pendingToken }
  })
  if (signedIn && 'isNoticeDue' in signedIn && signedIn.isNoticeDue) outbox.wake()
  return signedIn
}

export const pendingSignInMs = 5 * minuteMs

/** Opens the session once everything is proven, in the transaction of the proof. Wake the outbox after the commit: a new network sends a notice. */
export async function finishSignIn(
  tx: AccountWriter,
  deps: AccountFlowDeps,
  account: Credentials,
  { previousToken, requester, client, factorAt = null }: LoginContext & { readonly factorAt?: number | null },
): Promise<Authenticated & { readonly isNoticeDue: boolean }> {
  if (previousToken) await tx.endSession(tokenDigest('session', previousToken))
  const isNewNetwork = await noteSignIn(tx, deps, account, requester)
  const { projectId } = account
  await tx.addEvent({ type: 'account.signed_in', at: deps.clock(), projectId, data: { isNewNetwork } })
  return {
    account,
    session: await deps.sessions.open(tx, account, { client, factorAt }),
    isNoticeDue: isNewNetwork || account.hasFactor,
  }
}

const canLogIn = (account: Credentials, kind: ContactKind, identifier: KeyedDigest) =>
  kind === 'email'
    ? account.recoveryEmailState === 'verified' && isDigestOf(account.emailDigest, identifier)
    : isDigestOf(account.phoneDigest, identifier)

/** Fixed, so that nothing visible to others is derived from the phone. */
const accountName = 'Personal account'
const projectName = 'Personal project'

/** Consumes the challenge and creates identity, account, project and session in one transaction. */
export async function register(
  deps: AccountFlowDeps,
  request: RegisterRequest,
  { requester, client }: RequestContext,
): Promise<Authenticated> {
  const { store, sessions, keyring, digests, contacts, passwords, subjectOf, clock } = deps
  await checkCode(deps, request, {
    requester,
    isMeant: ({ purpose, contactDigest }) =>
      purpose === 'registration' && isDigestOf(contactDigest, digests.phone(request.phone)),
  })
  // Before the transaction, because hashing is slow.
  const passwordDigest = await passwords.hash(request.password)
  const identitySubject = await subjectOf(request.phone)

  const accountId = newId('acc')
  const phone = contacts.phone(accountId, request.phone)
  const recoveryEmail = contacts.email(accountId, request.recoveryEmail)
  const account: AccountRow = {
    accountId,
    name: accountName,
    identitySubject,
    phoneMasked: phone.masked,
    recoveryEmailMasked: recoveryEmail.masked,
    recoveryEmailState: 'pending_verification',
    projectId: newId('prj'),
    projectName,
  }
  const created = store.write(async (tx) => {
    const at = clock()
    await consumeCode(tx, request, at)
    requireKnownSecrets(await tx.secretVersions(), keyring)
    if (await tx.isPhoneRegistered(digests.phone(request.phone))) throw new Refusal('ACCOUNT_ALREADY_EXISTS')
    await tx.createAccount({ ...account, recoveryEmail, passwordDigest, phone, at })
    await rememberRequester(tx, deps, accountId, requester)
    return { account, session: await sessions.open(tx, account, { client }) }
  })
  return created.catch((error) => {
    throw error instanceof AccountConflict ? new Refusal('ACCOUNT_UNAVAILABLE', { cause: error }) : error
  })
}
