import { OperatorRefusal } from '../contract/operator/errors.ts'
import { isSameOperator } from '../ledger/move.ts'
import type { Actor } from './actor.ts'
import type { AdministrationDeps } from './deps.ts'

export interface MadeRequest {
  readonly requestedBy: string
  readonly requestedAt: number
}

/**
 * Refuses whoever made the request, and an operator whose first password was made after it or was shown to whoever made it: it
 * may be the same person. The command line is trusted beyond its names.
 */
export async function requireIndependent(
  { store }: Pick<AdministrationDeps, 'store'>,
  actor: Actor,
  { requestedBy, requestedAt }: MadeRequest,
): Promise<void> {
  if (isSameOperator(requestedBy, actor.name)) throw new OperatorRefusal('APPROVAL_OWN_REQUEST')
  // The local administrator has no password, and so no row.
  const approver = actor.via === 'web' ? await store.read((tx) => tx.operator(actor.name)) : undefined
  if (!approver) return
  const { credentialsAt, credentialsBy } = approver
  const wasShown = credentialsBy !== null && isSameOperator(credentialsBy, requestedBy)
  if (credentialsAt >= requestedAt || wasShown) throw new OperatorRefusal('APPROVER_NOT_INDEPENDENT')
}
