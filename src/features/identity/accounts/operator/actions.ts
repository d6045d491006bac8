import type { Keyring } from '../../../../base/keyring.ts'
import { operatorRefusal } from '../../../../contract/error-codes/operators.ts'
import type { AuditNote } from '../../../../ledger/audit.ts'
import { type Actor, noteOf } from '../../../../operator-kit/actor.ts'
import type { FeatureContext } from '../../../../ops/feature.ts'
import type { ProjectBalance } from '../../../../storage/balance-rows.ts'
import { type PageOfRows, pageOf } from '../../../../storage/sql-text.ts'
import { createDigests } from '../contacts.ts'
import type { AccountWriter } from '../store.ts'
import type { AccountListParameters } from './contract.ts'
import {
  type AccountActionWriter,
  type AccountSummary,
  type ListedAccountRow,
  type OperatedKey,
  operatedAccounts,
} from './store.ts'

type AccountReading = Pick<FeatureContext, 'engine'>
type AccountActing = Pick<FeatureContext, 'engine' | 'clock'>

/** Sends a code to the account's own contact, in the transaction of the action; no operator sees it. */
export type StartRecovery = (tx: AccountWriter, accountId: string) => Promise<RecoveryLink>

/** Where the owner of the account enters the code. It does not work without the code, so an operator may pass it on. */
export interface RecoveryLink {
  readonly link: string
  readonly expiresAt: number
}

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
  { engine, readKeyring }: AccountReading & { readonly readKeyring: () => Promise<Keyring> },
  query: AccountQuery,
): Promise<AccountSummary[]> {
  const store = operatedAccounts(engine)
  if ('id' in query) return store.read((tx) => tx.accountsById(query.id.trim(), foundLimit))
  if ('keyPrefix' in query) {
    const prefix = displayedPrefix(query.keyPrefix.trim())
    return prefix === '' ? [] : store.read((tx) => tx.accountsByKeyPrefix(prefix, foundLimit))
  }
  // One digest for each secret in use.
  const digests = createDigests(await readKeyring())
  return 'phone' in query
    ? store.read((tx) => tx.accountsByContact('phone', digests.phone(query.phone.trim()).all, foundLimit))
    : store.read((tx) => tx.accountsByContact('email', digests.email(query.email.trim()).all, foundLimit))
}

/** As much of a key as is stored: its start, and for a whole key also its end. */
export function displayedPrefix(key: string): string {
  const shown = 'gk_live_'.length + 4
  if (key.length <= shown || key.includes('...')) return key
  return /^gk_live_[0-9A-Za-z]{43}$/.test(key) ? `${key.slice(0, shown)}...${key.slice(-4)}` : key.slice(0, shown)
}

/** A page of all accounts in this order. `after` is what the list is ordered by, and the id. */
export async function listAccounts(
  { engine }: AccountReading,
  { order = 'newest', after, limit }: AccountListParameters,
): Promise<PageOfRows<ListedAccountRow>> {
  const [at = '', id = ''] = (after ?? '').split('.')
  const before = after === undefined ? start : { at: Number(at), id }
  return operatedAccounts(engine).read(async (tx) => {
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

export async function showAccount({ engine }: AccountReading, accountId: string): Promise<ShownAccount> {
  return operatedAccounts(engine).read(async (tx) => {
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
export function suspendAccount(deps: AccountActing, actor: Actor, action: AccountAction): Promise<AccountSummary> {
  return act(deps, actor, { ...action, action: 'account.suspend' }, async (tx, account, { at, reason }) => {
    if (account.suspendedAt !== null) return null
    await tx.setSuspension(account, { at, reason })
    const sessionsEnded = await tx.identity.endSessionsOf(account.accountId)
    return { before: { state: 'active' }, after: { state: 'suspended', sessionsEnded } }
  })
}

/** Restores logins and keys. Sessions stay ended, also one that a login opened while the account was being suspended. */
export function reinstateAccount(deps: AccountActing, actor: Actor, action: AccountAction): Promise<AccountSummary> {
  return act(deps, actor, { ...action, action: 'account.reinstate' }, async (tx, account) => {
    if (account.suspendedAt === null) return null
    await tx.setSuspension(account, null)
    await tx.identity.endSessionsOf(account.accountId)
    const before = { state: 'suspended', suspendedAt: account.suspendedAt, reason: account.suspensionReason }
    return { before, after: { state: 'active' } }
  })
}

export function signOutAccount(deps: AccountActing, actor: Actor, action: AccountAction): Promise<AccountSummary> {
  return act(deps, actor, { ...action, action: 'account.sign_out' }, async (tx, account) => {
    const sessionsEnded = await tx.identity.endSessionsOf(account.accountId)
    return { before: { sessions: sessionsEnded }, after: { sessions: 0 } }
  })
}

/** Starts a password recovery on request. The code goes to the account's own contact, the link to the operator. */
export async function recoverAccount(
  deps: AccountActing & { readonly startRecovery: StartRecovery },
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
  tx: AccountActionWriter,
  account: AccountSummary,
  given: { readonly at: number; readonly reason: string },
) => Promise<Pick<Parameters<AccountActionWriter['audit']>[0], 'before' | 'after'> | null>

/** Runs an action on a locked account and records it; an action without effect is not recorded. */
async function act(
  { engine, clock }: AccountActing,
  actor: Actor,
  named: AccountAction & Pick<AuditNote, 'action'>,
  effect: Effect,
) {
  const at = clock()
  const { accountId, action, reason } = named
  const note = noteOf(actor, { action, object: accountId, reason }, at)
  return operatedAccounts(engine).write(async (tx) => {
    const account = await tx.lockAccount(accountId)
    if (!account) throw unknownAccount(accountId)
    const states = await effect(tx, account, { at, reason: note.reason })
    if (states) await tx.audit({ ...note, at, ...states })
    return (await tx.accountsById(accountId, 1))[0]!
  })
}

/** The project of an account, for the lists of other features. */
export async function projectOf(deps: AccountReading, accountId: string): Promise<string> {
  return (await showAccount(deps, accountId)).projectId
}

const unknownAccount = (accountId: string) => operatorRefusal('ACCOUNT_NOT_FOUND', `There is no account ${accountId}.`)

const shownKeys = 100
const noCredits: ProjectBalance = { available: 0, reserved: 0, settled: 0, credited: 0 }
