/**
 * What a store can do, whichever program is behind it. Domain stores are written once against this, in portable SQL:
 * `$1` placeholders, TEXT / BIGINT / INTEGER columns, times in epoch milliseconds, `RETURNING`, `ON CONFLICT`.
 * A comparison in a select list answers 0 or 1, a sum of integers is a number; an integer past 2^53 is an error.
 */
export interface Engine {
  /** Runs reads on one consistent snapshot, which is not older than the call. */
  read<T>(work: (tx: Reader) => Promise<T>): Promise<T>
  /**
   * Runs one transaction: all of it is durable when the promise resolves, none of it when it rejects
   * (but see `StoreUnavailable.mayHaveCommitted`). A statement that fails ends the transaction, even when `work`
   * catches its error. `work` may be run again from its start after a deadlock, so it touches nothing but `tx`.
   */
  write<T>(work: (tx: Writer) => Promise<T>): Promise<T>
  /** Resolves when the store answers and can be written to; rejects with StoreUnavailable otherwise. */
  check(): Promise<void>
  close(): Promise<void>
}

export type Value = string | number | null
export type Row = Record<string, Value>

export interface Reader {
  all<R extends object = Row>(sql: string, params?: readonly Value[]): Promise<R[]>
  get<R extends object = Row>(sql: string, params?: readonly Value[]): Promise<R | undefined>
}

/** Dead once its `write` has ended: a forgotten await fails loudly instead of writing outside the transaction. */
export interface Writer extends Reader {
  /** Answers the number of rows that changed. */
  run(sql: string, params?: readonly Value[]): Promise<number>
}

/** A unique constraint refused a row. */
export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation'
  /** The index's name, the same on every engine; a nameless one is `<table>_pkey` or `<table>_<column>_<column>_key`. */
  readonly constraint: string

  constructor(constraint: string, options?: ErrorOptions) {
    super(`a row with the same key exists already (${constraint})`, options)
    this.constraint = constraint
  }
}

/** The store cannot be reached or written to now: the caller may try again later. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
  /** True when the store was lost between being asked to commit and answering: only a look at the data can tell. */
  readonly mayHaveCommitted: boolean

  constructor(message: string, options: ErrorOptions & { mayHaveCommitted?: boolean } = {}) {
    super(message, options)
    this.mayHaveCommitted = options.mayHaveCommitted ?? false
  }
}

/** The store is there but must not be used: newer than the program, half-migrated, or in use by another instance. */
export class StoreUnusable extends Error {
  override readonly name = 'StoreUnusable'
}
