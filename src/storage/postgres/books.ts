import { strict as assert } from 'node:assert'
import type { Balance, Command, OrderState } from '../../ledger/commands.ts'
import { type BookStore, largestBatch } from '../../ledger/ledger.ts'
import { decide } from '../../ledger/rules.ts'
import {
  balanceColumns,
  booksOf,
  type ChargeRow,
  chargeColumns,
  chargeTables,
  type KeyStateRow,
  keyStateColumns,
  type LoadedRows,
  needsOf,
} from '../book-rows.ts'
import { orderColumns } from '../order-store.ts'
import { bulkWritesOf } from './bulk-writes.ts'
import type { Flights, Statement } from './flights.ts'
import type { PostgresEngine } from './postgres-engine.ts'

/** A batch of the books in two flights: lock and load, then save and commit; as many statements for 1 call as for 100. */
export function createPostgresBooks(engine: PostgresEngine): Pick<BookStore, 'apply' | 'rhythm'> {
  return {
    // A batch costs the server as many statements whatever its length, so these are longer; more than two only compete.
    rhythm: { fullBatch: 32, commitsAtOnce: 2 },
    async apply(commands) {
      assert(commands.length <= largestBatch, 'a batch has more commands than it draws ids for their entries')
      return engine.inFlights(async (tx) => {
        const { results, changes } = decide(booksOf(await load(tx, commands)), commands)
        await tx.commit(bulkWritesOf(changes))
        return results
      })
    },
  }
}

// As many as a batch can have commands, each of which makes one entry at most. They are drawn under the locks, so that the
// ids of a project rise with its numbers, whoever writes them.
const drawEntryIds = "SELECT nextval('ledger_entry_ids') AS next"

// Locked in sorted order, so that two batches never deadlock; everything else of a project is guarded by this lock.
const lockBalances = `SELECT ${balanceColumns} FROM balances WHERE project_id = ANY($1::text[]) ORDER BY project_id FOR UPDATE`
const selectKeys = `SELECT ${keyStateColumns} FROM api_keys WHERE key_id = ANY($1::text[])`
const selectSlots = `SELECT ${chargeColumns} FROM unnest($1::text[], $2::text[]) AS wanted (project_id, digest)
  JOIN charges c ON c.project_id = wanted.project_id AND c.idempotency_digest = wanted.digest
  LEFT JOIN charge_results r ON r.charge_id = c.charge_id`
const selectCharges = `SELECT ${chargeColumns} FROM ${chargeTables} WHERE c.charge_id = ANY($1::text[])`
const selectOrders = `SELECT ${orderColumns} FROM orders WHERE order_id = ANY($1::text[])`
const selectLots = 'SELECT order_id AS "orderId" FROM credit_lots WHERE order_id = ANY($1::text[])'

/** Null when nothing is wanted. */
function about(sql: string, wanted: Iterable<string>, ...more: string[][]): Statement | null {
  const values = [...wanted]
  return values.length === 0 ? null : { sql, params: [values, ...more] }
}

async function load(tx: Flights, commands: readonly Command[]): Promise<LoadedRows> {
  const needs = needsOf(commands)
  const slots = [...needs.slots.values()]
  const [balances, [drawn], keys, bySlot, byId, orders, lots] = (await tx.fly([
    about(lockBalances, needs.projectIds),
    { sql: drawEntryIds, params: [] },
    about(selectKeys, needs.keyIds),
    about(
      selectSlots,
      slots.map(({ projectId }) => projectId),
      slots.map(({ digest }) => digest),
    ),
    about(selectCharges, needs.chargeIds),
    about(selectOrders, needs.orderIds),
    about(selectLots, needs.orderIds),
  ])) as [Balance[], { next: number }[], KeyStateRow[], ChargeRow[], ChargeRow[], OrderState[], { orderId: string }[]]
  return {
    balances,
    keys,
    charges: [...bySlot, ...byId],
    orders,
    creditedOrders: lots.map(({ orderId }) => orderId),
    nextEntryId: drawn!.next,
  }
}
