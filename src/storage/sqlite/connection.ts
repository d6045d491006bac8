import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { StoreUnusable, UniqueViolation, type Value } from '../engine.ts'
import { translatePlaceholders } from '../sql-text.ts'
import type { Method } from '../transaction.ts'
import { sqliteCode } from './faults.ts'

/** What a procedure sees of the database: statements by their text, prepared once. */
export interface Statements {
  all<R extends object>(sql: string, params?: readonly Value[]): R[]
  get<R extends object>(sql: string, params?: readonly Value[]): R | undefined
  /** Answers the number of rows that changed. */
  run(sql: string, params?: readonly Value[]): number
  /** For values that go into columns as they are. There the column makes integers of numbers; converting them here is slow. */
  put(sql: string, values: readonly Value[]): void
  /** Stays the same object while nothing but committed procedures has used this connection. */
  readonly generation: object
}

/** Pages in the write-ahead log, and how many of them are copied into the database. */
export interface LogLength {
  readonly log: number
  readonly checkpointed: number
}

/** One connection of the worker, with its cache of prepared statements. */
export class Connection implements Statements {
  readonly database: DatabaseSync
  generation: object = {}
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
      // `Checkpoints` keeps the log short. A commit may look through all pages kept here, and what is not kept the system
      // has at hand, so that 4 MiB serve as well as 16.
      this.database.exec('PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -4096')
    }
  }

  all<R extends object>(sql: string, params: readonly Value[] = []): R[] {
    return this.#execute(sql, exactly(params), (statement, values) => statement.all(...values)) as unknown as R[]
  }

  get<R extends object>(sql: string, params: readonly Value[] = []): R | undefined {
    const row = this.#execute(sql, exactly(params), (statement, values) => statement.get(...values))
    return row as unknown as R | undefined
  }

  run(sql: string, params: readonly Value[] = []): number {
    return Number(this.#execute(sql, exactly(params), (statement, values) => statement.run(...values)).changes)
  }

  put(sql: string, values: readonly Value[]): void {
    // `get` makes no object that says what changed, which takes a fifth of the time of a short statement.
    this.#execute(sql, values, (statement, bound) => statement.get(...bound))
  }

  statement(method: Method, sql: string, params: readonly Value[]): unknown {
    return this[method](sql, params)
  }

  exec(sql: string): void {
    this.database.exec(sql)
  }

  commit(): void {
    this.beforeCommit()
    this.database.exec('COMMIT')
    this.afterCommit()
  }

  /**
   * Ends whatever transaction is open; SQLite itself has already ended it after some errors. Every use of this connection
   * but a committed procedure ends here, so what procedures remember of it is void.
   */
  rollback(): void {
    this.generation = {}
    if (this.database.isTransaction) this.database.exec('ROLLBACK')
  }

  /** NOOP only says how long the log is; PASSIVE copies what no open read still needs, and waits for nobody. */
  checkpoint(mode: 'NOOP' | 'PASSIVE'): LogLength {
    return this.get<LogLength>(`PRAGMA wal_checkpoint(${mode})`)!
  }

  /** Reads the level back only after a write: opening a WAL database is what may change it. */
  assertDurable(): void {
    this.claim()
    const { synchronous } = this.get<{ synchronous: number }>('PRAGMA synchronous') ?? {}
    const { journal_mode } = this.get<{ journal_mode: string }>('PRAGMA journal_mode') ?? {}
    if (synchronous !== 2 || journal_mode !== 'wal') {
      throw new StoreUnusable(
        `the SQLite database does not keep what it commits (synchronous ${synchronous}, journal ${journal_mode}); put it on a local disk`,
      )
    }
  }

  /** A real write that changes nothing: marks the file as the gateway's and shows that the disk takes writes. */
  claim(): void {
    const { application_id } = this.get<{ application_id: number }>('PRAGMA application_id') ?? {}
    if (application_id !== 0 && application_id !== applicationId) {
      throw new StoreUnusable('the SQLite file belongs to another program; name another file in DATABASE_URL')
    }
    this.database.exec(`PRAGMA application_id = ${applicationId}`)
  }

  close(): void {
    this.#prepared.clear()
    if (this.database.isOpen) this.database.close()
  }

  #execute<T>(sql: string, values: readonly Binding[], step: (s: StatementSync, v: readonly Binding[]) => T): T {
    const { statement, parameters } = this.#prepare(sql)
    // SQLite would take a missing value for NULL.
    if (values.length !== parameters) {
      throw new Error(`the statement has ${parameters} placeholders but was given ${values.length} values: ${sql}`)
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

  /** SQLite names the columns, PostgreSQL the index: the index's name serves both. */
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

/** node:sqlite binds a number as REAL, and then 7 / $1 is no integer and text gets '5.0'. */
const exactly = (params: readonly Value[]): Binding[] =>
  params.map((value) => (typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value))
