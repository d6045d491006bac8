import { newSortableId } from '../contract/ids.ts'
import { type OperatorErrorCode, OperatorRefusal } from '../contract/operator/errors.ts'
import { localAdministrator, type OperatorRole, permits } from '../contract/operator/roles.ts'
import type { HashTurn } from '../identity/hash-queue.ts'
import { recordAudit } from './audit-log.ts'
import type { AdministrationDeps } from './deps.ts'
import { actorAt, type OpenedOperatorSession, type OperatorSessions } from './operator-sessions.ts'
import { totpContext } from './operators.ts'
import type { AdministrationWriter, OperatorRow } from './ports.ts'
import type { SignInLinks } from './sign-in-links.ts'
import { acceptedStep } from './totp.ts'

export interface SignInDeps extends Pick<AdministrationDeps, 'store' | 'clock' | 'passwords' | 'secrets'> {
  readonly sessions: OperatorSessions
  readonly links: SignInLinks
  /** Whether roles that move credits need a one-time code. */
  readonly requiresTotp: boolean
}

export interface SignedIntoConsole extends OpenedOperatorSession {
  readonly name: string
  readonly role: OperatorRole
}

export interface PasswordProof {
  readonly name: string
  readonly password: string
  readonly totp?: string | undefined
  /** Whose turn it is to have a password checked. */
  readonly turn: HashTurn
}

/** An unknown name and a wrong password cost the same work and get the same answer. */
export async function signInWithPassword(deps: SignInDeps, proof: PasswordProof): Promise<SignedIntoConsole> {
  const { store, passwords, clock } = deps
  const operator = await store.read((tx) => tx.operator(proof.name))
  const { isRight, isOutdated } = await passwords.verify(proof.password, operator?.passwordDigest, proof.turn)
  if (!operator) throw await failed(deps, 'unknown', 'unknown name')
  if (!isRight) throw await failed(deps, operator.name, 'wrong password')
  if (operator.disabledAt !== null) throw await failed(deps, operator.name, 'disabled')
  const step = await checkTotp(deps, operator, proof.totp)
  const upgraded = isOutdated ? await passwords.hash(proof.password) : undefined
  const opened = await store.write(async (tx) => {
    // Read again: the operator may have been disabled or reset meanwhile.
    const now = await tx.operator(operator.name)
    if (now?.passwordDigest !== operator.passwordDigest || now.disabledAt !== null) return null
    if (step !== null && !(await tx.useTotpStep(operator.name, step))) return null
    if (upgraded) await tx.replacePassword(operator.name, { from: operator.passwordDigest, to: upgraded })
    const session = await deps.sessions.open(tx, { name: operator.name, isLocal: false })
    await auditSignIn(tx, operator.name, step === null ? 'password' : 'password and one-time code', clock())
    return session
  })
  if (!opened) throw await failed(deps, operator.name, 'used one-time code, or changed meanwhile')
  return { ...opened, name: operator.name, role: operator.role }
}

/** As the local administrator. */
export async function signInWithLink(deps: SignInDeps, token: string): Promise<SignedIntoConsole> {
  if (!deps.links.use(token))
    throw await failed(deps, localAdministrator, 'invalid sign-in link', 'SIGN_IN_LINK_INVALID')
  const opened = await deps.store.write(async (tx) => {
    const session = await deps.sessions.open(tx, { name: localAdministrator, isLocal: true })
    await auditSignIn(tx, localAdministrator, 'one-time sign-in link', deps.clock())
    return session
  })
  return { ...opened, name: localAdministrator, role: 'admin' }
}

/** The step of the accepted code; null if none was needed or sent. */
async function checkTotp(deps: SignInDeps, operator: OperatorRow, totp: string | undefined): Promise<number | null> {
  if (totp === undefined || totp === '') {
    if (!deps.requiresTotp || !permits(operator.role, 'credits')) return null
    throw await failed(deps, operator.name, 'no one-time code', 'TOTP_REQUIRED')
  }
  const { keyring } = await deps.secrets()
  const sealed = { sealed: operator.totpSealed, keyVersion: operator.totpKeyVersion }
  const secret = keyring.open(totpContext(operator.name), sealed)
  const step = acceptedStep(secret, totp, { now: deps.clock(), lastStep: operator.lastTotpStep })
  if (step === null) throw await failed(deps, operator.name, 'wrong or used one-time code')
  return step
}

/** The name that was typed is not stored unless it is an operator's: it may be a password in the wrong field. */
async function failed(
  deps: SignInDeps,
  name: string,
  reason: string,
  code: OperatorErrorCode = 'AUTHENTICATION_FAILED',
): Promise<OperatorRefusal> {
  await recordAudit(deps, actorAt({ name }), { action: 'operator.sign_in_failed', object: name, reason })
  return new OperatorRefusal(code)
}

const auditSignIn = (tx: AdministrationWriter, name: string, reason: string, at: number) =>
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
