import type { Balance, BudgetState, EntryRecord, KeyState } from '../../ledger/commands.ts'
import type { Moved } from './operator-writes.ts'
import type { Credited, PaidOrder } from './payment-writes.ts'
import { bigint, int, text, write } from './table-write.ts'

/** Balances with their entries and lots, and what a call changes of its key and budget. */
export const ledgerWrites = {
  balance_change: write<Balance>('update', 'balances', 'project_id', {
    project_id: text((row) => row.projectId),
    available: bigint((row) => row.available),
    reserved: bigint((row) => row.reserved),
    settled: bigint((row) => row.settled),
    credited: bigint((row) => row.credited),
    entries: bigint((row) => row.entries),
    last_entry_id: bigint((row) => row.lastEntryId),
  }),
  key_change: write<KeyState>('update', 'api_keys', 'key_id', {
    key_id: text((row) => row.keyId),
    window_ends_at: bigint((row) => row.windowEndsAt),
    window_used: int((row) => row.windowUsed),
    calls: bigint((row) => row.calls),
    last_used_at: bigint((row) => row.lastUsedAt),
    last_used_from: text((row) => row.lastUsedFrom),
  }),
  budget_change: write<BudgetState>('update', 'key_budgets', 'budget_id', {
    budget_id: text((row) => row.budgetId),
    period_from: bigint((row) => row.periodFrom),
    spent: bigint((row) => row.spent),
    reached_at: bigint((row) => row.reachedAt),
    other_counts: text((row) => row.otherCounts),
  }),
  empty_change: write<Balance>('update', 'balances', 'project_id', {
    project_id: text((row) => row.projectId),
    empty_at: bigint((row) => row.emptyAt),
  }),
  ledger_entry: write<EntryRecord>('insert', 'ledger_entries', 'entry_id', {
    entry_id: bigint((row) => row.entryId),
    previous_id: bigint((row) => row.previousId),
    project_id: text((row) => row.projectId),
    seq: bigint((row) => row.seq),
    kind: text((row) => row.kind),
    amount: bigint((row) => row.amount),
    available: bigint((row) => row.available),
    reserved: bigint((row) => row.reserved),
    charge_id: text((row) => row.chargeId),
    lot_id: text((row) => row.lotId),
    entered_at: bigint((row) => row.at),
  }),
  credit_lot: write<Credited>('insert', 'credit_lots', 'lot_id', {
    lot_id: text(({ command }) => command.lotId),
    project_id: text(({ order }) => order.projectId),
    order_id: text(({ order }) => order.orderId),
    kind: text(() => 'simulated_prepaid'),
    amount: bigint(({ order }) => order.creditAmount),
    created_at: bigint(({ command }) => command.at),
  }),
  paid_lot: write<PaidOrder>('insert', 'credit_lots', 'lot_id', {
    lot_id: text(({ command }) => command.lotId),
    project_id: text(({ order }) => order.projectId),
    order_id: text(({ order }) => order.orderId),
    kind: text(() => 'paid'),
    amount: bigint(({ order }) => order.creditAmount),
    created_at: bigint(({ command }) => command.at),
    reference: text(({ command }) => command.payment.reference),
  }),
  granted_lot: write<Moved>('insert', 'credit_lots', 'lot_id', {
    lot_id: text(({ command }) => command.lotId),
    project_id: text(({ command }) => command.projectId),
    kind: text(() => 'operator_grant'),
    amount: bigint(({ command }) => command.credits),
    created_at: bigint(({ command }) => command.at),
  }),
} as const
