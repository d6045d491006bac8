import type { Value } from '../../../src/storage/engine.ts'
import type { Connection } from '../../../src/storage/sqlite/connection.ts'
import type { LockTable } from './locks.ts'
import type { Shape } from './shapes.ts'
import type { Transaction } from './transaction.ts'
import { type KeyedRow, targetsIn } from './values.ts'

/** A statement needs a key that another transaction has. */
export class Blocked {
  readonly holder: Transaction
  readonly shape: Shape
  /** The row that it waits for; null for a new row, or a key of an index. */
  readonly row: string | null
  /** All rows that it wanted, as JSON. */
  readonly targets: string | null

  constructor(holder: Transaction, shape: Shape, row: string | null, targets: string | null = null) {
    this.holder = holder
    this.shape = shape
    this.row = row
    this.targets = targets
  }
}

/** Finds out which rows and keys a statement needs, and takes them. */
export class Conflicts {
  readonly #db: Connection
  readonly #locks: LockTable

  constructor(db: Connection, locks: LockTable) {
    this.#db = db
    this.#locks = locks
  }

  /** Takes the keys of the rows, up to the first that another transaction has. */
  takeKeys(tx: Transaction, shape: Shape, rows: readonly object[]): Blocked | null {
    for (const row of rows) {
      for (const [index, name] of shape.keyNames.entries()) {
        const key = (row as KeyedRow)[`~${index}`]
        if (key === null || key === undefined) continue
        const holder = this.#locks.holderOf(`${name}:${key}`, tx)
        if (holder) return new Blocked(holder, shape, index === 0 && shape.kind !== 'insert' ? key : null)
        this.#locks.take(`${name}:${key}`, tx)
        // Also before a wait: PostgreSQL has changed the rows up to there.
        if (index === 0 && shape.kind !== 'lock') tx.wrote(name, key)
        if (index === 0 && shape.kind === 'delete') tx.deleted.add(`${name}:${key}`)
      }
    }
    return null
  }

  /** After a wait: takes the row that it was for, if there is still one. */
  takeRow(tx: Transaction, { shape, row, holder: before }: Blocked): Blocked | null {
    if (row === null) return null
    const key = `${shape.table}:${row}`
    if (before.isCommitted && before.deleted.has(key)) return null
    const holder = this.#locks.holderOf(key, tx)
    if (holder) return new Blocked(holder, shape, row)
    if (this.#ownerOf(shape, 0, row) !== undefined) this.#locks.take(key, tx)
    return null
  }

  /**
   * For a new row that meets another, or a new key: who is changing the row that is in the way. It is there for this transaction,
   * and may be gone when the other one ends. Indexes are asked in the order in which PostgreSQL asks them.
   */
  inTheWay(tx: Transaction, shape: Shape, values: readonly Value[]): Blocked | null {
    const rows = this.#probe(shape, values)
    const targets = targetsIn(rows)
    for (const row of rows) {
      for (const [index, name] of shape.keyNames.entries()) {
        const key = row[`~${index}`]
        if (key === null || key === undefined) continue
        const isNew = index > 0 || shape.kind === 'insert'
        const holder = this.#locks.holderOf(`${name}:${key}`, tx)
        // A row that is only locked stays, and so does the conflict.
        if (holder && (index > 0 || !isNew || holder.hasWritten(name, key)))
          return new Blocked(holder, shape, isNew ? null : key, targets)
        const owner = isNew ? this.#ownerOf(shape, index, key) : undefined
        if (owner === undefined || (shape.kind === 'update' && owner === row['~0'])) {
          // PostgreSQL has written the row and its entries in the indexes before.
          if (!shape.doesNothing) this.#locks.take(`${name}:${key}`, tx)
          if (!shape.doesNothing && index === 0) tx.wrote(name, key)
          continue
        }
        const writer = this.#locks.holderOf(`${shape.table}:${owner}`, tx)
        // A row that stays is a conflict, whatever the next index would say.
        return writer?.hasWritten(shape.table, owner) ? new Blocked(writer, shape, null, targets) : null
      }
    }
    return null
  }

  #ownerOf(shape: Shape, index: number, key: string): string | undefined {
    return this.#db.get<KeyedRow>(shape.ownersOfKeys[index]!, JSON.parse(key))?.['~0']
  }

  #probe(shape: Shape, values: readonly Value[]): KeyedRow[] {
    if (shape.probeReads) return this.#db.all<KeyedRow>(shape.probe!, values)
    // Rare, because the pragma makes SQLite prepare every statement again.
    this.#db.exec('SAVEPOINT probe')
    this.#db.exec('PRAGMA defer_foreign_keys = ON')
    try {
      return this.#db.all<KeyedRow>(shape.probe!, values)
    } finally {
      this.#db.exec('ROLLBACK TO probe')
      this.#db.exec('RELEASE probe')
      this.#db.exec('PRAGMA defer_foreign_keys = OFF')
    }
  }
}
