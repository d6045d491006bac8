import type { Sealed } from '../../base/keyring.ts'
import { type DayNumber, dayOf } from '../../base/time.ts'
import type { Item } from '../../contract/schemas/products.ts'
import type { Admit } from '../../ledger/commands.ts'
import { chargeRowWrites, type Ended } from '../charge-columns.ts'
import { bigint, int, type TableWrite, text, write } from './table-write.ts'

export type EndedWithContent = Ended & { readonly command: { readonly content: Sealed } }
type Snapshot = { readonly projectId: string; readonly item: Item; readonly at: number }

interface SettledUsage {
  readonly projectId: string
  readonly day: DayNumber
  readonly operation: string
  calls: number
  credits: number
}

/** What a batch settled, summed by project, day and operation, so that each row is written once. */
export function settledUsage(ended: readonly Ended[]): SettledUsage[] {
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

const responseColumns: TableWrite<Ended>['columns'] = {
  charge_id: text(({ charge }) => charge.chargeId),
  status: int(({ charge }) => charge.response!.status),
  code: text(({ charge }) => charge.response!.code),
  body: text(({ charge }) => charge.response!.body),
  stored_at: bigint(({ command }) => command.at),
}

/** Charges, what is stored with them, and the usage they add up to. */
export const chargeWrites = {
  ...chargeRowWrites,
  // A separate write, because an update that names an indexed column may rewrite the index even if the value stays.
  key_release: write<Ended>('update', 'charges', 'charge_id', {
    charge_id: text(({ charge }) => charge.chargeId),
    idempotency_digest: text(() => null),
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
  pending_delivery: write<Admit>('insert', 'pending_deliveries', 'charge_id', {
    charge_id: text((row) => row.chargeId),
    key_id: text((row) => row.keyId),
    fingerprint: text((row) => row.fingerprint),
    request_id: text((row) => row.requestId),
    instance_id: text((row) => row.instanceId),
    is_lost: int(() => 0),
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
} as const

/** If two searches of a batch returned the same item, the later one wins: an upsert may touch a row only once. */
export function snapshotsOf(ended: readonly Ended[]): Snapshot[] {
  const snapshots = ended.flatMap(({ command, charge }) =>
    command.snapshots.map((item): Snapshot => ({ projectId: charge.projectId, item, at: command.at })),
  )
  if (snapshots.length < 2) return snapshots
  const keyOf = ({ projectId, item: { itemRef } }: Snapshot) =>
    `${projectId}\n${itemRef.provider}\n${itemRef.productId}`
  return [...new Map(snapshots.map((row) => [keyOf(row), row])).values()]
}
