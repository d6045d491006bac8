import { OperatorRefusal } from '../contract/operator/errors.ts'
import { type Actor, noteOf } from './actor.ts'
import type { AdministrationDeps } from './deps.ts'
import type { OperatedKey } from './ports.ts'

/** Revokes a key of any project, from its next call on. Revoking twice changes nothing. */
export async function revokeKey(
  { store, clock }: Pick<AdministrationDeps, 'store' | 'clock'>,
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
