import { verifyChain } from '../../audit/verify-chain.ts'
import type { Read } from '../../storage/reconcile/range.ts'
import { auditSource, missingEntries } from '../../storage/reconcile/reconcile-audit.ts'
import type { Difference, ReconcileContext } from './differences.ts'

/**
 * I7: hashes the audit log again; an entry that was changed, removed or inserted breaks the chain. If its last entries were cut
 * off and the record of its end was set back, what they recorded is still in the books.
 */
export async function reconcileAudit(read: Read, { differences }: ReconcileContext): Promise<void> {
  const { faults } = await verifyChain(auditSource(read))
  differences.add(faults.map((fault): Difference => ({ invariant: 'I7', projectId: 'none', ...fault })))
  for await (const missing of missingEntries(read)) differences.add([{ invariant: 'I7', ...missing }])
}
