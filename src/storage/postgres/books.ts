import { strict as assert } from 'node:assert'
import type { AuditHead } from '../../audit/audit-entry.ts'
import { largestBatch } from '../../ledger/batch-queue.ts'
import type {
  Balance,
  BudgetState,
  Command,
  CommandResult,
  MovementRecord,
  OrderState,
  PendingApproval,
} from '../../ledger/commands.ts'
import type { BookStore } from '../../ledger/ledger.ts'
import { decide } from '../../ledger/rules.ts'
import {
  balanceColumns,
  budgetColumns,
  budgetOfKey,
  chargeColumns,
  chargeTables,
  type KeyStateRow,
  keyStateColumns,
  type LoadedCharge,
  type LoadedRows,
  lockAuditHead,
  movementColumns,
  neededRows,
  pendingApprovalColumns,
  toBooks,
} from '../books/book-rows.ts'
import { UniqueViolation } from '../engine.ts'
import { orderColumns } from '../stores/order-store.ts'
import { statementsOf } from './book-statements.ts'
import { isStale } from './faults.ts'
import type { PipelinedTransaction, Statement } from './pipelined-transaction.ts'
import type { PostgresEngine } from './postgres-engine.ts'
import { isVerified, type OptimisticBatch, RowCache } from './row-cache.ts'
import { SortedBatchQueue } from './sorted-batch-queue.ts'

/**
 * Commits a batch in one round trip if its rows are cached and unchanged, otherwise in two: lock and load, then save and
 * commit. The number of statements does not grow with the number of commands.
 */
export function createPostgresBooks(engine: PostgresEngine): Pick<BookStore, 'apply' | 'createQueue'> {
  const cache = new RowCache()

  async function applyLoaded(commands: readonly Command[]): Promise<CommandResult[]> {
    return engine.pipelined(async (tx) => {
      const books = toBooks(await load(tx, commands))
      const { results, changes } = decide(books, commands)
      const rows = await tx.commit([...statementsOf(changes, null), allocateEntryIds])
      cache.store(books, changes, allocatedIn(rows))
      return results
    })
  }

  /** Null if the batch must be loaded after all. */
  async function applyOptimistic(
    commands: readonly Command[],
    { books, expected }: OptimisticBatch,
  ): Promise<CommandResult[] | null> {
    const { results, changes } = decide(books, commands)
    if (!results.every(isVerified)) return null
    try {
      const rows = await engine.pipelined((tx) => tx.commit([...statementsOf(changes, expected), allocateEntryIds]))
      cache.store(books, changes, allocatedIn(rows))
      cache.succeeded()
      return results
    } catch (error) {
      if (!isStale(error) && !(error instanceof UniqueViolation)) throw error
      cache.failed()
      return null
    }
  }

  return {
    createQueue: () => new SortedBatchQueue({ fullBatch: 32 }),
    async apply(commands) {
      assert(commands.length <= largestBatch, 'a batch has more commands than it has entry ids')
      const batch = cache.optimistic(commands)
      return cache.during(
        commands,
        async () => (batch && (await applyOptimistic(commands, batch))) ?? (await applyLoaded(commands)),
      )
    },
  }
}

// Allocates enough ids for the largest batch. A project's entry ids must rise whichever instance writes them: a loaded batch
// allocates them under its locks, and an optimistic batch uses only ids above the last entry's.
const allocateEntryIds: Statement = { sql: "SELECT nextval('ledger_entry_ids') AS next" }
const allocatedIn = (rows: readonly object[][]): number => (rows.at(-1) as [{ next: number }])[0].next

// Locked in sorted order, so that two batches never deadlock. This lock guards all rows of the project.
const lockBalances = `SELECT ${balanceColumns} FROM balances WHERE project_id = ANY($1::text[]) ORDER BY project_id FOR UPDATE`
// LATERAL looks up each budget separately; with a join, the planner may read all of them.
const selectKeys = `SELECT ${keyStateColumns} FROM api_keys k
  LEFT JOIN LATERAL (SELECT * FROM key_budgets WHERE key_budgets.budget_id = ${budgetOfKey} LIMIT 1) b ON true
  WHERE k.key_id = ANY($1::text[])`
const selectBudgets = `SELECT ${budgetColumns} FROM (
    SELECT DISTINCT budget_id FROM charges WHERE charge_id = ANY($1::text[]) AND budget_id IS NOT NULL
  ) needed CROSS JOIN LATERAL (SELECT * FROM key_budgets WHERE key_budgets.budget_id = needed.budget_id LIMIT 1) b`
const selectSlots = `SELECT ${chargeColumns} FROM unnest($1::text[], $2::text[]) AS needed (project_id, digest)
  JOIN charges c ON c.project_id = needed.project_id AND c.idempotency_digest = needed.digest
  LEFT JOIN charge_responses r ON r.charge_id = c.charge_id`
const selectCharges = `SELECT ${chargeColumns} FROM ${chargeTables} WHERE c.charge_id = ANY($1::text[])`
const selectOrders = `SELECT ${orderColumns} FROM orders WHERE order_id = ANY($1::text[])`
const selectLots = 'SELECT order_id AS "orderId" FROM credit_lots WHERE order_id = ANY($1::text[])'
const neededReferences = 'unnest($1::text[], $2::text[], $3::text[]) AS needed (project_id, kind, reference)'
const selectMovements = `SELECT ${movementColumns} FROM ${neededReferences}
  JOIN operator_movements m ON m.project_id = needed.project_id AND m.kind = needed.kind AND m.reference = needed.reference
  JOIN ledger_entries e ON e.entry_id = m.entry_id`
// Locked, because an approval may be rejected meanwhile.
const lockApprovals = `SELECT ${pendingApprovalColumns} FROM ${neededReferences}
  JOIN approvals a ON a.project_id = needed.project_id AND a.kind = needed.kind AND a.reference = needed.reference
    AND a.state = 'pending' FOR UPDATE OF a`

/** Null if no row is needed. */
function select(sql: string, ids: Iterable<string>, ...more: string[][]): Statement | null {
  const values = [...ids]
  return values.length === 0 ? null : { sql, params: [values, ...more] }
}

async function load(tx: PipelinedTransaction, commands: readonly Command[]): Promise<LoadedRows> {
  const needed = neededRows(commands)
  const slots = [...needed.slots.values()]
  const movements = [...needed.movements.values()]
  const referring = (sql: string) =>
    select(
      sql,
      movements.map(({ projectId }) => projectId),
      movements.map(({ type }) => type),
      movements.map(({ reference }) => reference),
    )
  const [balances, [allocated], keys, budgets, bySlot, byId, orders, lots, moved, approvals, [auditHead]] =
    (await tx.send([
      select(lockBalances, needed.projectIds),
      allocateEntryIds,
      select(selectKeys, needed.keyIds),
      select(selectBudgets, needed.releasedChargeIds),
      select(
        selectSlots,
        slots.map(({ projectId }) => projectId),
        slots.map(({ digest }) => digest),
      ),
      select(selectCharges, needed.chargeIds),
      select(selectOrders, needed.orderIds),
      select(selectLots, needed.orderIds),
      referring(selectMovements),
      referring(lockApprovals),
      // Last of all locks, because every operator's action waits for it.
      needed.hasAudit ? { sql: lockAuditHead } : null,
    ])) as [
      Balance[],
      { next: number }[],
      KeyStateRow[],
      BudgetState[],
      LoadedCharge[],
      LoadedCharge[],
      OrderState[],
      { orderId: string }[],
      MovementRecord[],
      PendingApproval[],
      AuditHead[],
    ]
  return {
    balances,
    keys,
    budgets,
    charges: [...bySlot, ...byId],
    orders,
    creditedOrders: lots.map(({ orderId }) => orderId),
    movements: moved,
    pendingApprovals: approvals,
    auditHead: auditHead ?? null,
    nextEntryId: allocated!.next,
  }
}
