import type { AuditHead } from '../../ledger/audit.ts'
import {
  auditNoteOf,
  type BatchState,
  idempotencySlot,
  isMovement,
  movementSlot,
  referenceSlot,
} from '../../ledger/batch-state.ts'
import type { Admit, Balance, BudgetState, ChargeRecord, Command, Movement, OrderState } from '../../ledger/commands.ts'
import type { EarlierMovement, MovementRecord, PendingApproval } from '../../ledger/movements.ts'
import type { RefundState } from '../../ledger/payments.ts'
import { limitedMoves, type MovedAloneRow, selectMovedAlone, setMovedSums } from '../batch/moves-alone.ts'
import {
  addCharge,
  addKey,
  balanceColumns,
  budgetColumns,
  budgetOfKey,
  chargeRecords,
  chargeTables,
  emptyBatchState,
  type KeyStateRow,
  keyStateColumns,
  type LoadedCharge,
  lockAuditHead,
  movementColumns,
  movementTables,
  orderColumns,
  pendingApprovalColumns,
  referenceOf,
  referenceValues,
  refundColumns,
  sameReferenceOf,
} from '../batch/rows.ts'
import type { Statements } from './connection.ts'

/**
 * Keys, budgets, balances and charges in progress, as the last batch left them. Saves a seventh of the worker's time. Valid until
 * something else writes: another transaction of this connection changes `generation`, another connection SQLite's data version.
 */
interface CachedState extends BatchState {
  readonly dataVersion: number
  /** Most stores have none, and then no call looks for its own. */
  readonly hasArchivedKeys: boolean
}

const cache = new WeakMap<object, CachedState>()

/** The rows that the commands need; reads those that are not cached. */
export function loadBatchState(db: Statements, commands: readonly Command[]): BatchState {
  const dataVersion = db.get<{ data_version: number }>('PRAGMA data_version')!.data_version
  let state = cache.get(db.generation)
  if (state?.dataVersion !== dataVersion) {
    const hasArchivedKeys = db.get(selectAnyArchivedKey) !== undefined
    state = { ...emptyBatchState(db.get<{ next: number }>(selectNextEntry)!.next), dataVersion, hasArchivedKeys }
    cache.set(db.generation, state)
  }
  for (const command of commands) loadFor(db, state, command)
  if (commands.some(auditNoteOf)) loadForOperators(db, state, commands)
  return state
}

/** Only operators' commands have limits and an audit entry. */
function loadForOperators(db: Statements, state: BatchState, commands: readonly Command[]): void {
  state.auditHead = db.get<AuditHead>(lockAuditHead) ?? null
  for (const command of commands) if (isMovement(command)) loadSameReference(db, state, command)
  for (const { move, at } of limitedMoves(commands)) {
    const { sql, params } = selectMovedAlone(move, at)
    setMovedSums(state.movedSums, move, db.all<MovedAloneRow>(sql, params))
  }
}

/** Drops what later batches will not need, such as ended charges, and bounds the cache. */
export function trimCache(db: Statements, state: BatchState, commands: readonly Command[]): void {
  for (const command of commands) {
    if (command.type === 'admit') dropEnded(state, state.slots.get(slotOf(command)))
    if (command.type === 'end') dropEnded(state, state.charges.get(command.chargeId))
  }
  for (const rows of ofOneBatch(state)) if (rows.size > 0) rows.clear()
  state.auditHead = null
  if (Math.max(state.keys.size, state.budgets.size, state.balances.size, state.charges.size) > maxCached)
    cache.delete(db.generation)
}

/** Clearing an empty one allocates all the same. */
const ofOneBatch = (state: BatchState) => [
  ...[state.archivedSlots, state.orders, state.creditedOrders, state.refunds, state.movements],
  ...[state.pendingApprovals, state.movedSums, state.sameReferences],
]

const maxCached = 10_000

const selectNextEntry = 'SELECT COALESCE(MAX(entry_id), 0) + 1 AS next FROM ledger_entries'
const selectKey = `SELECT ${keyStateColumns} FROM api_keys k LEFT JOIN key_budgets b ON b.budget_id = ${budgetOfKey}
  WHERE k.key_id = $1`
const selectBudget = `SELECT ${budgetColumns} FROM key_budgets b WHERE b.budget_id = $1`
const selectBalance = `SELECT ${balanceColumns} FROM balances WHERE project_id = $1`
const selectSlot = `SELECT ${chargeRecords.list} FROM ${chargeTables} WHERE c.project_id = $1 AND c.idempotency_digest = $2`
const selectAnyArchivedKey = 'SELECT 1 FROM archived_idempotency_keys LIMIT 1'
const selectArchivedKey = 'SELECT 1 FROM archived_idempotency_keys WHERE project_id = $1 AND idempotency_digest = $2'
const selectCharge = `SELECT ${chargeRecords.list} FROM ${chargeTables} WHERE c.charge_id = $1`
const selectOrder = `SELECT ${orderColumns} FROM orders WHERE order_id = $1`
const selectLot = 'SELECT order_id AS "orderId" FROM credit_lots WHERE order_id = $1'
const selectRefund = `SELECT ${refundColumns} FROM payment_refunds WHERE refund_id = $1`
const selectMovement = `SELECT ${movementColumns} FROM ${movementTables}
  WHERE m.project_id = $1 AND m.kind = $2 AND m.reference = $3`
const selectApproval = `SELECT ${pendingApprovalColumns} FROM approvals a
  WHERE a.project_id = $1 AND a.kind = $2 AND a.reference = $3 AND a.state = 'pending'`

const selectSame = sameReferenceOf({ projectId: '$1', kind: '$2', reference: '$3', referenceKey: '$4' })

function loadFor(db: Statements, state: CachedState, command: Command): void {
  const { projectId } = command
  if (!state.balances.has(projectId)) {
    const balance = db.get<Balance>(selectBalance, [projectId])
    // Copied to a plain object, because the rules run slower on SQLite's row objects.
    if (balance) state.balances.set(projectId, { ...balance })
  }
  switch (command.type) {
    case 'admit':
      loadKey(db, state, command.keyId)
      if (!state.slots.has(slotOf(command))) {
        const slot = [projectId, command.idempotencyDigest]
        loadCharge(db, state, selectSlot, slot)
        if (state.hasArchivedKeys && db.get(selectArchivedKey, slot)) state.archivedSlots.add(slotOf(command))
      }
      break
    case 'use':
    case 'refuse':
      loadKey(db, state, command.keyId)
      break
    case 'track':
    case 'end':
      if (!state.charges.has(command.chargeId)) loadCharge(db, state, selectCharge, [command.chargeId])
      if (command.type === 'end' && command.to === 'released')
        loadBudget(db, state, state.charges.get(command.chargeId)?.budgetId)
      break
    case 'credit': {
      const order = db.get<OrderState>(selectOrder, [command.orderId])
      if (order) state.orders.set(order.orderId, order)
      if (db.get(selectLot, [command.orderId])) state.creditedOrders.add(command.orderId)
      break
    }
    case 'hold':
    case 'unhold': {
      const refund = db.get<RefundState>(selectRefund, [command.refundId])
      if (refund) state.refunds.set(refund.refundId, { ...refund })
      loadReferred(db, state, command)
      break
    }
    case 'grant':
    case 'withdraw':
      loadReferred(db, state, command)
  }
}

function loadKey(db: Statements, state: BatchState, keyId: string): void {
  if (state.keys.has(keyId)) return
  const key = db.get<KeyStateRow>(selectKey, [keyId])
  if (key) addKey(state, key)
}

function loadBudget(db: Statements, state: BatchState, budgetId: string | null | undefined): void {
  if (!budgetId || state.budgets.has(budgetId)) return
  const budget = db.get<BudgetState>(selectBudget, [budgetId])
  if (budget) state.budgets.set(budgetId, { ...budget })
}

/** The movement and the approval that a command names. */
function loadReferred(db: Statements, state: BatchState, command: Command): void {
  const slot = referenceOf(command)
  if (!slot) return
  const params = [slot.projectId, slot.kind, slot.reference]
  const movement = db.get<MovementRecord>(selectMovement, params)
  if (movement) state.movements.set(movementSlot(movement), { ...movement })
  const approval = db.get<PendingApproval>(selectApproval, params)
  if (approval) state.pendingApprovals.set(movementSlot(approval), { ...approval })
}

function loadSameReference(db: Statements, state: BatchState, command: Movement): void {
  const same = db.get<EarlierMovement>(selectSame, referenceValues(command))
  if (same) state.sameReferences.set(referenceSlot(command), { ...same })
}

function loadCharge(db: Statements, state: BatchState, sql: string, params: readonly string[]): void {
  const row = db.get<LoadedCharge>(sql, params)
  if (row) addCharge(state, row)
}

function dropEnded(state: BatchState, charge: ChargeRecord | undefined): void {
  if (!charge || charge.state === 'reserved') return
  state.charges.delete(charge.chargeId)
  if (charge.idempotencyDigest !== null) {
    state.slots.delete(idempotencySlot(charge.projectId, charge.idempotencyDigest))
  }
}

const slotOf = ({ projectId, idempotencyDigest }: Admit) => idempotencySlot(projectId, idempotencyDigest)
