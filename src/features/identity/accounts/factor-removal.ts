import { dayMs } from '../../../base/time.ts'
import type { EventData } from '../../../contract/events.ts'
import type { NoticeName } from '../../../providers/senders.ts'
import type { AccountFlowDeps } from './accounts.ts'
import { notifyOwner } from './notices.ts'
import type { AccountWriter, Credentials } from './store.ts'

type ChangeDeps = Pick<AccountFlowDeps, 'contacts' | 'outbox' | 'clock'>
type FactorChange = EventData['account.second_factor_changed']['change']

const noticeOf: Record<FactorChange, NoticeName> = {
  totp_added: 'factor_added',
  totp_removed: 'factor_removed',
  passkey_added: 'factor_added',
  passkey_removed: 'factor_removed',
  recovery_codes_replaced: 'recovery_codes_replaced',
  recovery_code_used: 'recovery_code_used',
  removal_started: 'factor_removal_started',
  removal_cancelled: 'factor_removal_cancelled',
  removed_after_wait: 'factor_removed',
}

/** Writes the event of a change and notifies every address, in the transaction of the change. Wake the outbox after the commit. */
export async function noteFactorChange(
  tx: AccountWriter,
  deps: ChangeDeps,
  account: Credentials,
  change: FactorChange,
): Promise<void> {
  const { projectId } = account
  await tx.addEvent({ type: 'account.second_factor_changed', at: deps.clock(), projectId, data: { change } })
  await notifyOwner(tx, deps, account, noticeOf[change])
}

/** Long enough for the owner to see the notice: someone who took over the phone cannot remove the factor right away. */
const waitMs = dayMs

/** For an owner who lost the second factor and proved a contact. A removal that waits already keeps its time. */
export async function startRemoval(tx: AccountWriter, deps: ChangeDeps, account: Credentials): Promise<void> {
  const isNew = await tx.startRemoval(account.accountId, deps.clock() + waitMs)
  if (isNew) await noteFactorChange(tx, deps, account, 'removal_started')
}

export async function cancelRemoval(tx: AccountWriter, deps: ChangeDeps, account: Credentials): Promise<void> {
  if (await tx.endRemoval(account.accountId)) await noteFactorChange(tx, deps, account, 'removal_cancelled')
}

/** Removes every factor of an account whose wait is over. Returns whether it did. */
export async function removeIfDue(tx: AccountWriter, deps: ChangeDeps, account: Credentials): Promise<boolean> {
  const { accountId } = account
  const dueAt = await tx.removalDueAt(accountId)
  if (dueAt === null || dueAt > deps.clock()) return false
  await tx.removeFactors(accountId)
  await noteFactorChange(tx, deps, account, 'removed_after_wait')
  return true
}
