import type { ChainFault } from '../../ledger/audit.ts'
import { approvalReads, approvalWrites } from '../../operator-kit/approvals.ts'
import { auditReads, auditWrites } from '../../storage/audit-rows.ts'
import type { Engine, Reader, Writer } from '../../storage/engine.ts'
import { flag, integer, type RowOf, rowMapper, text } from '../../storage/row-mapper.ts'
import { missingEntries } from '../records/reconcile/rows/audit.ts'
import { anchoredHeads } from '../records/transparency/audit-heads.ts'
import { operatorReads, operatorWrites } from './access/store.ts'

const switches = rowMapper('provider_switches', {
  /** Kind and name, such as `model/model_provider_a`. */
  provider: text(),
  isOut: flag(),
  changedBy: text(),
  changedAt: integer(),
})

/** Whether an operator took a provider out of service. */
export type ProviderSwitch = RowOf<typeof switches.columns>

/** Approvals, and the providers that are out of service. */
const sharedReads = (tx: Reader) => ({
  ...approvalReads(tx),
  providerSwitches: () => switches.all(tx, 'ORDER BY provider LIMIT 1000'),
})

const sharedWrites = (tx: Writer) => ({
  ...approvalWrites(tx),
  switchProvider: (row: ProviderSwitch) => switches.upsert(tx, row, ['provider']),
})

export type AdministrationStore = ReturnType<typeof createAdministrationStore>
export type AdministrationReader = ReturnType<typeof reads>
export type AdministrationWriter = ReturnType<typeof writes>

export const createAdministrationStore = (engine: Pick<Engine, 'read' | 'write'>) => ({
  read: <T>(work: (tx: AdministrationReader) => Promise<T>): Promise<T> => engine.read((tx) => work(reads(tx))),
  write: <T>(work: (tx: AdministrationWriter) => Promise<T>): Promise<T> => engine.write((tx) => work(writes(tx))),
})

const reads = (tx: Reader) => ({
  ...operatorReads(tx),
  ...sharedReads(tx),
  ...auditReads(tx),
  anchoredHeads: () => anchoredHeads(tx),
  /** The first effects of operators that are in the books but not in the audit log. */
  missingAuditEntries: async (limit: number) => {
    const missing: ChainFault[] = []
    for await (const { projectId: _, ...fault } of missingEntries((work) => work(tx))) {
      missing.push(fault)
      if (missing.length >= limit) break
    }
    return missing
  },
})

function writes(tx: Writer) {
  return {
    /** For what other features do in the same transaction. */
    writer: tx,
    ...reads(tx),
    ...operatorWrites(tx),
    ...sharedWrites(tx),
    ...auditWrites(tx),
  }
}
