import type { ChainFault } from '../../../ledger/audit.ts'
import type { EventDraft } from '../../../ledger/books.ts'
import type { EarlierMovement, MovementRecord, PendingApproval } from '../../../ledger/commands.ts'
import { auditReads, auditWrites, missingEntries } from '../../../reconcile/rows/audit.ts'
import { movementColumns, movementTables, pastOf, pendingApprovalColumns } from '../../../storage/books/rows.ts'
import type { Engine, Reader, Writer } from '../../../storage/engine.ts'
import { addEvent } from '../../../storage/event-rows.ts'
import { identityWriter } from '../../accounts/store.ts'
import type {
  AdministrationReader,
  AdministrationStore,
  AdministrationWriter,
  ApprovalRow,
  MovementSlot,
} from '../administration/ports.ts'
import { accountReads, accountWrites } from './accounts.ts'
import { operatorReads, operatorWrites, sessionReads, sessionWrites } from './operators.ts'
import { runReads, runWrites } from './reconcile-runs.ts'

const columns = `${pendingApprovalColumns}, a.reason, a.requested_via AS "requestedVia", a.requested_at AS "requestedAt",
  a.state, a.decided_by AS "decidedBy", a.decided_at AS "decidedAt"`

function approvalReads(tx: Reader): Pick<AdministrationReader, 'approval' | 'approvals'> {
  return {
    approval: (approvalId) =>
      tx.get<ApprovalRow>(`SELECT ${columns} FROM approvals a WHERE a.approval_id = $1`, [approvalId]),
    approvals: (state, after, limit) =>
      state === null
        ? tx.all<ApprovalRow>(
            `SELECT ${columns} FROM approvals a WHERE a.approval_id > $1 ORDER BY a.approval_id LIMIT $2`,
            [after, limit],
          )
        : tx.all<ApprovalRow>(
            `SELECT ${columns} FROM approvals a WHERE a.state = $3 AND a.approval_id > $1 ORDER BY a.approval_id LIMIT $2`,
            [after, limit, state],
          ),
  }
}

type ApprovalWrites = Pick<
  AdministrationWriter,
  'movement' | 'pendingApproval' | 'sameReference' | 'insertApproval' | 'rejectApproval'
>

const { sameReference: selectSame } = pastOf({
  ...{ kind: '$1', referenceKey: '$2', projectId: '$3', reference: '$4' },
  ...{ by: '', since: '' },
})

function approvalWrites(tx: Writer): ApprovalWrites {
  const slotOf = ({ projectId, kind, reference }: MovementSlot) => [projectId, kind, reference]
  return {
    movement: (slot) =>
      tx.get<MovementRecord>(
        `SELECT ${movementColumns} FROM ${movementTables} WHERE m.project_id = $1 AND m.kind = $2 AND m.reference = $3`,
        slotOf(slot),
      ),
    pendingApproval: (slot) =>
      tx.get<PendingApproval>(
        `SELECT ${pendingApprovalColumns} FROM approvals a
        WHERE a.project_id = $1 AND a.kind = $2 AND a.reference = $3 AND a.state = 'pending'`,
        slotOf(slot),
      ),
    sameReference: ({ kind, referenceKey, projectId, reference }) =>
      tx.get<EarlierMovement>(selectSame, [kind, referenceKey, projectId, reference]),
    insertApproval: async (row) => {
      await tx.run(
        `INSERT INTO approvals (approval_id, project_id, kind, amount, reference, reference_key, reason, requested_by,
          requested_via, requested_at, state) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'pending')`,
        [
          row.approvalId,
          row.projectId,
          row.kind,
          row.amount,
          row.reference,
          row.referenceKey,
          row.reason,
          row.requestedBy,
          row.requestedVia,
          row.requestedAt,
        ],
      )
    },
    rejectApproval: async (approvalId, by, at) =>
      (await tx.run(
        `UPDATE approvals SET state = 'rejected', decided_by = $2, decided_at = $3
        WHERE approval_id = $1 AND state = 'pending'`,
        [approvalId, by, at],
      )) === 1,
  }
}

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
