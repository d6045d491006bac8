import { strict as assert } from 'node:assert'
import type { AuditHead } from '../../ledger/audit.ts'
import { largestBatch } from '../../ledger/batch-queue.ts'
import type { Admit, Balance, BudgetState, Command, CommandResult, OrderState } from '../../ledger/commands.ts'
import type { BatchStore } from '../../ledger/ledger.ts'
import type { MovementRecord, PendingApproval } from '../../ledger/movements.ts'
import type { RefundState } from '../../ledger/payments.ts'
import { decide } from '../../ledger/rules.ts'
import { type DecidedRefunds, decidedSince, selectDecided } from '../batch/refund-decision-sums.ts'
import {
  type ArchivedKey,
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
  movementEntries,
  neededRows,
  orderColumns,
  pendingApprovalColumns,
  refundColumns,
  toBatchState,
} from '../batch/rows.ts'
import { UniqueViolation } from '../engine.ts'
import { type MovementPastRow, pastsIn, select, selectPasts, statementsOf } from './batch-statements.ts'
import { isLockTimeout, isStale } from './faults.ts'
import { lockFree } from './lock-free.ts'
import type { PipelinedTransaction, Statement } from './pipelined-transaction.ts'
import type { PostgresEngine } from './postgres-engine.ts'
import { isVerified, type OptimisticBatch, RowCache } from './row-cache.ts'
import { maxLockedUnderWay, SortedBatchQueue } from './sorted-batch-queue.ts'

/**
 * Commits a batch in one round trip if its rows are cached and unchanged, otherwise in two: lock and load, then save and
 * commit. The number of statements does not grow with the number of commands.
 */
export function createPostgresBatchStore(
  engine: PostgresEngine,
  /** Called after a commit that wrote events. */
  onEvents: () => void = () => {},
): Omit<BatchStore, 'isUnavailable'> {
  const cache = new RowCache()
  engine.server.onChange(() => cache.forget())

  async function loadAndCommit(tx: PipelinedTransaction, commands: readonly Command[]): Promise<CommandResult[]> {
    const { generation } = cache
    const state = toBatchState(await load(tx, commands))
    const { results, changes } = decide(state, commands)
    const rows = await tx.commit([...statementsOf(changes, null), allocateEntryIds])
    if (generation === cache.generation) cache.store(state, changes, allocatedIn(rows))
    if (changes.events.length > 0) onEvents()
    return results
  }

  const applyLoaded = (commands: readonly Command[]) => engine.pipelined((tx) => loadAndCommit(tx, commands))

  /** Locks the rows that are free and runs only their commands. */
  const applySkipping = (commands: readonly Command[]) =>
    engine.pipelined(async (tx) => {
      const isLocked = await lockFree(tx, commands)
      const results = await loadAndCommit(
        tx,
        commands.filter((command) => !isLocked(command)),
      )
      return commands.map((command) => (isLocked(command) ? null : results.shift()!))
    })

  /** Null if the batch must be loaded after all. */
  async function applyOptimistic(
    commands: readonly Command[],
    { state, expected }: OptimisticBatch,
  ): Promise<CommandResult[] | null> {
    const { generation } = cache
    const { results, changes } = decide(state, commands)
    if (!results.every(isVerified)) return null
    try {
      const rows = await engine.pipelined(async (tx) => {
        // The connection just opened may lead to another server.
        if (generation !== cache.generation) return null
        const check = ofKeys(
          refuseArchivedKeys,
          changes.reserved.map(({ command }) => command),
        )
        return tx.commit([...statementsOf(changes, expected), ...(check ? [check] : []), allocateEntryIds])
      })
      if (rows === null) return null
      cache.store(state, changes, allocatedIn(rows))
      cache.succeeded()
      if (changes.events.length > 0) onEvents()
      return results
    } catch (error) {
      if (!isStale(error) && !(error instanceof UniqueViolation)) throw error
      cache.failed()
      return null
    }
  }

  async function applyOnce(commands: readonly Command[]): Promise<CommandResult[]> {
    assert(commands.length <= largestBatch, 'a batch has more commands than it has entry ids')
    const batch = cache.optimistic(commands)
    return cache.during(
      commands,
      async () => (batch && (await applyOptimistic(commands, batch))) ?? (await applyLoaded(commands)),
    )
  }

  return {
    createQueue: () => new SortedBatchQueue({ fullBatch: 32 }),
    faultOf: (command) => (hasNul(command) ? new TypeError('PostgreSQL cannot store U+0000') : null),
    async apply(commands) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await applyOnce(commands)
        } catch (error) {
          if (!isLockTimeout(error) || attempt === lockAttempts) throw error
        }
      }
    },
    // Locks are rare and short, so it waits for them a moment; only a longer one costs more round trips.
    async applyUnlocked(commands) {
      try {
        return await applyOnce(commands)
      } catch (error) {
        if (!isLockTimeout(error)) throw error
        return cache.during(commands, () => applySkipping(commands))
      }
    },
  }
}

/**
 * Limits for the books. A lock held for longer than that sets its project apart; a gateway that stalls in the middle of a
 * batch loses its locks. The server's limit of a statement does not end a commit's wait for a lost standby, the pool's does, 5
 * seconds later: with 5 seconds in the queue, a call is answered within 15. The pool has a connection for each batch that can be
 * under way.
 */
export const batchLimits = {
  connections: maxLockedUnderWay + 2,
  lockLimitMs: 100,
  idleLimitMs: 2500,
  statementLimitMs: 5000,
  prefersIndexes: true,
} as const

/** Snapshots are left out: the providers' contract has no U+0000. */
const hasNul = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.includes('\0')
    : typeof value === 'object' &&
      value !== null &&
      Object.entries(value).some(([name, field]) => name !== 'snapshots' && hasNul(field))

/** Five seconds in all. */
const lockAttempts = 50

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
// After the slots, because a charge that is archived meanwhile is in one of the two. LATERAL, so that none is looked up in a scan.
const archivedKeys = `unnest($1::text[], $2::text[]) AS needed (project_id, digest)
  CROSS JOIN LATERAL (SELECT 1 FROM archived_idempotency_keys a
    WHERE a.project_id = needed.project_id AND a.idempotency_digest = needed.digest LIMIT 1) a`
const selectArchivedKeys = `SELECT needed.project_id AS "projectId", needed.digest FROM ${archivedKeys}`
// After the charges were inserted: an insert waits for a program that is archiving the charge of the same key.
const refuseArchivedKeys = `SELECT refuse_stale_row() FROM ${archivedKeys}`
const selectCharges = `SELECT ${chargeColumns} FROM ${chargeTables} WHERE c.charge_id = ANY($1::text[])`
const selectOrders = `SELECT ${orderColumns} FROM orders WHERE order_id = ANY($1::text[])`
const selectLots = 'SELECT order_id AS "orderId" FROM credit_lots WHERE order_id = ANY($1::text[])'
const neededReferences = 'unnest($1::text[], $2::text[], $3::text[]) AS needed (project_id, kind, reference)'
const lockRefunds = `SELECT ${refundColumns} FROM payment_refunds WHERE refund_id = ANY($1::text[]) FOR UPDATE`
const selectMovements = `SELECT ${movementColumns} FROM ${neededReferences}
  JOIN operator_movements m ON m.project_id = needed.project_id AND m.kind = needed.kind AND m.reference = needed.reference
  ${movementEntries}`
// Locked, because an approval may be rejected meanwhile.
const lockApprovals = `SELECT ${pendingApprovalColumns} FROM ${neededReferences}
  JOIN approvals a ON a.project_id = needed.project_id AND a.kind = needed.kind AND a.reference = needed.reference
    AND a.state = 'pending' FOR UPDATE OF a`

const ofKeys = (sql: string, calls: readonly Admit[]) =>
  select(
    sql,
    calls.map(({ projectId }) => projectId),
    calls.map(({ idempotencyDigest }) => idempotencyDigest),
  )

async function load(tx: PipelinedTransaction, commands: readonly Command[]): Promise<LoadedRows> {
  const needed = neededRows(commands)
  const calls = [...needed.slots.values()]
  const references = [...needed.references.values()]
  const since = decidedSince(commands)
  const referring = (sql: string) =>
    select(
      sql,
      references.map(({ projectId }) => projectId),
      references.map(({ kind }) => kind),
      references.map(({ reference }) => reference),
    )
  const [
    balances,
    [allocated],
    keys,
    budgets,
    bySlot,
    archived,
    byId,
    orders,
    lots,
    refunds,
    moved,
    approvals,
    [head],
    pasts,
    decided,
  ] = (await tx.send([
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
    referring(selectMovements),
    referring(lockApprovals),
    // Last of all locks, because every operator's action waits for it.
    needed.hasAudit ? { sql: lockAuditHead } : null,
    selectPasts(commands),
    since === null ? null : { sql: selectDecided, params: [since] },
  ])) as [
    Balance[],
    { next: number }[],
    KeyStateRow[],
    BudgetState[],
    LoadedCharge[],
    ArchivedKey[],
    LoadedCharge[],
    OrderState[],
    { orderId: string }[],
    RefundState[],
    MovementRecord[],
    PendingApproval[],
    AuditHead[],
    MovementPastRow[],
    DecidedRefunds[],
  ]
  return {
    balances,
    keys,
    budgets,
    charges: [...bySlot, ...byId],
    archivedKeys: archived,
    orders,
    creditedOrders: lots.map(({ orderId }) => orderId),
    refunds,
    movements: moved,
    pendingApprovals: approvals,
    pasts: pastsIn(commands, pasts),
    decided,
    auditHead: head ?? null,
    nextEntryId: allocated!.next,
  }
}
