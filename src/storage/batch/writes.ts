import type { Changes } from '../../ledger/batch-state.ts'
import type { Ended } from '../charge-columns.ts'
import { chargeWrites, type EndedWithContent, settledUsage, snapshotsOf } from './charge-writes.ts'
import { eventWrites } from './event-writes.ts'
import { type AdmittedJob, jobWrites } from './job-writes.ts'
import { ledgerWrites } from './ledger-writes.ts'
import { grantedApprovals, operatorWrites } from './operator-writes.ts'
import { isPaid, paymentWrites } from './payment-writes.ts'
import type { TableWrite } from './table-write.ts'

/** Every column that a batch writes, declared once. PostgreSQL has a composite type for each write (`compositeTypes`). */
export const batchWrites = {
  ...ledgerWrites,
  ...chargeWrites,
  ...eventWrites,
  ...jobWrites,
  ...operatorWrites,
  ...paymentWrites,
} as const

type BatchWrites = typeof batchWrites
export type BatchWriteName = keyof BatchWrites
type RowOfWrite<N extends BatchWriteName> = BatchWrites[N] extends TableWrite<infer Row> ? Row : never

/** Called for each write. Balances, keys and budgets come first. */
type WriteRows = <N extends BatchWriteName>(name: N, rows: readonly RowOfWrite<N>[]) => void

/** Passes the rows of a batch to an engine, in an order that satisfies its constraints. */
export function writeChanges(changes: Changes, writeRows: WriteRows): void {
  writeRows('balance_change', [...changes.balances])
  writeRows('key_change', [...changes.keys])
  writeRows('budget_change', [...changes.budgets])
  writeRows('empty_change', [...changes.emptyChanged])
  writeCharges(changes, writeRows)
  writeOutcomes(changes, writeRows)
  writeCredits(changes, writeRows)
  writeRows('ledger_entry', changes.entries)
  writeRows('refund_hold', changes.held)
  writeRows('refund_end', changes.unheld)
  if (changes.moved.length + changes.unheld.length > 0) writeRows('approval_grant', grantedApprovals(changes))
  writeRows('operator_movement', changes.moved)
  writeRows('audit_entry', changes.audited)
  writeRows('audit_head_change', changes.audited.slice(-1))
  writeRows('event', changes.events)
}

function writeCharges({ reserved, tracked, ended }: Changes, writeRows: WriteRows): void {
  const newCharges = new Set(reserved.map(({ charge }) => charge.chargeId))
  const end = (rows: readonly Ended[]) => {
    writeRows('charge_end', rows)
    writeRows(
      'key_release',
      rows.filter(({ charge }) => charge.idempotencyDigest === null),
    )
  }
  // Earlier charges first: the batch may reuse an Idempotency-Key that one of them frees.
  end(ended.filter(({ charge }) => !newCharges.has(charge.chargeId)))
  writeRows('charge', reserved)
  writeRows(
    'media_job',
    reserved.flatMap(({ command }) => (command.job ? [command as AdmittedJob] : [])),
  )
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
}

/** What is stored with a charge once it has ended. */
function writeOutcomes({ ended }: Changes, writeRows: WriteRows): void {
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
  writeRows('usage_day', settledUsage(ended))
}

function writeCredits({ credited, moved }: Changes, writeRows: WriteRows): void {
  writeRows('order_credit', credited)
  const paid = credited.filter(isPaid)
  writeRows(
    'credit_lot',
    credited.filter((row) => !isPaid(row)),
  )
  writeRows('paid_lot', paid)
  writeRows('payment_credit', paid)
  writeRows('uncredited_credit', paid)
  writeRows(
    'granted_lot',
    moved.filter(({ command }) => command.type === 'grant'),
  )
}
