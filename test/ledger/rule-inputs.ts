import { emptyChain } from '../../src/ledger/audit.ts'
import { type BatchState, idempotencySlot } from '../../src/ledger/batch-state.ts'
import type {
  Admit,
  Balance,
  BudgetState,
  ChargeRecord,
  Command,
  End,
  KeyState,
  OrderState,
} from '../../src/ledger/commands.ts'
import { decide } from '../../src/ledger/rules.ts'
import { admission, ending, keyState } from '../../testkit/store/commands.ts'

export const now = 1_000_000

/** The books of one project with one key, in memory. */
export function stateWith({
  available = 10,
  charges = [] as ChargeRecord[],
  key = {} as Partial<KeyState>,
  orders = [] as OrderState[],
  budget = undefined as BudgetState | undefined,
} = {}): BatchState {
  const reserved = charges
    .filter((c) => c.state === 'reserved' || c.state === 'manual_review')
    .reduce((sum, c) => sum + c.credits, 0)
  const settled = charges.filter((c) => c.state === 'settled').reduce((sum, c) => sum + c.credits, 0)
  const balance: Balance = {
    projectId: 'prj',
    available,
    reserved,
    settled,
    credited: available + reserved + settled,
    entries: 7,
    lastEntryId: 70,
    lowBalanceCredits: null,
    emptyAt: null,
  }
  const state = keyState(key)
  return {
    keys: new Map([[state.keyId, state]]),
    budgets: new Map(budget ? [[budget.budgetId, budget]] : []),
    balances: new Map([['prj', balance]]),
    charges: new Map(charges.map((c) => [c.chargeId, c])),
    archivedSlots: new Set(),
    slots: new Map(
      charges.flatMap((c) => (c.idempotencyDigest ? [[idempotencySlot('prj', c.idempotencyDigest), c]] : [])),
    ),
    orders: new Map(orders.map((order) => [order.orderId, order])),
    refunds: new Map(),
    creditedOrders: new Set(),
    movements: new Map(),
    pendingApprovals: new Map(),
    movedSums: new Map(),
    sameReferences: new Map(),
    auditHead: emptyChain,
    nextEntryId: 100,
  }
}

export const admit = (over: Partial<Admit> = {}): Admit =>
  admission({
    limit: { max: 100, windowMs: 60_000 },
    idempotencyDigest: 'idem',
    fingerprint: 'print',
    at: now,
    ...over,
  })

export const end = (over: Partial<End> = {}): End => ending({ at: now, ...over })

export const charge = (over: Partial<ChargeRecord> = {}): ChargeRecord => ({
  chargeId: 'chg',
  projectId: 'prj',
  operation: 'model.chat',
  credits: 3,
  fingerprint: 'print',
  isolationVersion: 1,
  budgetId: null,
  budgetPeriod: null,
  idempotencyDigest: 'idem',
  state: 'reserved',
  response: null,
  ...over,
})

export const decideOne = (state: BatchState, command: Command) => decide(state, [command])
