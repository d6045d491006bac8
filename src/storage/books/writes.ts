import { hash } from 'node:crypto'
import type { Sealed } from '../../base/keyring.ts'
import { type DayNumber, dayOf } from '../../base/time.ts'
import type { Item } from '../../contract/schemas/products.ts'
import { type Changes, type EventDraft, newEventId } from '../../ledger/books.ts'
import type { Admit, Balance, BudgetState, Credit, EntryRecord, KeyState, OrderState } from '../../ledger/commands.ts'
import type { AdmittedJob } from './side-writes.ts'
import { deliveryWrites, grantedApprovals, isPaid, jobWrites, operatorWrites, paymentWrites } from './side-writes.ts'
import { bigint, int, type TableWrite, text, write } from './table-write.ts'

/** The columns that a batch writes for events. */
const eventWrites = {
  empty_change: write<Balance>('update', 'balances', 'project_id', {
    project_id: text((row) => row.projectId),
    empty_at: bigint((row) => row.emptyAt),
  }),
  event: write<EventDraft>('insert', 'events', 'event_id', {
    // Made here, because the rules are pure.
    event_id: text(newEventId),
    project_id: text((row) => row.projectId),
    type: text((row) => row.type),
    happened_at: bigint((row) => row.at),
    data: text((row) => JSON.stringify(row.data)),
  }),
} as const

interface SettledUsage {
  readonly projectId: string
  readonly day: DayNumber
  readonly operation: string
  calls: number
  credits: number
}

/** What a batch settled, summed by project, day and operation, so that each row is written once. */
function settledUsage({ ended }: Changes): SettledUsage[] {
  const sums = new Map<string, SettledUsage>()
  for (const { command, charge } of ended) {
    if (command.to !== 'settled') continue
    const { projectId, operation, credits } = charge
    const day = dayOf(command.at)
    const key = `${projectId} ${day} ${operation}`
    let sum = sums.get(key)
    if (!sum) {
      sum = { projectId, day, operation, calls: 0, credits: 0 }
      sums.set(key, sum)
    }
    sum.calls += 1
    sum.credits += credits
  }
  return [...sums.values()]
}

type Reserved = Changes['reserved'][number]
type Ended = Changes['ended'][number]
type EndedWithContent = Ended & { readonly command: { readonly content: Sealed } }
type Credited = { readonly command: Credit; readonly order: OrderState }
type Snapshot = { readonly projectId: string; readonly item: Item; readonly at: number }

const responseColumns: TableWrite<Ended>['columns'] = {
  charge_id: text(({ charge }) => charge.chargeId),
  status: int(({ charge }) => charge.response!.status),
  code: text(({ charge }) => charge.response!.code),
  body: text(({ charge }) => charge.response!.body),
  stored_at: bigint(({ command }) => command.at),
}

/**
 * Every column that a batch writes, declared once. For each write, schema.postgres.sql has a composite type of the same name
 * that holds its rows.
 */
export const bookWrites = {
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
  charge_outcome: write<Ended>('update', 'charges', 'charge_id', {
    charge_id: text(({ charge }) => charge.chargeId),
    state: text(({ charge }) => charge.state),
    ended_at: bigint(({ command }) => command.at),
    // Null keeps the reason of the review; an operator's own reason goes to review_decisions.
    reason: text(
      ({ command }) => command.reason,
      (value, stored) => `COALESCE(${value}, ${stored})`,
    ),
    usage: text(({ command }) => command.usage),
    // With the charge, because the stored response is pruned and a receipt is not.
    response_sha256: text(({ charge }) => charge.response && hash('sha256', charge.response.body)),
  }),
  // A separate write, because an update that names an indexed column may rewrite the index even if the value stays.
  key_release: write<Ended>('update', 'charges', 'charge_id', {
    charge_id: text(({ charge }) => charge.chargeId),
    idempotency_digest: text(() => null),
  }),
  new_charge: write<Reserved>('insert', 'charges', 'charge_id', {
    charge_id: text(({ command }) => command.chargeId),
    project_id: text(({ command }) => command.projectId),
    key_id: text(({ command }) => command.keyId),
    operation: text(({ command }) => command.operation),
    credits: bigint(({ command }) => command.credits),
    pricing_version: text(({ command }) => command.pricingVersion),
    state: text(() => 'reserved'),
    idempotency_digest: text(({ command }) => command.idempotencyDigest),
    fingerprint: text(({ command }) => command.fingerprint),
    isolation_version: int(({ command }) => command.isolationVersion),
    leaves_process: int(({ command }) => (command.leavesProcess ? 1 : 0)),
    instance_id: text(({ command }) => command.instanceId),
    request_id: text(({ command }) => command.requestId),
    reserved_at: bigint(({ command }) => command.at),
    budget_id: text(({ charge }) => charge.budgetId),
    budget_period: bigint(({ charge }) => charge.budgetPeriod),
    model: text(({ command }) => command.model ?? null),
  }),
  response: write<Ended>('insert', 'charge_responses', 'charge_id', responseColumns),
  /** A charge that was in review already has a response. */
  response_change: write<Ended>('upsert', 'charge_responses', 'charge_id', responseColumns),
  charge_content: write<EndedWithContent>('insert', 'charge_contents', 'charge_id', {
    charge_id: text(({ charge }) => charge.chargeId),
    project_id: text(({ charge }) => charge.projectId),
    key_version: text(({ command }) => command.content.keyVersion),
    sealed: text(({ command }) => command.content.sealed),
  }),
  review_decision: write<Ended>('insert', 'review_decisions', 'charge_id', {
    charge_id: text(({ charge }) => charge.chargeId),
    decision: text(({ command }) => command.to),
    reason: text(({ command }) => command.decision!.reason),
    decided_by: text(({ command }) => command.decision!.by),
    decided_at: bigint(({ command }) => command.at),
  }),
  snapshot: write<Snapshot>('upsert', 'snapshots', 'project_id provider product_id', {
    project_id: text((row) => row.projectId),
    provider: text(({ item }) => item.itemRef.provider),
    product_id: text(({ item }) => item.itemRef.productId),
    item: text(({ item }) => JSON.stringify(item)),
    shown_at: bigint((row) => row.at),
  }),
  usage_day: write<SettledUsage>('upsert', 'usage_days', 'project_id day operation', {
    project_id: text((row) => row.projectId),
    day: int((row) => row.day),
    operation: text((row) => row.operation),
    calls: bigint(
      (row) => row.calls,
      (value, stored) => `${stored} + ${value}`,
    ),
    credits: bigint(
      (row) => row.credits,
      (value, stored) => `${stored} + ${value}`,
    ),
  }),
  order_credit: write<Credited>('update', 'orders', 'order_id', {
    order_id: text(({ order }) => order.orderId),
    state: text(() => 'credited'),
    simulated_paid_at: bigint(({ command }) => command.at),
    credited_at: bigint(({ command }) => command.at),
  }),
  credit_lot: write<Credited>('insert', 'credit_lots', 'lot_id', {
    lot_id: text(({ command }) => command.lotId),
    project_id: text(({ order }) => order.projectId),
    order_id: text(({ order }) => order.orderId),
    kind: text(() => 'simulated_prepaid'),
    amount: bigint(({ order }) => order.creditAmount),
    created_at: bigint(({ command }) => command.at),
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
  ...eventWrites,
  ...jobWrites,
  ...deliveryWrites,
  ...operatorWrites,
  ...paymentWrites,
} as const

type BookWrites = typeof bookWrites
export type BookWriteName = keyof BookWrites
type RowOfWrite<N extends BookWriteName> = BookWrites[N] extends TableWrite<infer Row> ? Row : never

/** Called for each write. Balances, keys and budgets come first. */
type WriteRows = <N extends BookWriteName>(name: N, rows: readonly RowOfWrite<N>[]) => void

/** Passes the rows of a batch to an engine, in an order that satisfies its constraints. */
export function writeChanges(changes: Changes, writeRows: WriteRows): void {
  const { reserved, tracked, ended, credited, moved, audited } = changes
  const newCharges = new Set(reserved.map(({ charge }) => charge.chargeId))
  const end = (rows: readonly Ended[]) => {
    writeRows('charge_outcome', rows)
    writeRows(
      'key_release',
      rows.filter(({ charge }) => charge.idempotencyDigest === null),
    )
  }
  writeRows('balance_change', [...changes.balances])
  writeRows('key_change', [...changes.keys])
  writeRows('budget_change', [...changes.budgets])
  writeRows('empty_change', [...changes.emptyChanged])
  // Earlier charges first: the batch may reuse an Idempotency-Key that one of them frees.
  end(ended.filter(({ charge }) => !newCharges.has(charge.chargeId)))
  writeRows('new_charge', reserved)
  writeRows('media_job', jobsIn(reserved.map(({ command }) => command)))
  writeRows(
    'pending_delivery',
    reserved.flatMap(({ command }) => (command.tracksDelivery ? [command] : [])),
  )
  writeRows('media_job_change', tracked)
  writeRows(
    'media_job_end',
    ended.flatMap(({ command: { job, at } }) => (job ? [{ job, at }] : [])),
  )
  end(ended.filter(({ charge }) => newCharges.has(charge.chargeId)))
  const withResponse = ended.filter(({ charge }) => charge.response !== null)
  writeRows(
    'response',
    withResponse.filter(({ command }) => command.from === 'reserved'),
  )
  writeRows(
    'response_change',
    withResponse.filter(({ command }) => command.from !== 'reserved'),
  )
  writeRows(
    'charge_content',
    ended.filter((row): row is EndedWithContent => row.command.content !== undefined),
  )
  writeRows(
    'review_decision',
    ended.filter(({ command }) => command.decision !== null),
  )
  writeRows('snapshot', snapshotsOf(ended))
  writeRows('usage_day', settledUsage(changes))
  writeRows('order_credit', credited)
  const paid = credited.filter(isPaid)
  writeRows(
    'credit_lot',
    credited.filter((row) => !isPaid(row)),
  )
  writeRows('paid_lot', paid)
  writeRows('payment_credit', paid)
  writeRows(
    'granted_lot',
    moved.filter(({ command }) => command.type === 'grant'),
  )
  writeRows('ledger_entry', changes.entries)
  writeRows('refund_hold', changes.held)
  writeRows('refund_end', changes.unheld)
  writeRows('approval_grant', grantedApprovals(changes))
  writeRows('operator_movement', moved)
  writeRows('audit_entry', audited)
  writeRows('audit_head_change', audited.slice(-1))
  writeRows('event', changes.events)
}

/** If two searches of a batch returned the same item, the later one wins: an upsert may touch a row only once. */
function snapshotsOf(ended: readonly Ended[]): Snapshot[] {
  const snapshots = ended.flatMap(({ command, charge }) =>
    command.snapshots.map((item): Snapshot => ({ projectId: charge.projectId, item, at: command.at })),
  )
  if (snapshots.length < 2) return snapshots
  const keyOf = ({ projectId, item: { itemRef } }: Snapshot) =>
    `${projectId}\n${itemRef.provider}\n${itemRef.productId}`
  return [...new Map(snapshots.map((row) => [keyOf(row), row])).values()]
}

const jobsIn = (commands: readonly Admit[]): AdmittedJob[] =>
  commands.filter((command): command is AdmittedJob => command.job !== undefined)
