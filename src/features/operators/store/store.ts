import type { Keyring } from '../../../base/keyring.ts'
import type { ChainFault } from '../../../ledger/audit.ts'
import type { EventDraft } from '../../../ledger/events.ts'
import type { EarlierMovement, MovementRecord } from '../../../ledger/movements.ts'
import { approvalReads, approvalWrites } from '../../../operator-kit/approvals.ts'
import { auditReads, auditWrites } from '../../../storage/audit-rows.ts'
import { lockBalance } from '../../../storage/balance-rows.ts'
import { movementColumns, movementTables, pastOf } from '../../../storage/batch/rows.ts'
import type { Engine, Reader, Writer } from '../../../storage/engine.ts'
import { addEvent } from '../../../storage/event-rows.ts'
import { flag, integer, orNull, type RowOf, rowMapper, text } from '../../../storage/row-mapper.ts'
import { comparisonWrites } from '../../billing/payments/store/comparisons.ts'
import { refundReads, refundWrites } from '../../billing/payments/store/refunds.ts'
import { accountWriter } from '../../identity/accounts/store.ts'
import { missingEntries } from '../../records/reconcile/rows/audit.ts'
import { anchoredHeads, proveHead } from '../../records/transparency/audit-heads.ts'
import { forkLog } from '../../records/transparency/fork.ts'
import { rotateSigningKey } from '../../records/transparency/signing-keys.ts'
import { accountReads, accountWrites } from './accounts.ts'
import { operatorReads, operatorWrites } from './operators.ts'

const runs = rowMapper('reconcile_runs', {
  runId: text(),
  startedBy: text(),
  startedAt: integer(),
  /** Null while it runs. */
  finishedAt: orNull(integer()),
  /** Null while it runs, and if it failed. */
  isSound: orNull(flag()),
  /** The report as JSON; null if there is none. */
  report: orNull(text()),
})
const switches = rowMapper('provider_switches', {
  /** Kind and name, such as `model/model_provider_a`. */
  provider: text(),
  isOut: flag(),
  changedBy: text(),
  changedAt: integer(),
})

export type ReconcileRunRow = RowOf<typeof runs.columns>
/** Whether an operator took a provider out of service. */
export type ProviderSwitch = RowOf<typeof switches.columns>
type MovementSlot = Pick<MovementRecord, 'projectId' | 'kind' | 'reference'>

/** Approvals, reconciliations, and the providers that are out of service. */
const sharedReads = (tx: Reader) => ({
  ...approvalReads(tx),
  /** The newest first. */
  reconcileRuns: (limit: number) => runs.all(tx, 'ORDER BY run_id DESC LIMIT $1', [limit]),
  reconcileRun: (runId: string) => runs.get(tx, 'WHERE run_id = $1', [runId]),
  providerSwitches: () => switches.all(tx, 'ORDER BY provider LIMIT 1000'),
})

const { sameReference: selectSame } = pastOf({
  kind: '$1',
  referenceKey: '$2',
  projectId: '$3',
  reference: '$4',
  by: '',
  since: '',
})

const sharedWrites = (tx: Writer) => ({
  movement: ({ projectId, kind, reference }: MovementSlot) =>
    tx.get<MovementRecord>(
      `SELECT ${movementColumns} FROM ${movementTables} WHERE m.project_id = $1 AND m.kind = $2 AND m.reference = $3`,
      [projectId, kind, reference],
    ),
  /** The last movement or pending approval of this kind with the same key, but for the one in this slot. */
  sameReference: ({ kind, referenceKey, projectId, reference }: MovementSlot & { readonly referenceKey: string }) =>
    tx.get<EarlierMovement>(selectSame, [kind, referenceKey, projectId, reference]),
  ...approvalWrites(tx),
  insertReconcileRun: (row: Pick<ReconcileRunRow, 'runId' | 'startedBy' | 'startedAt'>) => runs.insert(tx, row),
  finishReconcileRun: ({ runId, ...end }: Pick<ReconcileRunRow, 'runId' | 'finishedAt' | 'isSound' | 'report'>) =>
    runs.update(tx, end, 'run_id = $1 AND finished_at IS NULL', [runId]),
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
  ...accountReads(tx),
  ...operatorReads(tx),
  ...sharedReads(tx),
  ...auditReads(tx),
  ...refundReads(tx),
  anchoredHeads: () => anchoredHeads(tx),
  proveHead: (day: string) => proveHead(tx, day),
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
  const add = (event: EventDraft) => addEvent(tx, event)
  return {
    /** For actions that a payer could also take, in the same transaction. */
    identity: accountWriter(tx, add),
    addEvent: add,
    /** For what other features do in the same transaction. */
    writer: tx,
    ...reads(tx),
    ...accountWrites(tx),
    ...operatorWrites(tx),
    ...sharedWrites(tx),
    lockBalance: (projectId: string) => lockBalance(tx, projectId),
    ...auditWrites(tx),
    ...refundWrites(tx),
    ...comparisonWrites(tx),
    rotateSigningKey: (keyring: Keyring, times: Parameters<typeof rotateSigningKey>[2]) =>
      rotateSigningKey(tx, keyring, times),
    forkLog: (given: Parameters<typeof forkLog>[1]) => forkLog(tx, given),
  }
}
