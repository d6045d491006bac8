import type { Value } from '../../../src/storage/engine.ts'
import type { Connection } from '../../../src/storage/sqlite/connection.ts'
import type { Image, Transaction } from './transaction.ts'

interface TableText {
  readonly select: string
  readonly remove: string
  readonly put: string
}

/**
 * Shows one transaction at a time: what is committed, and its own writes. Nothing is moved while no other one has a turn. Its rows are
 * kept as images, read and written by prepared statements: SQLite's changesets defer foreign keys by a pragma, at which every
 * statement of the connection is prepared again.
 */
export class Turns {
  readonly #db: Connection
  readonly #texts = new Map<string, TableText>()
  /** Null if the database shows what is committed. */
  #current: Transaction | null = null

  constructor(db: Connection) {
    this.#db = db
  }

  /** Gives a transaction its turn, or shows what is committed. */
  show(tx: Transaction | null): void {
    const before = this.#current
    if (before === tx) return
    if (before?.isOpen) {
      before.images = this.#imagesOf(before)
      this.#takeBack(before)
    }
    this.#current = tx
    if (!tx?.images) return
    this.#open(tx)
    this.#apply(tx.images)
    tx.images = null
  }

  prepareToWrite(tx: Transaction): void {
    this.show(tx)
    if (!tx.isOpen) this.#open(tx)
  }

  /** Makes its writes part of what is committed. */
  keep(tx: Transaction): void {
    if (!tx.isOpen && !tx.images) return
    this.show(tx)
    tx.isOpen = false
    this.#db.exec('RELEASE tx')
    this.#current = null
  }

  discard(tx: Transaction): void {
    if (tx.isOpen) this.#takeBack(tx)
    tx.images = null
    if (this.#current === tx) this.#current = null
  }

  #open(tx: Transaction): void {
    this.#db.exec('SAVEPOINT tx')
    tx.isOpen = true
  }

  #takeBack(tx: Transaction): void {
    tx.isOpen = false
    this.#db.exec('ROLLBACK TO tx')
    this.#db.exec('RELEASE tx')
  }

  #imagesOf({ writes }: Transaction): Image[] {
    return writes.map(([table, key]) => {
      const values = JSON.parse(key) as Value[]
      const row = this.#db.get<Record<string, Value>>(this.#textOf(table).select, values)
      return { table, key: values, values: row ? Object.values(row) : null }
    })
  }

  #apply(images: readonly Image[]): void {
    try {
      this.#write(images)
    } catch {
      // A row may refer to one that was written after it.
      this.#db.exec('ROLLBACK TO tx')
      this.#db.exec('PRAGMA defer_foreign_keys = ON')
      try {
        this.#write(images)
      } catch (error) {
        throw new Error('the writes of a transaction do not fit any more: a lock is missing in the model', {
          cause: error,
        })
      } finally {
        this.#db.exec('PRAGMA defer_foreign_keys = OFF')
      }
    }
  }

  /** Rows that are gone first: others may have their unique keys now. */
  #write(images: readonly Image[]): void {
    for (const { table, key, values } of images) if (!values) this.#db.all(this.#textOf(table).remove, key)
    for (const { table, values } of images) if (values) this.#db.all(this.#textOf(table).put, values)
  }

  #textOf(table: string): TableText {
    let text = this.#texts.get(table)
    if (!text) {
      const columns = this.#db.all<{ name: string; pk: number }>('SELECT name, pk FROM pragma_table_info($1)', [table])
      const primary = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
      const where = primary.map(({ name }, index) => `${name} = $${index + 1}`).join(' AND ')
      const names = columns.map(({ name }) => name)
      const others = columns.filter(({ pk }) => pk === 0).map(({ name }) => `${name} = excluded.${name}`)
      text = {
        select: `SELECT ${names.join(', ')} FROM ${table} WHERE ${where}`,
        remove: `DELETE FROM ${table} WHERE ${where}`,
        put: `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')})
          ON CONFLICT (${primary.map(({ name }) => name).join(', ')}) DO ${others.length > 0 ? `UPDATE SET ${others.join(', ')}` : 'NOTHING'}`,
      }
      this.#texts.set(table, text)
    }
    return text
  }
}
