import { randomBase62 } from '../contract/ids.ts'
import { OperatorRefusal } from '../contract/operator/errors.ts'
import type { OperatorRole } from '../contract/operator/roles.ts'
import { type Actor, noteOf } from './actor.ts'
import type { AdministrationDeps } from './deps.ts'
import type { OperatorCredentials, OperatorRow } from './ports.ts'
import { newTotpSecret, totpUri } from './totp.ts'

/** Shown once: only a digest of the password and the sealed secret of the one-time codes are stored. */
export interface FirstCredentials {
  readonly name: string
  readonly role: OperatorRole
  readonly password: string
  readonly totpUri: string
}

export interface OperatorAction {
  readonly name: string
  readonly reason: string
}

const issuer = 'API Relay Gateway'
const namePattern = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u

/** Binds the sealed secret to its owner, so that it cannot be moved to another row. */
export const totpContext = (name: string): string => `operator totp ${name}`

type OperatorActionDeps = Pick<AdministrationDeps, 'store' | 'clock' | 'passwords' | 'secrets'>

/** Adds an operator with a first password, to be changed at the first sign-in. */
export async function addOperator(
  deps: OperatorActionDeps,
  actor: Actor,
  { name, role, reason }: OperatorAction & { readonly role: OperatorRole },
): Promise<FirstCredentials> {
  if (!namePattern.test(name)) throw new OperatorRefusal('OPERATOR_NAME_INVALID')
  const at = deps.clock()
  const note = noteOf(actor, { action: 'operator.add', object: name, reason }, at)
  const { shown, stored } = await newCredentials(deps, name)
  await deps.store.write(async (tx) => {
    // First, because the audit log is held until the end: no other operator is added meanwhile.
    await tx.audit({ ...note, at, before: null, after: { role, state: 'active' } })
    if (await tx.operator(name)) throw new OperatorRefusal('OPERATOR_ALREADY_EXISTS')
    await tx.insertOperator({ name, role, ...stored, lastTotpStep: null, createdAt: at, disabledAt: null })
  })
  return { name, role, ...shown }
}

export const listOperators = ({ store }: Pick<AdministrationDeps, 'store'>): Promise<OperatorRow[]> =>
  store.read((tx) => tx.operators())

/** Ends the operator's sessions and refuses every sign-in until a reset. */
export async function disableOperator(
  { store, clock }: Pick<AdministrationDeps, 'store' | 'clock'>,
  actor: Actor,
  { name, reason }: OperatorAction,
): Promise<OperatorRow> {
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
export async function resetOperator(
  deps: OperatorActionDeps,
  actor: Actor,
  { name, reason }: OperatorAction,
): Promise<FirstCredentials> {
  const at = deps.clock()
  const found = await deps.store.read((tx) => tx.operator(name))
  if (!found) throw unknownOperator(name)
  const note = noteOf(actor, { action: 'operator.reset', object: found.name, reason }, at)
  const { shown, stored } = await newCredentials(deps, found.name)
  await deps.store.write(async (tx) => {
    const { disabledAt } = (await tx.operator(found.name))!
    await tx.replaceCredentials(found.name, stored)
    const sessionsEnded = await tx.endOperatorSessions(found.name)
    const before = { state: disabledAt === null ? 'active' : 'disabled' }
    await tx.audit({ ...note, at, before, after: { state: 'active', sessionsEnded } })
  })
  return { name: found.name, role: found.role, ...shown }
}

async function newCredentials({ passwords, secrets }: Pick<OperatorActionDeps, 'passwords' | 'secrets'>, name: string) {
  const password = randomBase62(20)
  const totp = await sealNewTotp({ secrets }, name)
  const stored: OperatorCredentials = {
    passwordDigest: await passwords.hash(password),
    mustChangePassword: true,
    ...totp.stored,
  }
  return { shown: { password, ...totp.shown }, stored }
}

/** A new secret for one-time codes: as it is shown once, and as it is stored. */
export async function sealNewTotp({ secrets }: Pick<OperatorActionDeps, 'secrets'>, name: string) {
  const secret = newTotpSecret()
  const { keyring } = await secrets()
  const { sealed, keyVersion } = keyring.seal(totpContext(name), secret)
  return {
    shown: { totpUri: totpUri(issuer, name, secret) },
    stored: { totpSealed: sealed, totpKeyVersion: keyVersion },
  }
}

const unknownOperator = (name: string) => new OperatorRefusal('OPERATOR_NOT_FOUND', `There is no operator ${name}.`)
