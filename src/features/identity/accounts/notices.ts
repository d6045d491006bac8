import { isoOf } from '../../../base/time.ts'
import type { NoticeName } from '../../../providers/senders.ts'
import type { MessageChannel, MessageRow } from '../messages/message.ts'
import type { AccountFlowDeps } from './accounts.ts'
import type { ContactKind, Contacts } from './contacts.ts'
import type { AccountWriter, Credentials } from './store.ts'

type NoticeDeps = Pick<AccountFlowDeps, 'contacts' | 'outbox' | 'clock'>

export const channelOf: Record<ContactKind, MessageChannel> = { phone: 'sms', email: 'email' }

/** Queues a notice to every verified contact of the account, in the transaction that it is about. Wake the outbox after the commit. */
export async function notifyOwner(tx: AccountWriter, deps: NoticeDeps, account: Credentials, notice: NoticeName) {
  await notifyContact(tx, deps, account, 'phone', notice)
  if (account.recoveryEmailState === 'verified') await notifyContact(tx, deps, account, 'email', notice)
}

/** The same, with as many messages for every account and for none: what cannot be sent is a decoy. They name no account. */
export async function notifyOwnerOrDecoy(
  tx: AccountWriter,
  { contacts, outbox, clock }: NoticeDeps,
  account: Credentials | undefined,
  notice: NoticeName,
): Promise<void> {
  const at = isoOf(clock())
  for (const kind of ['phone', 'email'] as const) {
    const isVerified = kind === 'phone' || account?.recoveryEmailState === 'verified'
    const to = account && isVerified ? addressOf(contacts, account, kind) : undefined
    const content = { kind: 'notice', to: to ?? '', notice, at } as const
    await tx.addMessage(outbox.prepare(to === undefined ? 'none' : channelOf[kind], content, { accountId: null }))
  }
}

/** A contact without a sealed copy cannot be written to. */
export async function notifyContact(
  tx: AccountWriter,
  deps: NoticeDeps,
  account: Credentials,
  kind: ContactKind,
  notice: NoticeName,
): Promise<void> {
  const row = prepare(deps, account, kind, notice)
  if (row) await tx.addMessage(row)
}

/** Messages to the verified email of a project's owner, or to the phone where there is none. The caller adds them. */
export async function noticesToOwner(
  deps: NoticeDeps & Pick<AccountFlowDeps, 'store'>,
  projectId: string,
  notice: NoticeName,
): Promise<MessageRow[]> {
  const account = await deps.store.read((tx) => tx.credentialsOfProject(projectId))
  if (!account) return []
  const row = prepare(deps, account, account.recoveryEmailState === 'verified' ? 'email' : 'phone', notice)
  return row ? [row] : []
}

function prepare({ contacts, outbox, clock }: NoticeDeps, account: Credentials, kind: ContactKind, notice: NoticeName) {
  const to = addressOf(contacts, account, kind)
  if (to === undefined) return undefined
  const content = { kind: 'notice', to, notice, at: isoOf(clock()) } as const
  return outbox.prepare(channelOf[kind], content, { accountId: account.accountId })
}

/** The phone or email itself; undefined if the account has no sealed copy of it. */
export function addressOf(contacts: Pick<Contacts, 'open'>, account: Credentials, kind: ContactKind) {
  const { accountId, phoneSealed, phoneKeyVersion, emailSealed, emailKeyVersion } = account
  const [sealed, keyVersion] = kind === 'phone' ? [phoneSealed, phoneKeyVersion] : [emailSealed, emailKeyVersion]
  return sealed === null || keyVersion === null ? undefined : contacts.open(kind, accountId, { sealed, keyVersion })
}

/** Notes where a sign-in came from, and notifies the owner if the account was never seen there. Returns whether it did. */
export async function noteSignIn(tx: AccountWriter, deps: AccountFlowDeps, account: Credentials, requester: string) {
  const digest = deps.digests.requester(requester)
  const seen = await tx.requestersOf(account.accountId)
  // An account from before requesters were noted has none: its owner would be notified about their own sign-in.
  const isNew = seen.length > 0 && !digest.all.some((known) => seen.includes(known))
  await rememberRequester(tx, deps, account.accountId, requester)
  if (isNew) await notifyOwner(tx, deps, account, 'new_sign_in')
  return isNew
}

export async function rememberRequester(
  tx: AccountWriter,
  { digests, clock }: Pick<AccountFlowDeps, 'digests' | 'clock'>,
  accountId: string,
  requester: string,
): Promise<void> {
  const { current, all } = digests.requester(requester)
  const older = all.filter((digest) => digest !== current)
  await tx.noteRequester({ accountId, requesterDigest: current, older, at: clock() })
}
