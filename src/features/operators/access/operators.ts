import { randomBase62 } from '../../../base/ids.ts'
import { newTotpSecret, totpUri } from '../../../base/totp.ts'
import { operatorRefusal } from '../../../contract/error-codes/operators.ts'
import type { AuditNote } from '../../../ledger/audit.ts'
import { type Actor, noteOf } from '../../../operator-kit/actor.ts'
import { ownReasons } from '../../../operator-kit/own-reasons.ts'
import { localAdministrator, type OperatorRole, permits } from '../../../operator-kit/roles.ts'
import { requireIndependent } from '../approvals/approvals.ts'
import type { Acting, AdministrationDeps, Reading } from '../deps.ts'
import type { OperatorCredentials, OperatorRow } from './store.ts'

/** Shown once: only a digest of the password and the sealed secret of the one-time codes are stored. */
export interface FirstCredentials {
  readonly name: string
  readonly role: OperatorRole
  readonly password: string
  readonly totpUri: string
  /** Pending until a second administrator has approved. */
  readonly state: 'active' | 'pending'
}

export interface OperatorAction {
  readonly name: string
  readonly reason: string
}

const namePattern = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u

/** The letters of one name: a Cyrillic letter among Latin ones looks like another operator. Japanese and Korean mix theirs. */
const scripts = [
  ...['Latin', 'Cyrillic', 'Greek', 'Arabic', 'Hebrew', 'Thai', 'Devanagari'].map((one) => [one]),
  ...[
    ['Han', 'Hiragana', 'Katakana'],
    ['Hangul', 'Han'],
  ],
].map((names) => new RegExp(`^[0-9._${names.map((name) => `\\p{Script=${name}}`).join('')}-]+$`, 'u'))

/** For new operators only: whoever has another name keeps it. */
const isName = (name: string): boolean =>
  namePattern.test(name) && name === name.normalize('NFKC') && scripts.some((script) => script.test(name))

/** Binds the sealed secret to its owner, so that it cannot be moved to another row. */
export const totpContext = (name: string): string => `operator totp ${name}`

type OperatorActionDeps = Pick<
  AdministrationDeps,
  'store' | 'clock' | 'passwords' | 'readKeyring' | 'approvalAboveCredits'
>

/**
 * Where credits need a second operator, so does making one who could be that second: otherwise an administrator would approve
 * their own requests under another name. The user of the machine is trusted, which is the way out when there is no second.
 */
const needsApproval = (
  { approvalAboveCredits }: Pick<AdministrationDeps, 'approvalAboveCredits'>,
  { name, via }: Actor,
  role: OperatorRole,
): boolean =>
  approvalAboveCredits !== null && permits(role, 'approvals') && via === 'web' && name !== localAdministrator

/** Adds an operator with a first password, to be changed at the first sign-in. */
export async function addOperator(
  deps: OperatorActionDeps,
  actor: Actor,
  { name, role, reason }: OperatorAction & { readonly role: OperatorRole },
): Promise<FirstCredentials> {
  if (!isName(name)) throw operatorRefusal('OPERATOR_NAME_INVALID')
  const at = deps.clock()
  const note = noteOf(actor, { action: 'operator.add', object: name, reason }, at)
  const awaitsApproval = needsApproval(deps, actor, role)
  const { shown, stored } = await newCredentials(deps, actor, { name, at, awaitsApproval })
  await deps.store.write(async (tx) => {
    // First, because it locks the audit log: no other operator can be added before the commit.
    await tx.audit({ ...note, at, before: null, after: { role, state: shown.state } })
    if (await tx.operator(name)) throw operatorRefusal('OPERATOR_ALREADY_EXISTS')
    await tx.insertOperator({ name, role, ...stored, createdAt: at })
  })
  return { name, role, ...shown }
}

export const listOperators = ({ store }: Reading): Promise<OperatorRow[]> => store.read((tx) => tx.operators())

/** Ends the operator's sessions and refuses every sign-in until a reset. */
export async function disableOperator({ store, clock }: Acting, actor: Actor, { name, reason }: OperatorAction) {
  const at = clock()
  return store.write(async (tx) => {
    const operator = await tx.operator(name)
    if (!operator) throw unknownOperator(name)
    if (operator.disabledAt !== null) return operator
    await tx.disableOperator(operator.name, at)
    const sessionsEnded = await tx.endOperatorSessions(operator.name)
    const note = noteOf(actor, { action: 'operator.disable', object: operator.name, reason }, at)
    await tx.audit({ ...note, at, before: { state: 'active' }, after: { state: 'disabled', sessionsEnded } })
    return { ...operator, disabledAt: at }
  })
}

/** New first credentials. Ends the operator's sessions, and enables one that was disabled. */
export async function resetOperator(deps: OperatorActionDeps, actor: Actor, { name, reason }: OperatorAction) {
  const at = deps.clock()
  const found = await deps.store.read((tx) => tx.operator(name))
  if (!found) throw unknownOperator(name)
  const note = noteOf(actor, { action: 'operator.reset', object: found.name, reason }, at)
  const awaitsApproval = needsApproval(deps, actor, found.role)
  const { shown, stored } = await newCredentials(deps, actor, { name: found.name, at, awaitsApproval })
  await deps.store.write(async (tx) => {
    const before = { state: operatorState((await tx.operator(found.name))!) }
    await tx.replaceCredentials(found.name, stored)
    const sessionsEnded = await tx.endOperatorSessions(found.name)
    await tx.audit({ ...note, at, before, after: { state: shown.state, sessionsEnded } })
  })
  return { name: found.name, role: found.role, ...shown }
}

export interface OperatorDecision {
  readonly name: string
  readonly reason?: string | undefined
}

/** Lets a new or reset operator sign in, for whom another administrator asked. */
export async function approveOperator(deps: Acting, actor: Actor, decision: OperatorDecision): Promise<OperatorRow> {
  const { credentialsBy, credentialsAt } = await pendingOperator(deps, decision.name)
  await requireIndependent(deps, actor, { requestedBy: credentialsBy!, requestedAt: credentialsAt })
  return settle(deps, actor, { ...decision, action: 'operator.approve', isApproved: true })
}

/** Disables an operator who waits for an approval. The requester can also retract it this way. */
export async function rejectOperator(deps: Acting, actor: Actor, decision: OperatorDecision): Promise<OperatorRow> {
  await pendingOperator(deps, decision.name)
  return settle(deps, actor, { ...decision, action: 'operator.reject', isApproved: false })
}

async function settle(
  { store, clock }: Acting,
  actor: Actor,
  decision: OperatorDecision & Pick<AuditNote, 'action'> & { readonly isApproved: boolean },
): Promise<OperatorRow> {
  const at = clock()
  const { name, action, isApproved, reason = ownReasons.none } = decision
  return store.write(async (tx) => {
    const before = (await tx.operator(name))!
    if (!(await tx.settleOperator(before.name, isApproved ? null : at))) throw notPending(name)
    const note = noteOf(actor, { action, object: before.name, reason }, at)
    const after = { state: isApproved ? 'active' : 'disabled', requestedBy: before.credentialsBy }
    await tx.audit({ ...note, at, before: { state: 'pending' }, after })
    return (await tx.operator(before.name))!
  })
}

async function pendingOperator({ store }: Reading, name: string): Promise<OperatorRow> {
  const operator = await store.read((tx) => tx.operator(name))
  if (!operator) throw unknownOperator(name)
  if (!operator.awaitsApproval) throw notPending(name)
  return operator
}

const notPending = (name: string) => operatorRefusal('OPERATOR_NOT_PENDING', `${name} does not wait for an approval.`)

/** Wrong one-time codes in a row that lock an operator until a reset. */
export const mostTotpFailures = 5

export const operatorState = (row: OperatorRow): 'pending' | 'disabled' | 'locked' | 'active' => {
  if (row.awaitsApproval) return 'pending'
  if (row.disabledAt !== null) return 'disabled'
  return row.totpFailures >= mostTotpFailures ? 'locked' : 'active'
}

async function newCredentials(
  { passwords, readKeyring }: Pick<OperatorActionDeps, 'passwords' | 'readKeyring'>,
  actor: Actor,
  { name, at, awaitsApproval }: { readonly name: string; readonly at: number; readonly awaitsApproval: boolean },
) {
  const password = randomBase62(20)
  const totp = await sealNewTotp({ readKeyring }, name)
  const stored: OperatorCredentials = {
    passwordDigest: await passwords.hash(password),
    mustChangePassword: true,
    ...totp.stored,
    credentialsBy: actor.via === 'web' ? actor.name : null,
    credentialsAt: at,
    awaitsApproval,
  }
  const state = awaitsApproval ? ('pending' as const) : ('active' as const)
  return { shown: { password, ...totp.shown, state }, stored }
}

/** A new secret for one-time codes: as it is shown once, and as it is stored. */
export async function sealNewTotp({ readKeyring }: Pick<OperatorActionDeps, 'readKeyring'>, name: string) {
  const secret = newTotpSecret()
  const keyring = await readKeyring()
  const { sealed, keyVersion } = keyring.seal(totpContext(name), secret)
  return {
    shown: { totpUri: totpUri(name, secret) },
    stored: { totpSealed: sealed, totpKeyVersion: keyVersion },
  }
}

const unknownOperator = (name: string) => operatorRefusal('OPERATOR_NOT_FOUND', `There is no operator ${name}.`)
