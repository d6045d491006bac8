import type { Charge, End, StoredResponse } from '../../ledger/commands.ts'
import type { Changes } from '../../ledger/rules.ts'
import { endedByAge } from '../book-rows.ts'
import type { Value } from '../engine.ts'
import { addToDay, settledUsage } from '../usage-days.ts'
import type { Statement } from './flights.ts'
import { write } from './state-writes.ts'

/** What the rules decided but for the state of keys and balances, as one statement a table, however many rows there are. */
export function bulkWritesOf(changes: Changes): Statement[] {
  const results = changes.ended.flatMap(({ command, charge }) =>
    charge.response ? [{ command, charge, response: charge.response }] : [],
  )
  const { earlier, sameBatch } = endedByAge(changes)
  return [
    write(endCharges, earlier, endedRow),
    write(insertCharges, changes.reserved, (row) => [
      row.chargeId,
      row.projectId,
      row.keyId,
      row.operation,
      row.credits,
      row.pricingVersion,
      row.idempotencyDigest,
      row.fingerprint,
      row.isolationVersion,
      row.leavesProcess ? 1 : 0,
      row.instanceId,
      row.requestId,
      row.at,
    ]),
    write(endCharges, sameBatch, endedRow),
    write(insertResults, results.filter(isFirst), resultRow),
    write(
      upsertResults,
      results.filter((result) => !isFirst(result)),
      resultRow,
    ),
    write(
      insertDecisions,
      changes.ended.filter(({ command }) => command.decision),
      ({ command, charge }) => [
        charge.chargeId,
        command.to,
        command.decision!.reason,
        command.decision!.by,
        command.at,
      ],
    ),
    write(upsertSnapshots, shownOnce(changes), (row) => row),
    write(addUsage, settledUsage(changes), (row) => [row.projectId, row.day, row.operation, row.calls, row.credits]),
    write(creditOrders, changes.credited, ({ command, order }) => [order.orderId, command.at]),
    write(insertLots, changes.credited, ({ command, order }) => [
      command.lotId,
      order.projectId,
      order.orderId,
      order.creditAmount,
      command.at,
    ]),
    write(insertEntries, changes.entries, (row) => [
      row.entryId,
      row.previousId,
      row.projectId,
      row.seq,
      row.kind,
      row.amount,
      row.available,
      row.reserved,
      row.chargeId,
      row.lotId,
      row.at,
    ]),
  ].filter((statement) => statement !== null)
}

interface StoredResult {
  readonly command: End
  readonly charge: Charge
  readonly response: StoredResponse
}

/** Only a charge that was held for review has an answer already. */
const isFirst = ({ command }: StoredResult) => command.from === 'reserved'

const resultRow = ({ command, charge, response }: StoredResult): Value[] => [
  charge.chargeId,
  response.status,
  response.body,
  command.at,
]

const endedRow = ({ command, charge }: Changes['ended'][number]): Value[] => [
  charge.chargeId,
  charge.state,
  command.at,
  command.reason,
  command.usage,
  charge.idempotencyDigest,
]

/** An upsert may touch a row only once: of an item that two searches of a batch showed, the later one stays. */
function shownOnce({ ended }: Changes): Value[][] {
  const rows = ended.flatMap(({ command, charge }) =>
    command.shown.map((item): Value[] => [
      charge.projectId,
      item.itemRef.provider,
      item.itemRef.productId,
      JSON.stringify(item),
      command.at,
    ]),
  )
  return [...new Map(rows.map((row) => [row.slice(0, 3).join('\n'), row])).values()]
}

const insertCharges = `INSERT INTO charges (charge_id, project_id, key_id, operation, credits, pricing_version, state,
    idempotency_digest, fingerprint, isolation_version, leaves_process, instance_id, request_id, reserved_at)
  SELECT charge_id, project_id, key_id, operation, credits, pricing_version, 'reserved', idempotency_digest, fingerprint,
    isolation_version, leaves_process, instance_id, request_id, reserved_at
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::text[], $8::text[], $9::int[],
    $10::int[], $11::text[], $12::text[], $13::bigint[])
    AS v (charge_id, project_id, key_id, operation, credits, pricing_version, idempotency_digest, fingerprint,
      isolation_version, leaves_process, instance_id, request_id, reserved_at)`

const endCharges = `UPDATE charges c SET state = v.state, ended_at = v.ended_at, reason = COALESCE(v.reason, c.reason),
    usage = v.usage, idempotency_digest = v.idempotency_digest
  FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[])
    AS v (charge_id, state, ended_at, reason, usage, idempotency_digest)
  WHERE c.charge_id = v.charge_id`

const insertResults = `INSERT INTO charge_results (charge_id, status, body, stored_at)
  SELECT * FROM unnest($1::text[], $2::int[], $3::text[], $4::bigint[])`

const upsertResults = `${insertResults}
  ON CONFLICT (charge_id) DO UPDATE SET status = excluded.status, body = excluded.body, stored_at = excluded.stored_at`

const insertDecisions = `INSERT INTO review_decisions (charge_id, decision, reason, decided_by, decided_at)
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[])`

const upsertSnapshots = `INSERT INTO snapshots (project_id, provider, product_id, item, shown_at)
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[])
  ON CONFLICT (project_id, provider, product_id) DO UPDATE SET item = excluded.item, shown_at = excluded.shown_at`

const addUsage = `INSERT INTO usage_days (project_id, day, operation, calls, credits)
  SELECT * FROM unnest($1::text[], $2::int[], $3::text[], $4::bigint[], $5::bigint[]) ${addToDay}`

const creditOrders = `UPDATE orders o SET state = 'credited', simulated_paid_at = v.at, credited_at = v.at
  FROM unnest($1::text[], $2::bigint[]) AS v (order_id, at) WHERE o.order_id = v.order_id`

const insertLots = `INSERT INTO credit_lots (lot_id, project_id, order_id, kind, amount, created_at)
  SELECT lot_id, project_id, order_id, 'simulated_prepaid', amount, created_at
  FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[])
    AS v (lot_id, project_id, order_id, amount, created_at)`

const insertEntries = `INSERT INTO ledger_entries (entry_id, previous_id, project_id, seq, kind, amount, available, reserved,
    charge_id, lot_id, entered_at)
  SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::text[], $6::bigint[], $7::bigint[],
    $8::bigint[], $9::text[], $10::text[], $11::bigint[])`
