import type { AuditHead } from '../../audit/audit-entry.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import { auditNoteOf, type Books, idempotencySlot, isMovement, movementSlot } from '../../ledger/books.ts'
import type {
  Balance,
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

export const keyStateColumns = `key_id AS "keyId", project_id AS "projectId", scopes,
  COALESCE(revoked_at, suspended_at) AS "blockedAt", expires_at AS "expiresAt", window_ends_at AS "windowEndsAt", window_used AS "windowUsed", calls,
  last_used_at AS "lastUsedAt"`

export const balanceColumns = `project_id AS "projectId", available, reserved, settled, credited, entries,
  last_entry_id AS "lastEntryId"`

export const chargeColumns = `c.charge_id AS "chargeId", c.project_id AS "projectId", c.operation, c.credits, c.fingerprint,
  c.isolation_version AS "isolationVersion", c.idempotency_digest AS "idempotencyDigest", c.state, r.status, r.code, r.body`

export const chargeTables = 'charges c LEFT JOIN charge_responses r ON r.charge_id = c.charge_id'

export const movementColumns = `m.movement_id AS "movementId", m.project_id AS "projectId", m.kind, m.amount, m.reference,
  m.entry_id AS "entryId", e.available, e.reserved`

export const movementTables = 'operator_movements m JOIN ledger_entries e ON e.entry_id = m.entry_id'

export const pendingApprovalColumns = `a.approval_id AS "approvalId", a.project_id AS "projectId", a.kind, a.amount, a.reference,
  a.requested_by AS "requestedBy"`

/** An update that changes nothing locks the end of the audit log, so that there is one chain. */
export const lockAuditHead = 'UPDATE audit_head SET entries = entries RETURNING entries, last_hash AS "hash"'

export type KeyStateRow = Omit<KeyState, 'scopes'> & { scopes: string }

export interface LoadedCharge {
  readonly chargeId: string
  readonly projectId: string
  readonly operation: string
  readonly credits: number
  readonly fingerprint: string
  readonly isolationVersion: number
  readonly idempotencyDigest: string | null
  readonly state: ChargeState
  readonly status: number | null
  readonly code: ErrorCode | null
  readonly body: string | null
}

export interface LoadedRows {
  readonly keys: readonly KeyStateRow[]
  readonly balances: readonly Balance[]
  readonly charges: readonly LoadedCharge[]
  readonly orders: readonly OrderState[]
  readonly creditedOrders: readonly string[]
  readonly movements: readonly MovementRecord[]
  readonly pendingApprovals: readonly PendingApproval[]
  readonly auditHead: AuditHead | null
  readonly nextEntryId: number
}

export function toBooks(rows: LoadedRows): Books {
  const books = emptyBooks(rows.nextEntryId)
  for (const row of rows.keys) books.keys.set(row.keyId, toKeyState(row))
  for (const row of rows.balances) books.balances.set(row.projectId, row)
  for (const row of rows.charges) addCharge(books, row)
  for (const row of rows.orders) books.orders.set(row.orderId, row)
  for (const orderId of rows.creditedOrders) books.creditedOrders.add(orderId)
  for (const row of rows.movements) books.movements.set(movementSlot(row), row)
  for (const row of rows.pendingApprovals) books.pendingApprovals.set(movementSlot(row), row)
  books.auditHead = rows.auditHead
  return books
}

export const emptyBooks = (nextEntryId: number): Books => ({
  keys: new Map(),
  balances: new Map(),
  charges: new Map(),
  slots: new Map(),
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

export const toKeyState = (row: KeyStateRow): KeyState => ({ ...row, scopes: row.scopes.split(' ') })

const toChargeRecord = ({ status, code, body, ...row }: LoadedCharge): ChargeRecord => ({
  ...row,
  response: status === null || body === null ? null : { status, code, body },
})

/** The rows a batch needs, each listed once. */
export function neededRows(commands: readonly Command[]) {
  const needed = {
    keyIds: new Set<string>(),
    projectIds: new Set<string>(),
    slots: new Map<string, { projectId: string; digest: string }>(),
    chargeIds: new Set<string>(),
    orderIds: new Set<string>(),
    movements: new Map<string, Movement>(),
    hasAudit: false,
  }
  for (const command of commands) {
    needed.projectIds.add(command.projectId)
    if (command.type === 'end' || command.type === 'track') needed.chargeIds.add(command.chargeId)
    if (command.type === 'credit') needed.orderIds.add(command.orderId)
    if (isMovement(command)) needed.movements.set(movementSlot({ ...command, kind: command.type }), command)
    needed.hasAudit ||= auditNoteOf(command) !== null
    if (command.type === 'admit' || command.type === 'refuse') needed.keyIds.add(command.keyId)
    if (command.type !== 'admit') continue
    const slot = { projectId: command.projectId, digest: command.idempotencyDigest }
    needed.slots.set(idempotencySlot(slot.projectId, slot.digest), slot)
  }
  return needed
}
