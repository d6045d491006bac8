import { OperatorRefusal } from '../contract/operator/errors.ts'
import { requireUncommon } from '../identity/change-password.ts'
import { noteOf } from './actor.ts'
import type { AdministrationDeps } from './deps.ts'
import { actorAt, type SignedOperator } from './operator-sessions.ts'
import { sealNewTotp } from './operators.ts'
import type { OperatorRow } from './ports.ts'

type OwnCredentialDeps = Pick<AdministrationDeps, 'store' | 'clock' | 'passwords' | 'secrets'>

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
  const note = noteOf(actorAt(operator), { action: 'operator.password', object: name, reason: 'own password' }, at)
  return deps.store.write(async (tx) => {
    if (!(await tx.replacePassword(name, { from, to }))) throw new OperatorRefusal('AUTHENTICATION_FAILED')
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
  const note = noteOf(actorAt(operator), { action: 'operator.totp', object: name, reason: 'own one-time codes' }, at)
  await deps.store.write(async (tx) => {
    await tx.replaceTotp(name, stored)
    await tx.audit({ ...note, at, before: null, after: { totp: 'replaced' } })
  })
  return shown
}

/** Somebody may be at the operator's unlocked screen, so the password is asked again. */
async function prove(
  { store, passwords }: OwnCredentialDeps,
  { name, isLocal }: SignedOperator,
  password: string,
): Promise<OperatorRow> {
  if (isLocal) throw new OperatorRefusal('NO_PASSWORD')
  const operator = await store.read((tx) => tx.operator(name))
  const { isRight } = await passwords.verify(password, operator?.passwordDigest)
  if (!operator || !isRight) throw new OperatorRefusal('AUTHENTICATION_FAILED', 'The current password is wrong.')
  return operator
}
