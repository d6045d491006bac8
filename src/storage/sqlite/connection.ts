import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { after, type Timer } from '../../base/timers.ts'
import { StoreUnavailable, StoreUnusable, UniqueViolation, type Value } from '../engine.ts'
import { translatePlaceholders } from '../sql-text.ts'
import type { Method } from '../transaction.ts'
import { sqliteCode } from './faults.ts'

/** The statements a procedure may run. Each SQL text is prepared once. */
export interface Statements {
  all<R extends object>(sql: string, params?: readonly Value[]): R[]
  get<R extends object>(sql: string, params?: readonly Value[]): R | undefined
  /** Returns the number of rows changed. */
  run(sql: string, params?: readonly Value[]): number
  /** A faster `run` for values stored unchanged: INTEGER columns convert whole numbers themselves. */
  put(sql: string, values: readonly Value[]): void
  /** Replaced whenever anything but a committed procedure has used the connection. */
  readonly generation: object
}

/** Pages in the write-ahead log, and how many of them are in the database already. */
export interface LogLength {
  readonly log: number
  readonly checkpointed: number
}

/** One of the worker's connections, with its prepared statements. */
export class Connection implements Statements {
  readonly database: DatabaseSync
  generation: object = {}
  /** Statements that wrote something, so far. */
  written = 0
  beforeCommit: () => void = () => {}
  afterCommit: () => void = () => {}
  readonly #prepared = new Map<string, { statement: StatementSync; parameters: number }>()

  constructor(file: string, options: { busyTimeoutMs: number; readOnly: boolean }) {
    this.database = new DatabaseSync(file, {
      timeout: options.busyTimeoutMs,
      readOnly: options.readOnly,
      enableForeignKeyConstraints: true,
    })
    if (!options.readOnly) {
      this.database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 16777216')
      // `Checkpoints` keeps the log short. A commit may scan the whole page cache, and the system caches the file too:
      // 4 MiB perform as well as 16.
      this.database.exec('PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -4096')
    }
  }

  all<R extends object>(sql: string, params: readonly Value[] = []): R[] {
    return this.#execute(sql, toBindings(params), (statement, values) => statement.all(...values)) as unknown as R[]
  }

  get<R extends object>(sql: string, params: readonly Value[] = []): R | undefined {
    const row = this.#execute(sql, toBindings(params), (statement, values) => statement.get(...values))
    return row as unknown as R | undefined
  }

  run(sql: string, params: readonly Value[] = []): number {
    this.written += 1
    return Number(this.#execute(sql, toBindings(params), (statement, values) => statement.run(...values)).changes)
  }

  put(sql: string, values: readonly Value[]): void {
    this.written += 1
    // `run` builds a result object, which takes a fifth of the time of a short statement; `get` does not.
    this.#execute(sql, values, (statement, bound) => statement.get(...bound))
  }

  statement(method: Method, sql: string, params: readonly Value[]): unknown {
    return this[method](sql, params)
  }

  /** One statement without values, prepared like every other: parsing `BEGIN` and `COMMIT` anew takes as long as running them. */
  exec(sql: string): void {
    this.#execute(sql, [], (statement) => statement.get())
  }

  commit(): void {
    this.beforeCommit()
    this.exec('COMMIT')
    this.afterCommit()
  }

  /**
   * Rolls back the open transaction, unless SQLite has already done so. Everything except a committed procedure ends here,
   * so it also invalidates the row cache.
   */
  rollback(): void {
    this.generation = {}
    if (this.database.isTransaction) this.exec('ROLLBACK')
  }

  /** NOOP only reads the log length; PASSIVE copies what no open read needs, without waiting; TRUNCATE also empties the log. */
  checkpoint(mode: 'NOOP' | 'PASSIVE' | 'TRUNCATE'): LogLength {
    return this.get<LogLength>(`PRAGMA wal_checkpoint(${mode})`)!
  }

  /** Numbers the states of the database, in its first page: after a crash, database and log must have matching numbers. */
  stamp(): void {
    const { user_version: number } = this.get<{ user_version: number }>('PRAGMA user_version')!
    this.database.exec(`PRAGMA user_version = ${number + 1}`)
  }

  /** Reads the settings after a write, because opening a WAL database may change them. */
  assertDurable(): void {
    this.markFile()
    const { synchronous } = this.get<{ synchronous: number }>('PRAGMA synchronous') ?? {}
    const { journal_mode } = this.get<{ journal_mode: string }>('PRAGMA journal_mode') ?? {}
    if (synchronous !== 2 || journal_mode !== 'wal') {
      throw new StoreUnusable(
        `the SQLite database is not durable (synchronous ${synchronous}, journal ${journal_mode}); put it on a local disk`,
      )
    }
  }

  /** Marks the file as the gateway's, which also proves that the disk accepts writes. */
  markFile(): void {
    const { application_id } = this.get<{ application_id: number }>('PRAGMA application_id') ?? {}
    if (application_id !== 0 && application_id !== applicationId) {
      throw new StoreUnusable('the SQLite file belongs to another program; name another file in DATABASE_URL')
    }
    this.database.exec(`PRAGMA application_id = ${applicationId}`)
  }

  /**
   * Makes the open transaction as large as a batch of the books, in the file and in the log. What was taken is free again for
   * all writers, and so the file grows only once.
   */
  takeRoom(): void {
    // SQLite writes pages that are freed only if it must overwrite them.
    this.database.exec('PRAGMA secure_delete = ON')
    try {
      this.database.exec(
        `CREATE TABLE room (filler BLOB); INSERT INTO room VALUES (zeroblob(${roomBytes})); DROP TABLE room`,
      )
    } finally {
      this.database.exec('PRAGMA secure_delete = OFF')
    }
  }

  close(): void {
    this.#prepared.clear()
    if (this.database.isOpen) this.database.close()
  }

  #execute<T>(sql: string, values: readonly Binding[], step: (s: StatementSync, v: readonly Binding[]) => T): T {
    const { statement, parameters } = this.#prepare(sql)
    // SQLite would bind NULL for a missing value.
    if (values.length !== parameters) {
      throw new Error(`the statement has ${parameters} placeholders but ${values.length} values: ${sql}`)
    }
    try {
      return step(statement, values)
    } catch (error) {
      throw sqliteCode(error) in uniqueCodes ? new UniqueViolation(this.#constraintOf(error as Error)) : error
    }
  }

  #prepare(sql: string) {
    const known = this.#prepared.get(sql)
    if (known) return known
    const { sql: translated, parameters } = translatePlaceholders(sql)
    const prepared = { statement: this.database.prepare(translated), parameters }
    if (this.#prepared.size >= maxPrepared) this.#prepared.delete(this.#prepared.keys().next().value as string)
    this.#prepared.set(sql, prepared)
    return prepared
  }

  /** The index's name, as PostgreSQL reports it; SQLite reports the columns. */
  #constraintOf({ message }: Error): string {
    const byName = /index '(.+)'/.exec(message)?.[1]
    if (byName) return byName
    const columns = (/failed: (.+)$/.exec(message)?.[1] ?? '').split(', ').map((column) => column.split('.'))
    const table = columns[0]?.[0] ?? ''
    const names = columns.map((column) => column[1] ?? '').join('_')
    const index = this.all<{ name: string; origin: string; columns: string }>(uniqueIndexes, [table]).find(
      (candidate) => candidate.columns === names,
    )
    if (index?.origin === 'c') return index.name
    return index?.origin === 'u' ? `${table}_${names}_key` : `${table}_pkey`
  }
}

const maxPrepared = 500
/** A page for each command of the largest batch. */
const roomBytes = 256 * 4096
const applicationId = 0x47_57_41_59
/** SQLITE_CONSTRAINT_UNIQUE, _PRIMARYKEY and _ROWID. */
const uniqueCodes: Readonly<Record<number, true>> = { 2067: true, 1555: true, 2579: true }

const uniqueIndexes = `
  SELECT list.name, list.origin,
         (SELECT group_concat(info.name, '_' ORDER BY info.seqno) FROM pragma_index_info(list.name) AS info) AS columns
    FROM pragma_index_list($1) AS list
   WHERE list."unique" = 1
   ORDER BY list.origin`

type Binding = Value | bigint

/** node:sqlite binds numbers as REAL: 7 / $1 would not be an integer, and 5 in a text column would be '5.0'. */
const toBindings = (params: readonly Value[]): Binding[] =>
  params.map((value) => (typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value))

/** Exclusive use of a connection until it is released. */
export interface ConnectionGrant {
  readonly connection: Connection
  /** Grants the connection to the next in the queue. May be called twice. */
  readonly release: () => void
}

interface LockQueueLimits {
  readonly maxWaiting: number
  readonly waitLimitMs: number
}

interface Waiter {
  readonly onGranted: (grant: ConnectionGrant) => void
  readonly timer: Timer
}

/** Grants connections, first come, first served: the single writer, or one of the readers. Bounds the queue and the wait. */
export class LockQueue {
  readonly #idle: Connection[]
  readonly #waiting: Waiter[] = []
  readonly #limits: LockQueueLimits
  #isGranting = false

  constructor(connections: readonly Connection[], limits: LockQueueLimits) {
    this.#idle = [...connections]
    this.#limits = limits
  }

  /** Calls `onGranted` when a connection is free, possibly at once, or `onRefused` if the queue is full or too slow. */
  acquire(onGranted: (grant: ConnectionGrant) => void, onRefused: (error: Error) => void): void {
    const connection = this.#waiting.length === 0 ? this.#idle.pop() : undefined
    if (connection) {
      onGranted(this.#grant(connection))
      return
    }
    if (this.#waiting.length >= this.#limits.maxWaiting) {
      onRefused(
        new StoreUnavailable(`${this.#waiting.length} transactions are already waiting for the SQLite database`),
      )
      return
    }
    const waiter: Waiter = {
      onGranted,
      timer: after(this.#limits.waitLimitMs, () => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1)
        onRefused(
          new StoreUnavailable(`timed out after ${this.#limits.waitLimitMs} ms waiting for the SQLite database`),
        )
      }),
    }
    this.#waiting.push(waiter)
  }

  #grantNext() {
    // A loop, because recursion would overflow the stack when thousands of waiters release at once.
    if (this.#isGranting) return
    this.#isGranting = true
    while (this.#idle.length > 0 && this.#waiting.length > 0) {
      const next = this.#waiting.shift()!
      next.timer.cancel()
      next.onGranted(this.#grant(this.#idle.pop()!))
    }
    this.#isGranting = false
  }

  #grant(connection: Connection): ConnectionGrant {
    let isReleased = false
    return {
      connection,
      release: () => {
        if (isReleased) return
        isReleased = true
        this.#idle.push(connection)
        this.#grantNext()
      },
    }
  }
}
