import { Refusal } from '../contract/errors.ts'
import { newId } from '../contract/ids.ts'
import type { RegisterRequest } from '../contract/schemas/identity.ts'
import { requireKnownSecrets } from '../secrets/check-secret.ts'
import { checkCode, consumeCode } from './challenges.ts'
import type { Authenticated, IdentityDeps, RequestContext } from './deps.ts'
import { isDigestOf } from './digests.ts'
import type { AccountRow } from './ports/accounts.ts'
import { AccountConflict } from './ports.ts'
import { rememberRequester } from './requesters.ts'

/** Fixed, so that nothing visible to others is derived from the phone. */
const accountName = 'Personal account'
const projectName = 'Personal project'

/** Consumes the challenge and creates identity, account, project and session in one transaction. */
export async function register(
  deps: IdentityDeps,
  request: RegisterRequest,
  { requester }: RequestContext,
): Promise<Authenticated> {
  const { store, sessions, keyring, digests, contacts, passwords, identityProvider, clock } = deps
  await checkCode(deps, request, {
    requester,
    isMeant: ({ purpose, contactDigest }) =>
      purpose === 'registration' && isDigestOf(contactDigest, digests.phone(request.phone)),
  })
  // Before the transaction, because hashing is slow.
  const passwordDigest = await passwords.hash(request.password)
  const identitySubject = await identityProvider.subjectOf(request.phone)

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
    return { account, session: await sessions.open(tx, account) }
  })
  return created.catch((error) => {
    throw error instanceof AccountConflict ? new Refusal('ACCOUNT_UNAVAILABLE', { cause: error }) : error
  })
}
