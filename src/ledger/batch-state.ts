import { strict as assert } from 'node:assert'
import { periodEnd } from '../contract/budget-periods.ts'
import { defaultLowBalanceCredits } from '../contract/choices.ts'
import type { ChargedOperation } from '../contract/prices.ts'
import { type AuditEntry, type AuditHead, type AuditNote, type AuditRecord, chainEntry, headAfter } from './audit.ts'
import type {
  Admit,
  Balance,
  BudgetState,
  ChargeRecord,
  Command,
  Credit,
  End,
  EntryRecord,
  KeyState,
  Movement,
  OrderState,
  Track,
} from './commands.ts'
import type { EventDraft } from './events.ts'
import type { MovedSums } from './move-alone.ts'
import type { EarlierMovement, MovementRecord, PendingApproval } from './movements.ts'
import type { Hold, RefundState, Unhold } from './payments.ts'

/** The rows a batch needs, loaded and locked by the store. The rules change these copies; the store saves the changes. */
export interface BatchState {
  readonly keys: Map<string, KeyState>
  /** Those of the keys, and those that a released charge counts against. */
  readonly budgets: Map<string, BudgetState>
  readonly balances: Map<string, Balance>
  /** By charge id. */
  readonly charges: Map<string, ChargeRecord>
  /** The same objects by `idempotencySlot`. */
  readonly slots: Map<string, ChargeRecord>
  /** By `idempotencySlot`: those whose charge was archived. */
  readonly archivedSlots: Set<string>
  readonly orders: Map<string, OrderState>
  /** Orders that already have a credit lot. */
  readonly creditedOrders: Set<string>
  readonly refunds: Map<string, RefundState>
  /** By `movementSlot`, like the approvals. */
  readonly movements: Map<string, MovementRecord>
  readonly pendingApprovals: Map<string, PendingApproval>
  readonly movedSums: MovedSums
  /** By `referenceSlot`. */
  readonly sameReferences: Map<string, EarlierMovement>
  /** The end of the audit log; null if no command of the batch is an operator's. */
  auditHead: AuditHead | null
  /** The first free entry id. Each command adds one entry at most; the store provides enough ids. */
  nextEntryId: number
}

/** What the store writes in one transaction. */
export interface Changes {
  readonly keys: Set<KeyState>
  readonly budgets: Set<BudgetState>
  readonly balances: Set<Balance>
  /** Those whose `emptyAt` changed. A write of its own, because no other change of a balance depends on it. */
  readonly emptyChanged: Set<Balance>
  readonly reserved: { readonly command: Admit; readonly charge: ChargeRecord }[]
  readonly tracked: Track[]
  readonly ended: { readonly command: End; readonly charge: ChargeRecord }[]
  readonly credited: { readonly command: Credit; readonly order: OrderState }[]
  readonly entries: EntryRecord[]
  readonly moved: { readonly command: Movement; readonly movement: MovementRecord }[]
  /** With the entry that each refund added. */
  readonly held: { readonly command: Hold; readonly entryId: number }[]
  readonly unheld: { readonly command: Unhold; readonly entryId: number }[]
  readonly audited: AuditEntry[]
  readonly events: EventDraft[]
}

/** Whether a command is an operator's, and so adds an audit entry. */
export function auditNoteOf(command: Command): AuditNote | null {
  if (command.type === 'end') return command.decision
  if (command.type === 'unhold') return command.decision?.note ?? null
  return isMovement(command) || command.type === 'hold' ? command.note : null
}

export const isMovement = (command: Command): command is Movement =>
  command.type === 'grant' || command.type === 'withdraw'

/** The key under which a project uses an external reference. */
export const movementSlot = ({
  projectId,
  kind,
  reference,
}: Pick<MovementRecord, 'projectId' | 'kind' | 'reference'>) => `${projectId} ${kind} ${reference}`

export const referenceSlot = ({ type, referenceKey }: Pick<Movement, 'type' | 'referenceKey'>): string =>
  `${type} ${referenceKey}`

/** The key under which a project uses an Idempotency-Key. */
export const idempotencySlot = (projectId: string, digest: string): string => `${projectId} ${digest}`

/** Adds a ledger entry to the project's chain and advances its balance. */
export function addEntry(
  state: BatchState,
  changes: Changes,
  balance: Balance,
  entry: Pick<EntryRecord, 'kind' | 'amount' | 'chargeId' | 'lotId' | 'at'>,
): void {
  const previousId = balance.lastEntryId
  balance.entries += 1
  balance.lastEntryId = state.nextEntryId
  state.nextEntryId += 1
  assertBalanced(balance)
  changes.balances.add(balance)
  changes.entries.push({
    ...entry,
    entryId: balance.lastEntryId,
    previousId,
    projectId: balance.projectId,
    seq: balance.entries,
    available: balance.available,
    reserved: balance.reserved,
  })
}

/** Adds an audit entry to the chain. It commits with the effect that it records. */
export function addAudit(state: BatchState, changes: Changes, record: AuditRecord): void {
  assert(state.auditHead, 'the end of the audit log was not loaded')
  const entry = chainEntry(state.auditHead, record)
  state.auditHead = headAfter(entry)
  changes.audited.push(entry)
}

/** Invariant I1, checked after every entry. */
function assertBalanced(balance: Balance): void {
  const { available, reserved, settled, credited } = balance
  assert(available >= 0 && reserved >= 0 && settled >= 0, 'a balance went below zero')
  assert(available + reserved + settled === credited, 'credits appeared or vanished')
  assert(Number.isSafeInteger(credited), 'credits exceed the safe integers')
}

export function balanceOf(state: BatchState, projectId: string): Balance {
  const balance = state.balances.get(projectId)
  assert(balance, 'a project has no balance')
  return balance
}

/** Credits left the balance: raises an event if they have just fallen below the payer's threshold. */
export function creditsTaken(changes: Changes, balance: Balance, { credits, at }: { credits: number; at: number }) {
  const { projectId, available } = balance
  const lowBalanceCredits = balance.lowBalanceCredits ?? defaultLowBalanceCredits
  if (available >= lowBalanceCredits || available + credits < lowBalanceCredits) return
  changes.events.push({ type: 'credits.low', at, projectId, data: { available, lowBalanceCredits } })
}

/** Credits were added: the next refusal for lack of credits raises an event again. */
export function creditsAdded(changes: Changes, balance: Balance): void {
  if (balance.emptyAt === null) return
  balance.emptyAt = null
  changes.emptyChanged.add(balance)
}

/** A call was refused for lack of credits: raises an event for the first one since credits were added. */
export function creditsMissing(changes: Changes, balance: Balance, { credits, at }: Pick<Admit, 'credits' | 'at'>) {
  if (balance.emptyAt !== null) return
  balance.emptyAt = at
  changes.emptyChanged.add(balance)
  const { projectId, available } = balance
  changes.events.push({ type: 'credits.empty', at, projectId, data: { available, credits } })
}

/** A call was the first of its period to be refused by the budget of its key. */
export function budgetReached(
  changes: Changes,
  { credits, per, periodFrom }: BudgetState & { readonly credits: number },
  { keyId, projectId, at }: Pick<Admit, 'keyId' | 'projectId' | 'at'>,
): void {
  const resetsAt = periodEnd(per, periodFrom)
  const data = { keyId, credits, per, resetsAt: resetsAt === null ? null : new Date(resetsAt).toISOString() }
  changes.events.push({ type: 'key.budget_reached', at, projectId, data })
}

/** A charge was settled, released or put into review. */
export function chargeEnded(changes: Changes, { from, to, job, at }: End, charge: ChargeRecord): void {
  const { chargeId, projectId, credits } = charge
  const facts = { chargeId, operation: charge.operation as ChargedOperation, credits }
  if (job) {
    const { jobId, status, errorCode } = job
    changes.events.push({ type: 'media.job_finished', at, projectId, data: { jobId, chargeId, status, errorCode } })
  }
  if (to === 'manual_review') {
    changes.events.push({ type: 'charge.review_opened', at, projectId, data: facts })
  } else if (from === 'manual_review') {
    changes.events.push({ type: 'charge.review_decided', at, projectId, data: { ...facts, decision: to } })
  }
}
