import type { Connection } from '../../../src/storage/sqlite/connection.ts'
import type { Transaction } from './transaction.ts'

/** Shows one transaction at a time: what is committed, and its own writes. Nothing is moved while no other one has a turn. */
export class Turns {
  readonly #db: Connection
  /** Null if the database shows what is committed. */
  #current: Transaction | null = null

  constructor(db: Connection) {
    this.#db = db
  }

  /** Gives a transaction its turn, or shows what is committed. */
  show(tx: Transaction | null): void {
    const before = this.#current
    if (before === tx) return
    if (before?.session) {
      before.changes = before.session.changeset()
      this.#takeBack(before)
    }
    this.#current = tx
    if (!tx?.changes) return
    this.#open(tx)
    if (tx.changes.length > 0 && !this.#db.database.applyChangeset(tx.changes))
      throw new Error('the writes of a transaction do not fit any more: a lock is missing in the model')
    tx.changes = null
  }

  prepareToWrite(tx: Transaction): void {
    this.show(tx)
    if (!tx.session) this.#open(tx)
  }

  /** Makes its writes part of what is committed. */
  keep(tx: Transaction): void {
    if (!tx.session && !tx.changes) return
    this.show(tx)
    tx.session!.close()
    tx.session = null
    this.#db.exec('RELEASE tx')
    this.#current = null
  }

  discard(tx: Transaction): void {
    if (tx.session) this.#takeBack(tx)
    tx.changes = null
    if (this.#current === tx) this.#current = null
  }

  #open(tx: Transaction): void {
    this.#db.exec('SAVEPOINT tx')
    tx.session = this.#db.database.createSession()
  }

  #takeBack(tx: Transaction): void {
    tx.session!.close()
    tx.session = null
    this.#db.exec('ROLLBACK TO tx')
    this.#db.exec('RELEASE tx')
  }
}
