import type { Admit, Balance, Charge, Command, OrderState } from '../../ledger/commands.ts'
import { type Books, idempotencySlot } from '../../ledger/rules.ts'
import {
  balanceColumns,
  type ChargeRow,
  chargeColumns,
  chargeTables,
  emptyBooks,
  type KeyStateRow,
  keepCharge,
  keyOf,
  keyStateColumns,
} from '../book-rows.ts'
import { orderColumns } from '../order-store.ts'
import type { Statements } from './connection.ts'

/**
 * The books as the last batch of this connection left them. Keys, balances and charges under way are wanted again by the
 * next batches; reading them anew was a seventh of the worker's time. They are true as long as nobody else has written:
 * `generation` tells of this connection's other transactions, SQLite's data version of other connections.
 */
interface OpenBooks extends Books {
  readonly dataVersion: number
}

const opened = new WeakMap<object, OpenBooks>()

/** Everything that the commands need, loaded where it is not at hand. */
export function openBooks(db: Statements, commands: readonly Command[]): Books {
  const dataVersion = db.get<{ data_version: number }>('PRAGMA data_version')!.data_version
  let books = opened.get(db.generation)
  if (books?.dataVersion !== dataVersion) {
    books = { ...emptyBooks(db.get<{ next: number }>(selectNextEntry)!.next), dataVersion }
    opened.set(db.generation, books)
  }
  load(db, books, commands)
  return books
}

/** Keeps what the next batches will ask for: no charge that has ended, and no more than a bounded number of rows. */
export function putAside(db: Statements, books: Books, commands: readonly Command[]): void {
  for (const command of commands) {
    if (command.type === 'admit') forgetEnded(books, books.slots.get(slotOf(command)))
    if (command.type === 'end') forgetEnded(books, books.charges.get(command.chargeId))
  }
  books.orders.clear()
  books.creditedOrders.clear()
  if (Math.max(books.keys.size, books.balances.size, books.charges.size) > maxKept) opened.delete(db.generation)
}

const maxKept = 10_000

const selectNextEntry = 'SELECT COALESCE(MAX(entry_id), 0) + 1 AS next FROM ledger_entries'
const selectKey = `SELECT ${keyStateColumns} FROM api_keys WHERE key_id = $1`
const selectBalance = `SELECT ${balanceColumns} FROM balances WHERE project_id = $1`
const selectSlot = `SELECT ${chargeColumns} FROM ${chargeTables} WHERE c.project_id = $1 AND c.idempotency_digest = $2`
const selectCharge = `SELECT ${chargeColumns} FROM ${chargeTables} WHERE c.charge_id = $1`
const selectOrder = `SELECT ${orderColumns} FROM orders WHERE order_id = $1`
const selectLot = 'SELECT order_id AS "orderId" FROM credit_lots WHERE order_id = $1'

function load(db: Statements, books: Books, commands: readonly Command[]): void {
  for (const command of commands) {
    const { projectId } = command
    if (!books.balances.has(projectId)) {
      const balance = db.get<Balance>(selectBalance, [projectId])
      // As an object like any other: the rules are slower with those that SQLite's rows are made of.
      if (balance) books.balances.set(projectId, { ...balance })
    }
    switch (command.type) {
      case 'admit':
        loadForAdmit(db, books, command)
        break
      case 'end':
        if (!books.charges.has(command.chargeId)) {
          const row = db.get<ChargeRow>(selectCharge, [command.chargeId])
          if (row) keepCharge(books, row)
        }
        break
      case 'credit': {
        const order = db.get<OrderState>(selectOrder, [command.orderId])
        if (order) books.orders.set(order.orderId, order)
        if (db.get(selectLot, [command.orderId])) books.creditedOrders.add(command.orderId)
      }
    }
  }
}

function loadForAdmit(db: Statements, books: Books, command: Admit): void {
  if (!books.keys.has(command.keyId)) {
    const key = db.get<KeyStateRow>(selectKey, [command.keyId])
    if (key) books.keys.set(key.keyId, keyOf(key))
  }
  if (command.fault === null && !books.slots.has(slotOf(command))) {
    const row = db.get<ChargeRow>(selectSlot, [command.projectId, command.idempotencyDigest])
    if (row) keepCharge(books, row)
  }
}

function forgetEnded(books: Books, charge: Charge | undefined): void {
  if (!charge || charge.state === 'reserved') return
  books.charges.delete(charge.chargeId)
  if (charge.idempotencyDigest !== null) {
    books.slots.delete(idempotencySlot(charge.projectId, charge.idempotencyDigest))
  }
}

const slotOf = ({ projectId, idempotencyDigest }: Admit) => idempotencySlot(projectId, idempotencyDigest)
