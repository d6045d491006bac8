import { BlockList } from 'node:net'
import { networksOf } from '../../base/addresses.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import type { AuditHead } from '../../ledger/audit.ts'
import {
  auditNoteOf,
  type BatchState,
  idempotencySlot,
  isMovement,
  movementSlot,
  referenceSlot,
} from '../../ledger/batch-state.ts'
import type {
  Admit,
  Balance,
  BudgetState,
  ChargeRecord,
  Command,
  KeyState,
  Movement,
  OrderState,
} from '../../ledger/commands.ts'
import type { MoveAlone } from '../../ledger/move-alone.ts'
import type { EarlierMovement, MovementRecord, PendingApproval } from '../../ledger/movements.ts'
import type { RefundState } from '../../ledger/payments.ts'
import { chargeColumns } from '../charge-columns.ts'
import { from, integer, orNull, pick, type RowOf, rowMapper, text } from '../row-mapper.ts'
import { type MovedAloneRow, setMovedSums } from './moves-alone.ts'

/** The rows that both engines load for a batch, and their conversion to `BatchState`. */

export const keyStateColumns = `k.key_id AS "keyId", k.project_id AS "projectId", k.scopes,
  COALESCE(k.revoked_at, k.suspended_at) AS "blockedAt", k.expires_at AS "expiresAt", k.window_ends_at AS "windowEndsAt",
  k.window_used AS "windowUsed", k.calls, k.last_used_at AS "lastUsedAt", k.last_used_from AS "lastUsedFrom",
  k.allowed_addresses AS "allowedAddresses", k.shows_balance AS "showsBalance", k.logs_content AS "logsContent",
  k.settings_version AS "settingsVersion", b.budget_id AS "budgetId",
  b.credits AS "budgetCredits", b.per, b.period_from AS "periodFrom", b.spent, b.reached_at AS "reachedAt",
  b.other_counts AS "otherCounts"`

/** The budget of a key's rotation chain. */
export const budgetOfKey = 'COALESCE(k.chain_id, k.key_id)'

export const budgetColumns = `b.budget_id AS "budgetId", b.credits, b.per, b.period_from AS "periodFrom", b.spent,
  b.reached_at AS "reachedAt", b.other_counts AS "otherCounts"`

export const balanceColumns = `project_id AS "projectId", available, reserved, settled, credited, entries,
  last_entry_id AS "lastEntryId", low_balance_credits AS "lowBalanceCredits", empty_at AS "emptyAt"`

const chargeRecordColumns = {
  ...pick(from('c', chargeColumns), 'chargeId', 'projectId', 'operation', 'credits', 'fingerprint', 'isolationVersion'),
  ...pick(from('c', chargeColumns), 'idempotencyDigest', 'state', 'budgetId', 'budgetPeriod'),
  ...from('r', { status: orNull(integer()), code: orNull(text<ErrorCode>()), body: orNull(text()) }),
}

export const chargeTables = 'charges c LEFT JOIN charge_responses r ON r.charge_id = c.charge_id'

export const chargeRecords = rowMapper(chargeTables, chargeRecordColumns)

export const movementColumns = `m.movement_id AS "movementId", m.project_id AS "projectId", m.kind, m.amount, m.reference,
  m.entry_id AS "entryId", COALESCE(e.available, b.available) AS available, COALESCE(e.reserved, b.reserved) AS reserved`

/** The entry has the balance after the movement; if it was archived, today's balance is used. */
export const movementEntries = `LEFT JOIN ledger_entries e ON e.entry_id = m.entry_id
  JOIN balances b ON b.project_id = m.project_id`

export const movementTables = `operator_movements m ${movementEntries}`

export const pendingApprovalColumns = `a.approval_id AS "approvalId", a.project_id AS "projectId", a.kind, a.amount, a.reference,
  a.requested_by AS "requestedBy"`

/**
 * The latest movement with a similar reference, given the SQL of a movement's values. Read while the end of the audit log is
 * locked: every movement locks it, so no two are decided on the same past.
 */
export function sameReferenceOf(
  n: Readonly<Record<'projectId' | 'kind' | 'reference' | 'referenceKey', string>>,
): string {
  const same = (table: string, at: string, also: string) =>
    `SELECT * FROM (SELECT p.project_id AS "projectId", p.amount, p.reference, p.${at} AS "at" FROM ${table} p
      WHERE p.kind = ${n.kind} AND p.reference_key = ${n.referenceKey} ${also}
        AND NOT (p.project_id = ${n.projectId} AND p.reference = ${n.reference}) ORDER BY p.${at} DESC LIMIT 1) ${table}_p`
  return `SELECT * FROM (${same('operator_movements', 'moved_at', '')}
      UNION ALL ${same('approvals', 'requested_at', "AND p.state = 'pending'")}) p ORDER BY "at" DESC LIMIT 1`
}

/** The values for `sameReferenceOf`, in this order: project, kind, reference and its key. */
export const referenceValues = ({ projectId, type, reference, referenceKey }: Movement) =>
  [projectId, type, reference, referenceKey] as const

/** An update that changes nothing locks the end of the audit log, so that there is one chain. */
export const lockAuditHead = 'UPDATE audit_head SET entries = entries RETURNING entries, last_hash AS "hash"'

/** A key with the budget of its chain, which is loaded with it. */
export type KeyStateRow = Omit<KeyState, 'scopes' | 'allowed' | 'showsBalance' | 'logsContent'> &
  Omit<BudgetState, 'budgetId' | 'credits'> & {
    scopes: string
    showsBalance: number
    logsContent: number
    allowedAddresses: string | null
    budgetCredits: number | null
  }

export type LoadedCharge = RowOf<typeof chargeRecordColumns>

export interface ArchivedKey {
  readonly projectId: string
  readonly digest: string
}

export interface LoadedRows {
  readonly keys: readonly KeyStateRow[]
  /** Those of released charges. */
  readonly budgets: readonly BudgetState[]
  readonly balances: readonly Balance[]
  readonly charges: readonly LoadedCharge[]
  readonly archivedKeys: readonly ArchivedKey[]
  readonly orders: readonly OrderState[]
  readonly creditedOrders: readonly string[]
  readonly refunds: readonly RefundState[]
  readonly movements: readonly MovementRecord[]
  readonly pendingApprovals: readonly PendingApproval[]
  readonly sameReferences: readonly { readonly command: Movement; readonly same: EarlierMovement }[]
  readonly movedAlone: readonly { readonly move: MoveAlone; readonly rows: readonly MovedAloneRow[] }[]
  readonly auditHead: AuditHead | null
  readonly nextEntryId: number
}

export function toBatchState(rows: LoadedRows): BatchState {
  const state = emptyBatchState(rows.nextEntryId)
  for (const row of rows.budgets) state.budgets.set(row.budgetId, row)
  for (const row of rows.keys) addKey(state, row)
  for (const row of rows.balances) state.balances.set(row.projectId, row)
  for (const row of rows.charges) addCharge(state, row)
  for (const { projectId, digest } of rows.archivedKeys) state.archivedSlots.add(idempotencySlot(projectId, digest))
  for (const row of rows.orders) state.orders.set(row.orderId, row)
  for (const orderId of rows.creditedOrders) state.creditedOrders.add(orderId)
  for (const row of rows.refunds) state.refunds.set(row.refundId, row)
  for (const row of rows.movements) state.movements.set(movementSlot(row), row)
  for (const row of rows.pendingApprovals) state.pendingApprovals.set(movementSlot(row), row)
  for (const { command, same } of rows.sameReferences) state.sameReferences.set(referenceSlot(command), same)
  for (const { move, rows: found } of rows.movedAlone) setMovedSums(state.movedSums, move, found)
  state.auditHead = rows.auditHead
  return state
}

export const emptyBatchState = (nextEntryId: number): BatchState => ({
  keys: new Map(),
  budgets: new Map(),
  balances: new Map(),
  charges: new Map(),
  slots: new Map(),
  archivedSlots: new Set(),
  orders: new Map(),
  creditedOrders: new Set(),
  refunds: new Map(),
  movements: new Map(),
  pendingApprovals: new Map(),
  movedSums: new Map(),
  sameReferences: new Map(),
  auditHead: null,
  nextEntryId,
})

/** Adds it by id and, unless its Idempotency-Key is free again, by slot. */
export function addCharge(state: BatchState, row: LoadedCharge): void {
  const charge = toChargeRecord(row)
  state.charges.set(charge.chargeId, charge)
  if (charge.idempotencyDigest !== null) {
    state.slots.set(idempotencySlot(charge.projectId, charge.idempotencyDigest), charge)
  }
}

/** Adds the key, and the budget of its chain unless it is there already. */
export function addKey(state: BatchState, row: KeyStateRow): void {
  const {
    scopes,
    allowedAddresses,
    showsBalance,
    logsContent,
    budgetCredits: credits,
    per,
    periodFrom,
    spent,
    reachedAt,
    otherCounts,
    ...key
  } = row
  state.keys.set(row.keyId, {
    ...key,
    scopes: scopes.split(' '),
    allowed: allowedNetworks(allowedAddresses),
    showsBalance: showsBalance === 1,
    logsContent: logsContent === 1,
  })
  const { budgetId } = row
  if (budgetId !== null && !state.budgets.has(budgetId)) {
    state.budgets.set(budgetId, { budgetId, credits, per, periodFrom, spent, reachedAt, otherCounts })
  }
}

/** Stored ranges were validated. If one is damaged, every address is refused. */
const allowedNetworks = (text: string | null) =>
  text === null ? null : (networksOf(text.split(' ')) ?? new BlockList())

const toChargeRecord = ({ status, code, body, ...row }: LoadedCharge): ChargeRecord => ({
  ...row,
  response: status === null || body === null ? null : { status, code, body },
})

type ReferenceSlot = Pick<PendingApproval, 'projectId' | 'kind' | 'reference'>

/** Under which a movement or an approval is looked up; null if the command needs neither. */
export function referenceOf(command: Command): ReferenceSlot | null {
  const { projectId } = command
  if (isMovement(command)) return { projectId, kind: command.type, reference: command.reference }
  const approval = command.type === 'unhold' ? command.decision?.approval : null
  return approval ? { projectId, kind: approval.kind, reference: approval.reference } : null
}

/** The rows a batch needs, each listed once. */
export function neededRows(commands: readonly Command[]) {
  const needed = {
    keyIds: new Set<string>(),
    projectIds: new Set<string>(),
    slots: new Map<string, Admit>(),
    chargeIds: new Set<string>(),
    releasedChargeIds: new Set<string>(),
    orderIds: new Set<string>(),
    refundIds: new Set<string>(),
    /** Of movements, and of decisions that were requested. */
    references: new Map<string, ReferenceSlot>(),
    hasAudit: false,
  }
  for (const command of commands) {
    needed.projectIds.add(command.projectId)
    if (command.type === 'track') needed.chargeIds.add(command.chargeId)
    if (command.type === 'end') {
      needed.chargeIds.add(command.chargeId)
      if (command.to === 'released') needed.releasedChargeIds.add(command.chargeId)
    }
    if (command.type === 'credit') needed.orderIds.add(command.orderId)
    if (command.type === 'hold' || command.type === 'unhold') needed.refundIds.add(command.refundId)
    const slot = referenceOf(command)
    if (slot) needed.references.set(movementSlot(slot), slot)
    needed.hasAudit ||= auditNoteOf(command) !== null
    if ('keyId' in command) needed.keyIds.add(command.keyId)
    if (command.type !== 'admit') continue
    needed.slots.set(idempotencySlot(command.projectId, command.idempotencyDigest), command)
  }
  return needed
}

export const orderColumns = `order_id AS "orderId", project_id AS "projectId", amount_fen AS "amountFen",
  credit_amount AS "creditAmount", pricing_version AS "pricingVersion", created_at AS "createdAt",
  CASE WHEN cancelled_at IS NULL THEN state ELSE 'cancelled' END AS state,
  credited_at AS "creditedAt",
  (SELECT COALESCE((SELECT MIN(u.transaction_id) FROM uncredited_payments u
      WHERE u.payment_id = p.payment_id AND u.state = 'crediting'), '')
    FROM payments p WHERE p.order_id = orders.order_id AND p.state = 'review') AS "reviewedTransaction"`

export const refundColumns = `refund_id AS "refundId", project_id AS "projectId", lot_id AS "lotId", credits, state,
  payment_id AS "paymentId", amount_fen AS "amountFen",
  (SELECT p.order_id FROM payments p WHERE p.payment_id = payment_refunds.payment_id) AS "orderId"`
