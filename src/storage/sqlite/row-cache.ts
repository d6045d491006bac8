import { type Books, idempotencySlot } from '../../ledger/books.ts'
import type { Admit, Balance, ChargeRecord, Command, OrderState } from '../../ledger/commands.ts'
import {
  balanceColumns,
  chargeColumns,
  chargeTables,
  emptyBooks,
  type KeyStateRow,
  keepCharge,
  keyOf,
  keyStateColumns,
  type LoadedCharge,
} from '../books/book-rows.ts'
import { orderColumns } from '../stores/order-store.ts'
import type { Statements } from './connection.ts'

/**
 * Rows as the last batch of this connection left them: keys, balances and charges under way, which the next batches need
 * again. Saves a seventh of the worker's time. Valid while nobody else has written: `generation` changes with other
 * transactions of this connection, SQLite's data version with those of other connections.
 */
interface CachedBooks extends Books {
  readonly dataVersion: number
}

const cache = new WeakMap<object, CachedBooks>()

/** Everything that the commands need, read where it is not cached. */
export function loadBooks(db: Statements, commands: readonly Command[]): Books {
  const dataVersion = db.get<{ data_version: number }>('PRAGMA data_version')!.data_version
  let books = cache.get(db.generation)
  if (books?.dataVersion !== dataVersion) {
    books = { ...emptyBooks(db.get<{ next: number }>(selectNextEntry)!.next), dataVersion }
    cache.set(db.generation, books)
  }
  for (const command of commands) loadFor(db, books, command)
  return books
}

/** Keeps what the next batches will need: no charge that has ended, and a bounded number of rows. */
export function trimCache(db: Statements, books: Books, commands: readonly Command[]): void {
  for (const command of commands) {
    if (command.type === 'admit') dropEnded(books, books.slots.get(slotOf(command)))
    if (command.type === 'end') dropEnded(books, books.charges.get(command.chargeId))
  }
  books.orders.clear()
  books.creditedOrders.clear()
  if (Math.max(books.keys.size, books.balances.size, books.charges.size) > maxCached) cache.delete(db.generation)
}

const maxCached = 10_000

const selectNextEntry = 'SELECT COALESCE(MAX(entry_id), 0) + 1 AS next FROM ledger_entries'
const selectKey = `SELECT ${keyStateColumns} FROM api_keys WHERE key_id = $1`
const selectBalance = `SELECT ${balanceColumns} FROM balances WHERE project_id = $1`
const selectSlot = `SELECT ${chargeColumns} FROM ${chargeTables} WHERE c.project_id = $1 AND c.idempotency_digest = $2`
const selectCharge = `SELECT ${chargeColumns} FROM ${chargeTables} WHERE c.charge_id = $1`
const selectOrder = `SELECT ${orderColumns} FROM orders WHERE order_id = $1`
const selectLot = 'SELECT order_id AS "orderId" FROM credit_lots WHERE order_id = $1'

function loadFor(db: Statements, books: Books, command: Command): void {
  const { projectId } = command
  if (!books.balances.has(projectId)) {
    const balance = db.get<Balance>(selectBalance, [projectId])
    // Copied to a plain object: the rules are slower with SQLite's row objects.
    if (balance) books.balances.set(projectId, { ...balance })
  }
  switch (command.type) {
    case 'admit':
      loadKey(db, books, command.keyId)
      if (!books.slots.has(slotOf(command))) {
        loadCharge(db, books, selectSlot, [projectId, command.idempotencyDigest])
      }
      break
    case 'refuse':
      loadKey(db, books, command.keyId)
      break
    case 'end':
      if (!books.charges.has(command.chargeId)) loadCharge(db, books, selectCharge, [command.chargeId])
      break
    case 'credit': {
      const order = db.get<OrderState>(selectOrder, [command.orderId])
      if (order) books.orders.set(order.orderId, order)
      if (db.get(selectLot, [command.orderId])) books.creditedOrders.add(command.orderId)
    }
  }
}

function loadKey(db: Statements, books: Books, keyId: string): void {
  if (books.keys.has(keyId)) return
  const key = db.get<KeyStateRow>(selectKey, [keyId])
  if (key) books.keys.set(key.keyId, keyOf(key))
}

function loadCharge(db: Statements, books: Books, sql: string, params: readonly string[]): void {
  const row = db.get<LoadedCharge>(sql, params)
  if (row) keepCharge(books, row)
}

function dropEnded(books: Books, charge: ChargeRecord | undefined): void {
  if (!charge || charge.state === 'reserved') return
  books.charges.delete(charge.chargeId)
  if (charge.idempotencyDigest !== null) {
    books.slots.delete(idempotencySlot(charge.projectId, charge.idempotencyDigest))
  }
}

const slotOf = ({ projectId, idempotencyDigest }: Admit) => idempotencySlot(projectId, idempotencyDigest)
