import { newSortableId } from '../../../base/ids.ts'
import { isoOf } from '../../../base/time.ts'
import { acceptedStep } from '../../../base/totp.ts'
import { type OperatorErrorCode, operatorRefusal } from '../../../contract/error-codes/operators.ts'
import type { Refusal } from '../../../contract/errors.ts'
import type { AuditRecord } from '../../../ledger/audit.ts'
import { actorAt, noteOf } from '../../../operator-kit/actor.ts'
import type { SignedOperator } from '../../../operator-kit/guard.ts'
import { type OwnReason, ownReasons } from '../../../operator-kit/own-reasons.ts'
import { localAdministrator, type OperatorRole, permits } from '../../../operator-kit/roles.ts'
import { requireUncommon } from '../../identity/accounts/change-password.ts'
import type { HashTurn } from '../../identity/accounts/passwords.ts'
import { recordAudit } from '../audit/audit-log.ts'
import type { Acting, AdministrationDeps } from '../deps.ts'
import type { AdministrationWriter } from '../store.ts'
import { mostTotpFailures, operatorState, sealNewTotp, totpContext } from './operators.ts'
import type { OpenedOperatorSession, OperatorSessions, SignInLinks } from './sessions.ts'
import type { OperatorRow } from './store.ts'

export interface SignInDeps extends Pick<AdministrationDeps, 'store' | 'clock' | 'passwords' | 'readKeyring'> {
  readonly sessions: OperatorSessions
  readonly links: SignInLinks
  readonly requiresTotp: boolean
}

interface SignedIntoConsole extends OpenedOperatorSession {
  readonly name: string
  readonly role: OperatorRole
}

interface PasswordProof {
  readonly name: string
  readonly password: string
  readonly totp?: string | undefined
  /** Whose turn it is to have a password checked. */
  readonly turn: HashTurn
}

/** An unknown name and a wrong password cost the same work and get the same response. */
export async function signInWithPassword(deps: SignInDeps, proof: PasswordProof): Promise<SignedIntoConsole> {
  const { store, passwords, clock } = deps
  const operator = await store.read((tx) => tx.operator(proof.name))
  const { isRight, isOutdated } = await passwords.verify(proof.password, operator?.passwordDigest, proof.turn)
  if (!operator) throw await failed(deps, 'unknown', ownReasons.unknownName)
  if (!isRight) throw await failed(deps, operator.name, ownReasons.wrongPassword)
  if (operator.disabledAt !== null) throw await failed(deps, operator.name, ownReasons.disabled)
  if (operator.awaitsApproval) throw await failed(deps, operator.name, ownReasons.notApproved)
  if (operatorState(operator) === 'locked')
    throw await failed(deps, operator.name, ownReasons.locked, 'OPERATOR_LOCKED')
  const step = await checkTotp(deps, operator, proof.totp)
  const upgraded = isOutdated ? await passwords.hash(proof.password) : undefined
  const opened = await store.write(async (tx) => {
    // Read again: the operator may have been disabled or reset since.
    const now = await tx.operator(operator.name)
    if (now?.passwordDigest !== operator.passwordDigest || now.disabledAt !== null) return null
    if (step !== null && !(await tx.useTotpStep(operator.name, step))) return null
    if (upgraded) await tx.replacePassword(operator.name, { from: operator.passwordDigest, to: upgraded })
    const session = await deps.sessions.open(tx, { name: operator.name, isLocal: false })
    await auditSignIn(tx, operator.name, step === null ? ownReasons.byPassword : ownReasons.byPasswordAndCode, clock())
    return session
  })
  if (!opened) throw await failed(deps, operator.name, ownReasons.changedSince)
  return { ...opened, name: operator.name, role: operator.role }
}

/** As the local administrator. */
export async function signInWithLink(deps: SignInDeps, token: string): Promise<SignedIntoConsole> {
  if (!deps.links.use(token))
    throw await failed(deps, localAdministrator, ownReasons.invalidLink, 'SIGN_IN_LINK_INVALID')
  const opened = await deps.store.write(async (tx) => {
    const session = await deps.sessions.open(tx, { name: localAdministrator, isLocal: true })
    await auditSignIn(tx, localAdministrator, ownReasons.byLink, deps.clock())
    return session
  })
  return { ...opened, name: localAdministrator, role: 'admin' }
}

/** The step of the accepted code; null if none was needed or sent. */
async function checkTotp(deps: SignInDeps, operator: OperatorRow, totp: string | undefined): Promise<number | null> {
  if (totp === undefined || totp === '') {
    if (!deps.requiresTotp || mayEnrolLater(operator)) return null
    throw await failed(deps, operator.name, ownReasons.noCode, 'TOTP_REQUIRED')
  }
  return requireTotp(deps, operator, totp)
}

/** An operator who has never used a code may set them up first, unless the role moves credits. Until then nothing else works. */
const mayEnrolLater = ({ role, isTotpEnrolled }: OperatorRow) => !isTotpEnrolled && !permits(role, 'credits')

/** The step of a right code. Five wrong ones in a row lock the operator until a reset. */
async function requireTotp(deps: OwnCredentialDeps, operator: OperatorRow, totp: string): Promise<number> {
  // Counted before the check, so that guesses that are sent at once count too.
  const attempts = await deps.store.write((tx) => tx.takeTotpAttempt(operator.name, mostTotpFailures))
  if (attempts === null) throw await failed(deps, operator.name, ownReasons.locked, 'OPERATOR_LOCKED')
  const keyring = await deps.readKeyring()
  const sealed = { sealed: operator.totpSealed, keyVersion: operator.totpKeyVersion }
  const secret = keyring.open(totpContext(operator.name), sealed)
  const step = acceptedStep(secret, totp, { now: deps.clock(), lastStep: operator.lastTotpStep })
  if (step !== null) return step
  if (attempts < mostTotpFailures) throw await failed(deps, operator.name, ownReasons.wrongCode)
  const locked = { action: 'operator.lock', object: operator.name, reason: ownReasons.wrongCodes } as const
  await recordAudit(deps, actorAt(operator), locked)
  throw operatorRefusal('OPERATOR_LOCKED')
}

/**
 * The first failure of an hour is recorded at once, the others as one sum: strangers cannot fill the audit log. A name that was
 * typed is not stored unless it is an operator's: it may be a password in the wrong field.
 */
async function failed(
  { store, clock }: Acting,
  name: string,
  reason: OwnReason,
  code: OperatorErrorCode = 'AUTHENTICATION_FAILED',
): Promise<Refusal<OperatorErrorCode>> {
  const at = clock()
  await store.write(async (tx) => {
    if ((await tx.countSignInFailure({ name, reason, at })) > 1) return
    await auditFailure(tx, { name, reason, at, after: null })
  })
  return operatorRefusal(code)
}

const failureWindowMs = 3_600_000

/** Records the failures of hours that are over, one entry for each name and reason. Returns how many were summed up. */
export const sumUpFailures = ({ store, clock }: Acting, limit: number): Promise<number> =>
  store.write(async (tx) => {
    const at = clock()
    const sums = await tx.takeSignInFailures(at - failureWindowMs, limit)
    for (const { name, reason, attempts, firstAt, lastAt } of sums) {
      const [from, to] = [firstAt, lastAt].map((time) => isoOf(time)) as [string, string]
      // A single one was recorded when it happened.
      if (attempts > 1) await auditFailure(tx, { name, reason, at, after: { attempts, from, to } })
    }
    return sums.length
  })

const auditFailure = (
  tx: AdministrationWriter,
  { name, reason, at, after }: Pick<AuditRecord, 'reason' | 'at' | 'after'> & { readonly name: string },
) => {
  const note = noteOf(actorAt({ name }), { action: 'operator.sign_in_failed', object: name, reason }, at)
  return tx.audit({ ...note, at, before: null, after })
}

const auditSignIn = (tx: AdministrationWriter, name: string, reason: OwnReason, at: number) =>
  tx.audit({
    auditId: newSortableId('aud', at),
    by: name,
    via: 'web',
    action: 'operator.sign_in',
    object: name,
    reason,
    at,
    before: null,
    after: null,
  })

type OwnCredentialDeps = Pick<AdministrationDeps, 'store' | 'clock' | 'passwords' | 'readKeyring'>

/** Changes the operator's own password and ends their other sessions. Returns how many. */
export async function changeOwnPassword(
  deps: OwnCredentialDeps,
  operator: SignedOperator,
  { currentPassword, newPassword }: { readonly currentPassword: string; readonly newPassword: string },
): Promise<number> {
  requireUncommon(newPassword)
  const { name, passwordDigest: from } = await prove(deps, operator, currentPassword)
  const to = await deps.passwords.hash(newPassword)
  const at = deps.clock()
  const note = noteOf(
    actorAt(operator),
    { action: 'operator.password', object: name, reason: ownReasons.ownPassword },
    at,
  )
  return deps.store.write(async (tx) => {
    if (!(await tx.replacePassword(name, { from, to }))) throw operatorRefusal('AUTHENTICATION_FAILED')
    await tx.confirmPassword(name)
    const sessionsEnded = await tx.endOperatorSessions(name, operator.sessionDigest)
    await tx.audit({ ...note, at, before: null, after: { sessionsEnded } })
    return sessionsEnded
  })
}

/** Replaces the secret of the operator's own one-time codes, and shows the new one once. */
export async function replaceOwnTotp(
  deps: OwnCredentialDeps,
  operator: SignedOperator,
  { currentPassword }: { readonly currentPassword: string },
): Promise<{ readonly totpUri: string }> {
  const { name } = await prove(deps, operator, currentPassword)
  const { shown, stored } = await sealNewTotp(deps, name)
  const at = deps.clock()
  const note = noteOf(actorAt(operator), { action: 'operator.totp', object: name, reason: ownReasons.ownCodes }, at)
  await deps.store.write(async (tx) => {
    await tx.replaceTotp(name, stored)
    await tx.audit({ ...note, at, before: null, after: { totp: 'replaced' } })
  })
  return shown
}

/** Proves with a first code that the authenticator app has the secret. */
export async function confirmOwnTotp(
  deps: OwnCredentialDeps,
  operator: SignedOperator,
  { totp }: { readonly totp: string },
): Promise<void> {
  if (operator.isLocal) throw operatorRefusal('NO_PASSWORD')
  const row = await deps.store.read((tx) => tx.operator(operator.name))
  if (!row) throw operatorRefusal('GATEWAY_AUTH_REQUIRED')
  const step = await requireTotp(deps, row, totp)
  const at = deps.clock()
  const what = { action: 'operator.totp', object: row.name, reason: ownReasons.ownCodes } as const
  const note = noteOf(actorAt(operator), what, at)
  await deps.store.write(async (tx) => {
    if (!(await tx.useTotpStep(row.name, step))) throw operatorRefusal('AUTHENTICATION_FAILED')
    await tx.audit({ ...note, at, before: null, after: { totp: 'confirmed' } })
  })
}

/** Somebody may be at the operator's unlocked screen, so the password is asked again. */
async function prove({ store, passwords }: OwnCredentialDeps, { name, isLocal }: SignedOperator, password: string) {
  if (isLocal) throw operatorRefusal('NO_PASSWORD')
  const operator = await store.read((tx) => tx.operator(name))
  const { isRight } = await passwords.verify(password, operator?.passwordDigest)
  if (!operator || !isRight) throw operatorRefusal('AUTHENTICATION_FAILED', 'The current password is wrong.')
  return operator
}
