import type { Balance, Command, OrderState } from '../../ledger/commands.ts'
import type { BookStore } from '../../ledger/ledger.ts'
import { type Changes, decide } from '../../ledger/rules.ts'
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
import type { Flights } from './flights.ts'
import type { PostgresEngine } from './postgres-engine.ts'

/** A batch of the books in two flights: lock and load, then save and commit; as many statements for 1 call as for 100. */
export function createPostgresBooks(engine: PostgresEngine): Pick<BookStore, 'apply' | 'rhythm'> {
  return {
    // A batch costs the server as many statements whatever its length, so these are longer; more than two only compete.
    rhythm: { fullBatch: 32, commitsAtOnce: 2 },
    apply: (commands) =>
      engine.inFlights(async (tx) => {
        const { results, changes } = decide(booksOf(await load(tx, commands)), commands)
        await save(tx, changes)
        return results
      }),
  }
}

// Locked in sorted order, so that two batches never deadlock; everything else of a project is guarded by this lock.
const lockBalances = `SELECT ${balanceColumns} FROM balances WHERE project_id = ANY($1::text[]) ORDER BY project_id FOR UPDATE`
const selectKeys = `SELECT ${keyStateColumns} FROM api_keys WHERE key_id = ANY($1::text[])`
const selectSlots = `SELECT ${chargeColumns} FROM unnest($1::text[], $2::text[]) AS wanted (project_id, digest)
  JOIN charges c ON c.project_id = wanted.project_id AND c.idempotency_digest = wanted.digest
  LEFT JOIN charge_results r ON r.charge_id = c.charge_id`
const selectCharges = `SELECT ${chargeColumns} FROM ${chargeTables} WHERE c.charge_id = ANY($1::text[])`
const selectOrders = `SELECT ${orderColumns} FROM orders WHERE order_id = ANY($1::text[])`
const selectLots = 'SELECT order_id AS "orderId" FROM credit_lots WHERE order_id = ANY($1::text[])'

async function load(tx: Flights, commands: readonly Command[]): Promise<LoadedRows> {
  const needs = needsOf(commands)
  const ask = async <R extends object>(sql: string, wanted: Iterable<string>, ...more: string[][]): Promise<R[]> => {
    const values = [...wanted]
    return values.length === 0 ? [] : (await tx.query<R>(sql, [values, ...more])).rows
  }
  const slots = [...needs.slots.values()]
  const [balances, keys, bySlot, byId, orders, lots] = await Promise.all([
    ask<Balance>(lockBalances, needs.projectIds),
    ask<KeyStateRow>(selectKeys, needs.keyIds),
    ask<ChargeRow>(
      selectSlots,
      slots.map(({ projectId }) => projectId),
      slots.map(({ digest }) => digest),
    ),
    ask<ChargeRow>(selectCharges, needs.chargeIds),
    ask<OrderState>(selectOrders, needs.orderIds),
    ask<{ orderId: string }>(selectLots, needs.orderIds),
  ])
  return { balances, keys, charges: [...bySlot, ...byId], orders, creditedOrders: lots.map(({ orderId }) => orderId) }
}

async function save(tx: Flights, changes: Changes): Promise<void> {
  const writes = bulkWritesOf(changes)
  await tx.together(() => Promise.all([...writes.map(({ sql, columns }) => tx.query(sql, columns)), tx.commit()]))
}
