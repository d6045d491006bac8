import type { AdministrationStore } from '../../../administration/ports.ts'
import type { ChainFault } from '../../../audit/chain.ts'
import type { EventDraft } from '../../../events/event.ts'
import type { Engine, Reader } from '../../engine.ts'
import { missingEntries } from '../../reconcile/reconcile-audit.ts'
import { addEvent } from '../event-store.ts'
import { identityWriter } from '../identity-store.ts'
import { approvalReads, approvalWrites } from './approval-rows.ts'
import { auditReads, auditWrites } from './audit-rows.ts'
import { accountReads, accountWrites } from './operated-accounts.ts'
import { operatorReads, operatorWrites } from './operator-rows.ts'
import { sessionReads, sessionWrites } from './operator-session-rows.ts'
import { runReads, runWrites } from './reconcile-run-rows.ts'

export function createAdministrationStore(engine: Pick<Engine, 'read' | 'write'>): AdministrationStore {
  return {
    read: (work) => engine.read((tx) => work(reads(tx))),
    write: (work) =>
      engine.write((tx) => {
        const add = (event: EventDraft) => addEvent(tx, event)
        return work({
          identity: identityWriter(tx, add),
          addEvent: add,
          ...reads(tx),
          ...accountWrites(tx),
          ...approvalWrites(tx),
          ...operatorWrites(tx),
          ...sessionWrites(tx),
          ...runWrites(tx),
          ...auditWrites(tx),
        })
      }),
  }
}

const reads = (tx: Reader) => ({
  ...accountReads(tx),
  ...approvalReads(tx),
  ...operatorReads(tx),
  ...sessionReads(tx),
  ...runReads(tx),
  ...auditReads(tx),
  missingAuditEntries: async (limit: number) => {
    const missing: ChainFault[] = []
    for await (const { projectId: _, ...fault } of missingEntries((work) => work(tx))) {
      missing.push(fault)
      if (missing.length >= limit) break
    }
    return missing
  },
})
