import { strict as assert } from 'node:assert'
import type { Balance, Command, OrderState, Result } from '../../ledger/commands.ts'
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
import { UniqueViolation } from '../engine.ts'
import { orderColumns } from '../order-store.ts'
import { bulkWritesOf } from './bulk-writes.ts'
import { isStale } from './faults.ts'
import type { Flights, Statement } from './flights.ts'
import { type Guess, isSure, KeptBooks } from './kept-books.ts'
import type { PostgresEngine } from './postgres-engine.ts'
import { stateWrites, sureStateWrites } from './state-writes.ts'

/**
 * A batch of the books in one flight where its rows are remembered and still so; else in two, lock and load, then save and
 * commit. As many statements for 1 call as for 100.
 */
export function createPostgresBooks(engine: PostgresEngine): Pick<BookStore, 'apply' | 'rhythm'> {
  const kept = new KeptBooks()

  async function applyLoaded(commands: readonly Command[]): Promise<Result[]> {
    return engine.inFlights(async (tx) => {
      const books = booksOf(await load(tx, commands))
      const { results, changes } = decide(books, commands)
      const rows = await tx.commit([...stateWrites(changes), ...bulkWritesOf(changes), drawEntryIds])
      kept.keep(books, changes, drawnOf(rows))
      return results
    })
  }

  /** Null when the rows are not at hand, or not as they were. */
  async function applyGuessed(commands: readonly Command[], guess: Guess): Promise<Result[] | null> {
    const { results, changes } = decide(guess.books, commands)
    if (!results.every(isSure)) return null
    try {
      const writes = [...sureStateWrites(changes, guess), ...bulkWritesOf(changes), drawEntryIds]
      const rows = await engine.inFlights((tx) => tx.commit(writes))
      kept.keep(guess.books, changes, drawnOf(rows))
      kept.wasRight()
      return results
    } catch (error) {
      if (!isStale(error) && !(error instanceof UniqueViolation)) throw error
      kept.wasWrong()
      return null
    }
  }

  return {
    // A batch costs the server as many statements whatever its length, so these are longer, and those of one kind need fewer.
    // Beside another of its projects it could not be guessed and would wait for the locks.
    rhythm: { fullBatch: 32, commitsAtOnce: 2, isSorted: true },
    async apply(commands) {
      assert(commands.length <= largestBatch, 'a batch has more commands than it draws ids for their entries')
      const guess = kept.guess(commands)
      return kept.during(
        commands,
        async () => (guess && (await applyGuessed(commands, guess))) ?? (await applyLoaded(commands)),
      )
    },
  }
}

// As many as a batch can have commands, each of which makes one entry at most. The ids of a project rise with its numbers,
// whoever writes them: a batch that loads draws them under its locks, one that guesses takes none from before the last entry.
const drawEntryIds: Statement = { sql: "SELECT nextval('ledger_entry_ids') AS next" }
const drawnOf = (rows: readonly object[][]): number => (rows.at(-1) as [{ next: number }])[0].next

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
    drawEntryIds,
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
