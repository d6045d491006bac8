import { OperatorRefusal } from '../../../contract/error-codes/operators.ts'
import type { AuditNote } from '../../../ledger/audit.ts'
import { type Actor, noteOf } from '../../../operator-kit/actor.ts'
import type { ProjectBalance } from '../../../storage/balance-rows.ts'
import { type PageOfRows, pageOf } from '../../../storage/sql-text.ts'
import type { AccountListParameters } from '../contract/account-list.ts'
import type { AccountSummary, ListedAccountRow, OperatedKey } from '../store/accounts.ts'
import type { AdministrationWriter } from '../store/store.ts'
import type { Acting, AdministrationDeps, Reading, RecoveryLink } from './deps.ts'

export type AccountQuery =
  | { readonly phone: string }
  | { readonly email: string }
  /** Of an account, a project or a key. */
  | { readonly id: string }
  /** The start of a key, as far as it is displayed. */
  | { readonly keyPrefix: string }

/** Pending recovery emails are not unique, and short prefixes fit many keys. */
const foundLimit = 50

export async function findAccounts(
  { store, secrets }: Pick<AdministrationDeps, 'store' | 'secrets'>,
  query: AccountQuery,
): Promise<AccountSummary[]> {
  if ('id' in query) return store.read((tx) => tx.accountsById(query.id.trim(), foundLimit))
  if ('keyPrefix' in query) {
    const prefix = displayedPrefix(query.keyPrefix.trim())
    return prefix === '' ? [] : store.read((tx) => tx.accountsByKeyPrefix(prefix, foundLimit))
  }
  const { phoneDigests, emailDigests } = await secrets()
  return 'phone' in query
    ? store.read((tx) => tx.accountsByContact('phone', phoneDigests(query.phone.trim()), foundLimit))
    : store.read((tx) => tx.accountsByContact('email', emailDigests(query.email.trim()), foundLimit))
}

/** As much of a key as is stored: its start, and for a whole key also its end. */
function displayedPrefix(key: string): string {
  const shown = 'gk_live_'.length + 4
  if (key.length <= shown || key.includes('...')) return key
  return /^gk_live_[0-9A-Za-z]{43}$/.test(key) ? `${key.slice(0, shown)}...${key.slice(-4)}` : key.slice(0, shown)
}

/** A page of all accounts in this order. The cursor is what the list is ordered by, and the id. */
export async function listAccounts(
  { store }: Reading,
  { order = 'newest', cursor, limit }: AccountListParameters,
): Promise<PageOfRows<ListedAccountRow>> {
  const [at = '', id = ''] = (cursor ?? '').split('.')
  const before = cursor === undefined ? start : { at: Number(at), id }
  return store.read(async (tx) => {
    switch (order) {
      case 'newest':
        return pageOf(await tx.newestAccounts(before, limit + 1), limit, (row) => `${row.createdAt}.${row.accountId}`)
      case 'suspended':
        return pageOf(
          await tx.suspendedAccounts(before, limit + 1),
          limit,
          (row) => `${row.suspendedAt}.${row.accountId}`,
        )
      case 'spending':
        return pageOf(await tx.accountsBySpending(before, limit + 1), limit, (row) => `${row.ranked}.${row.projectId}`)
    }
  })
}

const start = { at: Number.MAX_SAFE_INTEGER, id: '' }

export interface ShownAccount extends AccountSummary {
  readonly balance: ProjectBalance
  /** The newest first. */
  readonly keys: readonly OperatedKey[]
}

export async function showAccount({ store }: Reading, accountId: string): Promise<ShownAccount> {
  return store.read(async (tx) => {
    const found = (await tx.accountsById(accountId, 1))[0]
    if (!found) throw unknownAccount(accountId)
    const { projectId } = found
    return { ...found, balance: (await tx.balance(projectId)) ?? noCredits, keys: await tx.keys(projectId, shownKeys) }
  })
}

export interface AccountAction {
  readonly accountId: string
  readonly reason: string
}

/** Ends the account's sessions and refuses its logins and keys from the next call on. Suspending twice changes nothing. */
export function suspendAccount(deps: Acting, actor: Actor, action: AccountAction): Promise<AccountSummary> {
  return act(deps, actor, { ...action, action: 'account.suspend' }, async (tx, account, { at, reason }) => {
    if (account.suspendedAt !== null) return null
    await tx.setSuspension(account, { at, reason })
    const sessionsEnded = await tx.identity.endSessionsOf(account.accountId)
    return { before: { state: 'active' }, after: { state: 'suspended', sessionsEnded } }
  })
}

/** Restores logins and keys. Sessions stay ended, also one that a login opened while the account was being suspended. */
export function reinstateAccount(deps: Acting, actor: Actor, action: AccountAction): Promise<AccountSummary> {
  return act(deps, actor, { ...action, action: 'account.reinstate' }, async (tx, account) => {
    if (account.suspendedAt === null) return null
    await tx.setSuspension(account, null)
    await tx.identity.endSessionsOf(account.accountId)
    const before = { state: 'suspended', suspendedAt: account.suspendedAt, reason: account.suspensionReason }
    return { before, after: { state: 'active' } }
  })
}

export function signOutAccount(deps: Acting, actor: Actor, action: AccountAction): Promise<AccountSummary> {
  return act(deps, actor, { ...action, action: 'account.sign_out' }, async (tx, account) => {
    const sessionsEnded = await tx.identity.endSessionsOf(account.accountId)
    return { before: { sessions: sessionsEnded }, after: { sessions: 0 } }
  })
}

/** Starts a password recovery for somebody who asked for it. The code goes to their own contact, the link to the operator. */
export async function recoverAccount(
  deps: Acting & Pick<AdministrationDeps, 'startRecovery'>,
  actor: Actor,
  action: AccountAction,
): Promise<AccountSummary & { readonly recovery: RecoveryLink }> {
  let recovery: RecoveryLink | undefined
  const summary = await act(deps, actor, { ...action, action: 'account.recover' }, async (tx, account) => {
    recovery = await deps.startRecovery(tx.identity, account.accountId)
    return { before: null, after: { recovery: 'started' } }
  })
  return { ...summary, recovery: recovery! }
}

type Effect = (
  tx: AdministrationWriter,
  account: AccountSummary,
  given: { readonly at: number; readonly reason: string },
) => Promise<Pick<Parameters<AdministrationWriter['audit']>[0], 'before' | 'after'> | null>

/** Runs an action on a locked account and records it; an action without effect is not recorded. */
async function act(
  { store, clock }: Acting,
  actor: Actor,
  named: AccountAction & Pick<AuditNote, 'action'>,
  effect: Effect,
) {
  const at = clock()
  const { accountId, action, reason } = named
  const note = noteOf(actor, { action, object: accountId, reason }, at)
  return store.write(async (tx) => {
    const account = await tx.lockAccount(accountId)
    if (!account) throw unknownAccount(accountId)
    const states = await effect(tx, account, { at, reason: note.reason })
    if (states) await tx.audit({ ...note, at, ...states })
    return (await tx.accountsById(accountId, 1))[0]!
  })
}

const unknownAccount = (accountId: string) =>
  new OperatorRefusal('ACCOUNT_NOT_FOUND', `There is no account ${accountId}.`)

const shownKeys = 100
const noCredits: ProjectBalance = { available: 0, reserved: 0, settled: 0, credited: 0 }

/** Revokes a key of any project, from its next call on. Revoking twice changes nothing. */
export async function revokeKey(
  { store, clock }: Acting,
  actor: Actor,
  { keyId, reason }: { readonly keyId: string; readonly reason: string },
): Promise<OperatedKey> {
  const at = clock()
  const note = noteOf(actor, { action: 'key.revoke', object: keyId, reason }, at)
  return store.write(async (tx) => {
    const key = await tx.lockKey(keyId)
    if (!key) throw new OperatorRefusal('KEY_NOT_FOUND', `There is no key ${keyId}.`)
    if (key.revokedAt !== null) return key
    await tx.revokeKey(keyId, at)
    const { projectId, displayPrefix } = key
    await tx.addEvent({ type: 'key.revoked', at, projectId, data: { keyId, displayPrefix, by: 'operator' } })
    await tx.audit({ ...note, at, before: { state: 'active' }, after: { state: 'revoked' } })
    return { ...key, revokedAt: at }
  })
}
