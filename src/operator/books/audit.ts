import { verifyChain } from '../../audit/verify-chain.ts'
import type { Reader } from '../../storage/engine.ts'
import { auditSource } from '../../storage/reconcile/reconcile-audit.ts'
import type { Difference, ReconcileContext } from './differences.ts'

/** I7: hashes the audit log again; an entry that was changed, removed or inserted breaks the chain. */
export async function reconcileAudit(tx: Reader, { differences }: ReconcileContext): Promise<void> {
  const { faults } = await verifyChain(auditSource(tx))
  differences.add(faults.map((fault): Difference => ({ invariant: 'I7', projectId: 'none', ...fault })))
}
