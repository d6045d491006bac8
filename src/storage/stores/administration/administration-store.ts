import type { AdministrationStore } from '../../../administration/ports.ts'
import type { Engine } from '../../engine.ts'
import { identityWriter } from '../identity-store.ts'
import { approvalReads, approvalWrites } from './approval-rows.ts'
import { auditReads, auditWrites } from './audit-rows.ts'
import { accountReads, accountWrites } from './operated-accounts.ts'
import { operatorReads, operatorWrites } from './operator-rows.ts'

export function createAdministrationStore(engine: Pick<Engine, 'read' | 'write'>): AdministrationStore {
  return {
    read: (work) =>
      engine.read((tx) => work({ ...accountReads(tx), ...approvalReads(tx), ...operatorReads(tx), ...auditReads(tx) })),
    write: (work) =>
      engine.write((tx) =>
        work({
          identity: identityWriter(tx),
          ...accountReads(tx),
          ...accountWrites(tx),
          ...approvalReads(tx),
          ...approvalWrites(tx),
          ...operatorReads(tx),
          ...operatorWrites(tx),
          ...auditReads(tx),
          ...auditWrites(tx),
        }),
      ),
  }
}
