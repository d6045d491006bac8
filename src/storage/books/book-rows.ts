import { BlockList } from 'node:net'
import type { AuditHead } from '../../audit/audit-entry.ts'
import { networksOf } from '../../contract/addresses.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import { auditNoteOf, type Books, idempotencySlot, isMovement, movementSlot } from '../../ledger/books.ts'
import type {
  Admit,
  Balance,
  BudgetState,
  ChargeRecord,
  ChargeState,
  Command,
  KeyState,
  Movement,
  MovementRecord,
  OrderState,
  PendingApproval,
} from '../../ledger/commands.ts'

/** The rows that both engines load for a batch, and their conversion to `Books`. */

export const keyStateColumns = `k.key_id AS "keyId", k.project_id AS "projectId", k.scopes,
  COALESCE(k.revoked_at, k.suspended_at) AS "blockedAt", k.expires_at AS "expiresAt", k.window_ends_at AS "windowEndsAt",
  k.window_used AS "windowUsed", k.calls, k.last_used_at AS "lastUsedAt", k.last_used_from AS "lastUsedFrom",
  k.allowed_addresses AS "allowedAddresses", k.settings_version AS "settingsVersion", b.budget_id AS "budgetId",
  b.credits AS "budgetCredits", b.per, b.period_from AS "periodFrom", b.spent, b.reached_at AS "reachedAt"`

/** The budget of a key's rotation chain. */
export const budgetOfKey = 'COALESCE(k.chain_id, k.key_id)'

export const budgetColumns = `b.budget_id AS "budgetId", b.credits, b.per, b.period_from AS "periodFrom", b.spent,
  b.reached_at AS "reachedAt"`

export const balanceColumns = `project_id AS "projectId", available, reserved, settled, credited, entries,
  last_entry_id AS "lastEntryId", low_balance_credits AS "lowBalanceCredits", empty_at AS "emptyAt"`

export const chargeColumns = `c.charge_id AS "chargeId", c.project_id AS "projectId", c.operation, c.credits, c.fingerprint,
  c.isolation_version AS "isolationVersion", c.idempotency_digest AS "idempotencyDigest", c.state, c.budget_id AS "budgetId",
  c.budget_period AS "budgetPeriod", r.status, r.code, r.body`

export const chargeTables = 'charges c LEFT JOIN charge_responses r ON r.charge_id = c.charge_id'

export const movementColumns = `m.movement_id AS "movementId", m.project_id AS "projectId", m.kind, m.amount, m.reference,
  m.entry_id AS "entryId", COALESCE(e.available, b.available) AS available, COALESCE(e.reserved, b.reserved) AS reserved`

/** The entry has the balance after the movement; if it was archived, today's stands for it. */
export const movementEntries = `LEFT JOIN ledger_entries e ON e.entry_id = m.entry_id
  JOIN balances b ON b.project_id = m.project_id`

export const movementTables = `operator_movements m ${movementEntries}`

export const pendingApprovalColumns = `a.approval_id AS "approvalId", a.project_id AS "projectId", a.kind, a.amount, a.reference,
  a.requested_by AS "requestedBy"`

/** An update that changes nothing locks the end of the audit log, so that there is one chain. */
export const lockAuditHead = 'UPDATE audit_head SET entries = entries RETURNING entries, last_hash AS "hash"'

/** A key with the budget of its chain, which is loaded with it. */
export type KeyStateRow = Omit<KeyState, 'scopes' | 'allowed'> &
  Omit<BudgetState, 'budgetId' | 'credits'> & {
    scopes: string
    allowedAddresses: string | null
    budgetCredits: number | null
  }

export interface LoadedCharge {
  readonly chargeId: string
  readonly projectId: string
  readonly operation: string
  readonly credits: number
  readonly fingerprint: string
  readonly isolationVersion: number
  readonly budgetId: string | null
  readonly budgetPeriod: number | null
  readonly idempotencyDigest: string | null
  readonly state: ChargeState
  readonly status: number | null
  readonly code: ErrorCode | null
  readonly body: string | null
}

/** The Idempotency-Key of an archived charge. */
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
  readonly movements: readonly MovementRecord[]
  readonly pendingApprovals: readonly PendingApproval[]
  readonly auditHead: AuditHead | null
  readonly nextEntryId: number
}

export function toBooks(rows: LoadedRows): Books {
  const books = emptyBooks(rows.nextEntryId)
  for (const row of rows.budgets) books.budgets.set(row.budgetId, row)
  for (const row of rows.keys) addKey(books, row)
  for (const row of rows.balances) books.balances.set(row.projectId, row)
  for (const row of rows.charges) addCharge(books, row)
  for (const { projectId, digest } of rows.archivedKeys) books.archivedSlots.add(idempotencySlot(projectId, digest))
  for (const row of rows.orders) books.orders.set(row.orderId, row)
  for (const orderId of rows.creditedOrders) books.creditedOrders.add(orderId)
  for (const row of rows.movements) books.movements.set(movementSlot(row), row)
  for (const row of rows.pendingApprovals) books.pendingApprovals.set(movementSlot(row), row)
  books.auditHead = rows.auditHead
  return books
}

export const emptyBooks = (nextEntryId: number): Books => ({
  keys: new Map(),
  budgets: new Map(),
  balances: new Map(),
  charges: new Map(),
  slots: new Map(),
  archivedSlots: new Set(),
  orders: new Map(),
  creditedOrders: new Set(),
  movements: new Map(),
  pendingApprovals: new Map(),
  auditHead: null,
  nextEntryId,
})

/** Adds it by id and, unless its Idempotency-Key is free again, by slot. */
export function addCharge(books: Books, row: LoadedCharge): void {
  const charge = toChargeRecord(row)
  books.charges.set(charge.chargeId, charge)
  if (charge.idempotencyDigest !== null) {
    books.slots.set(idempotencySlot(charge.projectId, charge.idempotencyDigest), charge)
  }
}

/** Adds the key, and the budget of its chain unless it is there already. */
export function addKey(books: Books, row: KeyStateRow): void {
  const { scopes, allowedAddresses, budgetCredits: credits, per, periodFrom, spent, reachedAt, ...key } = row
  books.keys.set(row.keyId, { ...key, scopes: scopes.split(' '), allowed: allowedNetworks(allowedAddresses) })
  const { budgetId } = row
  if (budgetId !== null && !books.budgets.has(budgetId)) {
    books.budgets.set(budgetId, { budgetId, credits, per, periodFrom, spent, reachedAt })
  }
}

/** Stored entries were validated; should one be damaged, nobody is allowed. */
const allowedNetworks = (text: string | null) =>
  text === null ? null : (networksOf(text.split(' ')) ?? new BlockList())

const toChargeRecord = ({ status, code, body, ...row }: LoadedCharge): ChargeRecord => ({
  ...row,
  response: status === null || body === null ? null : { status, code, body },
})

/** The rows a batch needs, each listed once. */
export function neededRows(commands: readonly Command[]) {
  const needed = {
    keyIds: new Set<string>(),
    projectIds: new Set<string>(),
    slots: new Map<string, Admit>(),
    chargeIds: new Set<string>(),
    releasedChargeIds: new Set<string>(),
    orderIds: new Set<string>(),
    movements: new Map<string, Movement>(),
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
    if (isMovement(command)) needed.movements.set(movementSlot({ ...command, kind: command.type }), command)
    needed.hasAudit ||= auditNoteOf(command) !== null
    if (command.type === 'admit' || command.type === 'refuse') needed.keyIds.add(command.keyId)
    if (command.type !== 'admit') continue
    needed.slots.set(idempotencySlot(command.projectId, command.idempotencyDigest), command)
  }
  return needed
}
