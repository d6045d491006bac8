import type { AuditHead } from '../../ledger/audit.ts'
import type { Admit, Balance, BudgetState, Command, OrderState } from '../../ledger/commands.ts'
import type { MovementRecord, PendingApproval } from '../../ledger/movements.ts'
import type { RefundState } from '../../ledger/payments.ts'
import { limitedMoves, type MovedAloneRow, selectMovedAlone } from '../batch/moves-alone.ts'
import {
  type ArchivedKey,
  balanceColumns,
  budgetColumns,
  budgetOfKey,
  chargeRecords,
  chargeTables,
  type KeyStateRow,
  keyStateColumns,
  type LoadedCharge,
  type LoadedRows,
  lockAuditHead,
  movementColumns,
  movementEntries,
  neededRows,
  orderColumns,
  pendingApprovalColumns,
  refundColumns,
} from '../batch/rows.ts'
import { type SameReferenceRow, sameReferencesIn, select, selectSameReferences } from './batch-statements.ts'
import type { PipelinedTransaction, Statement } from './pipelined-transaction.ts'

// Allocates enough ids for the largest batch. A project's entry ids must rise whichever instance writes them: a loaded batch
// allocates them under its locks, and an optimistic batch uses only ids above the last entry's.
export const allocateEntryIds: Statement = { sql: "SELECT nextval('ledger_entry_ids') AS next" }
export const allocatedIn = (rows: readonly object[][]): number => (rows.at(-1) as [{ next: number }])[0].next

// Locked in sorted order, so that two batches never deadlock. This lock guards all rows of the project.
const lockBalances = `SELECT ${balanceColumns} FROM balances WHERE project_id = ANY($1::text[]) ORDER BY project_id FOR UPDATE`
// LATERAL looks up each budget separately; with a join, the planner may read all of them.
const selectKeys = `SELECT ${keyStateColumns} FROM api_keys k
  LEFT JOIN LATERAL (SELECT * FROM key_budgets WHERE key_budgets.budget_id = ${budgetOfKey} LIMIT 1) b ON true
  WHERE k.key_id = ANY($1::text[])`
const selectBudgets = `SELECT ${budgetColumns} FROM (
    SELECT DISTINCT budget_id FROM charges WHERE charge_id = ANY($1::text[]) AND budget_id IS NOT NULL
  ) needed CROSS JOIN LATERAL (SELECT * FROM key_budgets WHERE key_budgets.budget_id = needed.budget_id LIMIT 1) b`
const selectSlots = `SELECT ${chargeRecords.list} FROM unnest($1::text[], $2::text[]) AS needed (project_id, digest)
  JOIN charges c ON c.project_id = needed.project_id AND c.idempotency_digest = needed.digest
  LEFT JOIN charge_responses r ON r.charge_id = c.charge_id`
// After the slots, because a charge that is archived at the same time is in one of the two. LATERAL, so that none is looked up in a scan.
const archivedKeys = `unnest($1::text[], $2::text[]) AS needed (project_id, digest)
  CROSS JOIN LATERAL (SELECT 1 FROM archived_idempotency_keys a
    WHERE a.project_id = needed.project_id AND a.idempotency_digest = needed.digest LIMIT 1) a`
const selectArchivedKeys = `SELECT needed.project_id AS "projectId", needed.digest FROM ${archivedKeys}`
// After the charges were inserted: an insert waits for a program that is archiving the charge of the same key.
const refuseArchivedKeys = `SELECT refuse_stale_row() FROM ${archivedKeys}`
const selectCharges = `SELECT ${chargeRecords.list} FROM ${chargeTables} WHERE c.charge_id = ANY($1::text[])`
const selectOrders = `SELECT ${orderColumns} FROM orders WHERE order_id = ANY($1::text[])`
const selectLots = 'SELECT order_id AS "orderId" FROM credit_lots WHERE order_id = ANY($1::text[])'
const neededReferences = 'unnest($1::text[], $2::text[], $3::text[]) AS needed (project_id, kind, reference)'
const lockRefunds = `SELECT ${refundColumns} FROM payment_refunds WHERE refund_id = ANY($1::text[]) FOR UPDATE`
const selectMovements = `SELECT ${movementColumns} FROM ${neededReferences}
  JOIN operator_movements m ON m.project_id = needed.project_id AND m.kind = needed.kind AND m.reference = needed.reference
  ${movementEntries}`
// Locked, because an approval may be rejected at the same time.
const lockApprovals = `SELECT ${pendingApprovalColumns} FROM ${neededReferences}
  JOIN approvals a ON a.project_id = needed.project_id AND a.kind = needed.kind AND a.reference = needed.reference
    AND a.state = 'pending' FOR UPDATE OF a`

const ofKeys = (sql: string, calls: readonly Admit[]) =>
  select(
    sql,
    calls.map(({ projectId }) => projectId),
    calls.map(({ idempotencyDigest }) => idempotencyDigest),
  )

/** Rejects an optimistic batch whose Idempotency-Keys were archived. */
export const refuseArchived = (calls: readonly Admit[]) => ofKeys(refuseArchivedKeys, calls)

const ofReferences = (sql: string, references: readonly Pick<MovementRecord, 'projectId' | 'kind' | 'reference'>[]) =>
  select(
    sql,
    references.map(({ projectId }) => projectId),
    references.map(({ kind }) => kind),
    references.map(({ reference }) => reference),
  )

/** The rows of the statements in `loadBatch`, in their order. */
type SelectedRows = [
  balances: Balance[],
  allocated: { next: number }[],
  keys: KeyStateRow[],
  budgets: BudgetState[],
  bySlot: LoadedCharge[],
  archivedKeys: ArchivedKey[],
  byId: LoadedCharge[],
  orders: OrderState[],
  lots: { orderId: string }[],
  refunds: RefundState[],
  movements: MovementRecord[],
  pendingApprovals: PendingApproval[],
  heads: AuditHead[],
  sameReferences: SameReferenceRow[],
  ...movedAlone: MovedAloneRow[][],
]

/** Locks and reads the rows that a batch needs, in one round trip. */
export async function loadBatch(tx: PipelinedTransaction, commands: readonly Command[]): Promise<LoadedRows> {
  const needed = neededRows(commands)
  const calls = [...needed.slots.values()]
  const rows = await tx.send([
    select(lockBalances, needed.projectIds),
    allocateEntryIds,
    select(selectKeys, needed.keyIds),
    select(selectBudgets, needed.releasedChargeIds),
    ofKeys(selectSlots, calls),
    ofKeys(selectArchivedKeys, calls),
    select(selectCharges, needed.chargeIds),
    select(selectOrders, needed.orderIds),
    select(selectLots, needed.orderIds),
    select(lockRefunds, needed.refundIds),
    ofReferences(selectMovements, [...needed.references.values()]),
    ofReferences(lockApprovals, [...needed.references.values()]),
    // Last of all locks, because every operator's action waits for it.
    needed.hasAudit ? { sql: lockAuditHead } : null,
    selectSameReferences(commands),
    ...limitedMoves(commands).map(({ move, at }) => selectMovedAlone(move, at)),
  ])
  return toLoadedRows(commands, rows as SelectedRows)
}

function toLoadedRows(commands: readonly Command[], rows: SelectedRows): LoadedRows {
  const [balances, [allocated], keys, budgets, bySlot, archivedKeys, byId, orders, lots, ...rest] = rows
  const [refunds, movements, pendingApprovals, [head], sameReferences, ...movedAlone] = rest
  return {
    balances,
    keys,
    budgets,
    charges: [...bySlot, ...byId],
    archivedKeys,
    orders,
    creditedOrders: lots.map(({ orderId }) => orderId),
    refunds,
    movements,
    pendingApprovals,
    sameReferences: sameReferencesIn(commands, sameReferences),
    movedAlone: limitedMoves(commands).map(({ move }, index) => ({ move, rows: movedAlone[index]! })),
    auditHead: head ?? null,
    nextEntryId: allocated!.next,
  }
}
