import type { Charge, End, StoredResponse } from '../../ledger/commands.ts'
import type { Changes } from '../../ledger/rules.ts'
import { endedByAge } from '../book-rows.ts'
import type { Value } from '../engine.ts'
import { addToDay, settledUsage } from '../usage-days.ts'
import type { Statement } from './flights.ts'
import { columnsOf, type RowTypeName } from './row-types.ts'
import { write } from './state-writes.ts'

/** What the rules decided but for the state of keys and balances, as one statement a table, however many rows there are. */
export function bulkWritesOf(changes: Changes): Statement[] {
  const results = changes.ended.flatMap(({ command, charge }) =>
    charge.response ? [{ command, charge, response: charge.response }] : [],
  )
  const { earlier, sameBatch } = endedByAge(changes)
  return [
    write(endCharges, 'charge_ended', earlier, endedRow),
    write(insertCharges, 'charge_reserved', changes.reserved, (row) => [
      row.chargeId,
      row.projectId,
      row.keyId,
      row.operation,
      row.credits,
      row.pricingVersion,
      'reserved',
      row.idempotencyDigest,
      row.fingerprint,
      row.isolationVersion,
      row.leavesProcess ? 1 : 0,
      row.instanceId,
      row.requestId,
      row.at,
    ]),
    write(endCharges, 'charge_ended', sameBatch, endedRow),
    write(insertResults, 'result_stored', results.filter(isFirst), resultRow),
    write(
      upsertResults,
      'result_stored',
      results.filter((result) => !isFirst(result)),
      resultRow,
    ),
    write(
      insertDecisions,
      'decision_made',
      changes.ended.filter(({ command }) => command.decision),
      ({ command, charge }) => [
        charge.chargeId,
        command.to,
        command.decision!.reason,
        command.decision!.by,
        command.at,
      ],
    ),
    write(upsertSnapshots, 'item_shown', shownOnce(changes), (row) => row),
    write(addUsage, 'usage_settled', settledUsage(changes), (row) => [
      row.projectId,
      row.day,
      row.operation,
      row.calls,
      row.credits,
    ]),
    write(creditOrders, 'order_credited', changes.credited, ({ command, order }) => [order.orderId, command.at]),
    write(insertLots, 'lot_added', changes.credited, ({ command, order }) => [
      command.lotId,
      order.projectId,
      order.orderId,
      'simulated_prepaid',
      order.creditAmount,
      command.at,
    ]),
    write(insertEntries, 'entry_made', changes.entries, (row) => [
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

const insertOf = (table: string, type: RowTypeName) =>
  `INSERT INTO ${table} (${columnsOf(type)}) SELECT * FROM unnest($1::${type}[])`

const insertCharges = insertOf('charges', 'charge_reserved')

const endCharges = `UPDATE charges c SET state = v.state, ended_at = v.ended_at, reason = COALESCE(v.reason, c.reason),
    usage = v.usage, idempotency_digest = v.idempotency_digest
  FROM unnest($1::charge_ended[]) AS v WHERE c.charge_id = v.charge_id`

const insertResults = insertOf('charge_results', 'result_stored')

const upsertResults = `${insertResults}
  ON CONFLICT (charge_id) DO UPDATE SET status = excluded.status, body = excluded.body, stored_at = excluded.stored_at`

const insertDecisions = insertOf('review_decisions', 'decision_made')

const upsertSnapshots = `${insertOf('snapshots', 'item_shown')}
  ON CONFLICT (project_id, provider, product_id) DO UPDATE SET item = excluded.item, shown_at = excluded.shown_at`

const addUsage = `${insertOf('usage_days', 'usage_settled')} ${addToDay}`

const creditOrders = `UPDATE orders o SET state = 'credited', simulated_paid_at = v.credited_at, credited_at = v.credited_at
  FROM unnest($1::order_credited[]) AS v WHERE o.order_id = v.order_id`

const insertLots = insertOf('credit_lots', 'lot_added')

const insertEntries = insertOf('ledger_entries', 'entry_made')
