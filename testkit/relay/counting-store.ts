import { serialize } from 'node:v8'
import type { Command } from '../../src/ledger/commands.ts'
import type { Reader, ScriptStatement, Value, Writer } from '../../src/storage/engine.ts'
import { applyBatch } from '../../src/storage/sqlite/batch.ts'
import { Connection } from '../../src/storage/sqlite/connection.ts'
import type { AppliedBatch } from '../../src/storage/sqlite/protocol.ts'
import type { EmbeddedEngine } from '../../src/storage/sqlite/sqlite-engine.ts'
import { transact } from '../../src/storage/transaction.ts'

/** What the store did, in figures that are the same on every machine. */
export interface StoreCounts {
  statements: number
  /** Rows written, by table. */
  readonly rows: Record<string, number>
  /** Of the values written: a number counts 8. */
  bytesWritten: number
  commits: number
  /** Pages of the write-ahead log. */
  pages: number
  /** Between the event loop and the store's thread, in both directions. */
  messages: number
  messageBytes: number
}

class CountingConnection extends Connection {
  counts: StoreCounts = noCounts()

  override all<R extends object>(sql: string, params: readonly Value[] = []): R[] {
    this.#count(sql, params)
    return super.all<R>(sql, params)
  }

  override get<R extends object>(sql: string, params: readonly Value[] = []): R | undefined {
    this.#count(sql, params)
    return super.get<R>(sql, params)
  }

  override run(sql: string, params: readonly Value[] = []): number {
    this.#count(sql, params)
    return super.run(sql, params)
  }

  override put(sql: string, values: readonly Value[]): void {
    this.#count(sql, values)
    super.put(sql, values)
  }

  #count(sql: string, values: readonly Value[]): void {
    if (sql.startsWith('PRAGMA wal_checkpoint')) return
    this.counts.statements += 1
    const table = /^\s*(?:INSERT INTO|UPDATE|DELETE FROM) (\w+)/.exec(sql)?.[1]
    if (table === undefined) return
    this.counts.rows[table] = (this.counts.rows[table] ?? 0) + 1
    for (const value of values) {
      if (value !== null) this.counts.bytesWritten += typeof value === 'string' ? Buffer.byteLength(value) : 8
    }
  }
}

/** The embedded store in this thread, with the messages that it would take counted. */
export class CountingStore implements EmbeddedEngine {
  readonly kind = 'sqlite'
  readonly isShared = false
  readonly #db: CountingConnection
  #logPages = 0
  #turn: Promise<unknown> = Promise.resolve()

  constructor(file: string) {
    this.#db = new CountingConnection(file, { busyTimeoutMs: 2000, readOnly: false })
  }

  /** The counts since the last time. */
  take(): StoreCounts {
    const { counts } = this.#db
    this.#db.counts = noCounts()
    return counts
  }

  read<T>(work: (tx: Reader) => Promise<T>): Promise<T> {
    return this.#transaction('read', work)
  }

  write<T>(work: (tx: Writer) => Promise<T>): Promise<T> {
    return this.#transaction('write', work)
  }

  async call(_name: 'applyBatch', commands: readonly Command[]): Promise<AppliedBatch> {
    return this.#inTurn(async () => {
      this.#exec('BEGIN IMMEDIATE')
      const applied = applyBatch(this.#db, structuredClone(commands))
      this.#commit()
      this.#message({ kind: 'call', procedure: 'applyBatch', input: commands, id: 1 })
      this.#message({ kind: 'done', id: 1, value: applied })
      return applied
    })
  }

  async script(statements: readonly ScriptStatement[]): Promise<boolean> {
    return this.#inTurn(async () => {
      this.#exec('BEGIN IMMEDIATE')
      const isUnchanged = statements.some(
        ({ sql, params, mustChange }) => this.#db.run(sql, params) === 0 && mustChange,
      )
      if (isUnchanged) this.#db.rollback()
      else this.#commit()
      this.#db.generation = {}
      return !isUnchanged
    })
  }

  check = async (): Promise<void> => {}
  backup = (): Promise<void> => Promise.reject(new Error('this store is not copied'))

  async close(): Promise<void> {
    await this.#turn
    this.#db.close()
  }

  #transaction<T>(mode: 'read' | 'write', work: (tx: Writer) => Promise<T>): Promise<T> {
    return this.#inTurn(() => {
      this.#exec(mode === 'write' ? 'BEGIN IMMEDIATE' : 'BEGIN')
      return transact(work, {
        execute: async (method, sql, params) => {
          const value = this.#db.statement(method, sql, params)
          this.#message({ kind: 'statement', method, sql, params, id: 1 })
          this.#message({ kind: 'done', id: 1, value })
          return value
        },
        commit: async () => {
          if (mode === 'write') this.#commit()
          this.#db.rollback()
        },
        rollback: async () => this.#db.rollback(),
      })
    })
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work)
    this.#turn = result.catch(() => {})
    return result
  }

  #exec(sql: string): void {
    this.#db.exec(sql)
  }

  #commit(): void {
    this.#db.commit()
    this.#db.counts.commits += 1
    const { log } = this.#db.checkpoint('NOOP')
    this.#db.counts.pages += log - this.#logPages
    this.#logPages = log
  }

  #message(message: object): void {
    this.#db.counts.messages += 1
    this.#db.counts.messageBytes += serialize(message).length
  }
}

const noCounts = (): StoreCounts => ({
  statements: 0,
  rows: {},
  bytesWritten: 0,
  commits: 0,
  pages: 0,
  messages: 0,
  messageBytes: 0,
})
