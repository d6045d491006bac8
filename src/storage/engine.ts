/**
 * What a store can do, whichever program is behind it. Domain stores are written once against this, in portable SQL:
 * `$1` placeholders, TEXT / BIGINT / INTEGER columns, times in epoch milliseconds, `RETURNING`, `ON CONFLICT`.
 */
export interface Engine {
  /** Runs reads on one consistent snapshot. */
  read<T>(work: (tx: Reader) => Promise<T>): Promise<T>
  /** Runs one transaction: all of it is durable when the promise resolves, none of it when it rejects. */
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

/** A unique constraint refused a row. `constraint` is the name of the index or the columns. */
export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation'
}

/** The store cannot be reached or written to now: the caller may try again later. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}

/** The store is there but must not be used: newer than the program, half-migrated, or in use by another instance. */
export class StoreUnusable extends Error {
  override readonly name = 'StoreUnusable'
}
