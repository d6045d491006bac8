import type { BaseLogger } from 'pino'
import { afterPendingInput } from '../base/after-pending-input.ts'
import { after } from '../base/timers.ts'

/**
 * A database, SQLite or PostgreSQL. The stores are written once, in portable SQL: `$1` placeholders, TEXT / BIGINT / INTEGER
 * columns, times in epoch milliseconds, `RETURNING`, `ON CONFLICT`. A selected comparison is 0 or 1, a sum of integers is a
 * number, and an integer past 2^53 is an error.
 */
export interface Engine {
  /** Runs `work` on one consistent snapshot, taken after the call. */
  read<T>(work: (tx: Reader) => Promise<T>): Promise<T>
  /**
   * Runs `work` as one transaction, which is durable when the promise resolves and rolled back when it rejects
   * (but see `StoreUnavailable.mayHaveCommitted`). A failed statement ends the transaction, even if `work` catches the error.
   * After a deadlock `work` runs again, so it must not change anything but `tx`.
   */
  write<T>(work: (tx: Writer) => Promise<T>): Promise<T>
  /**
   * Resolves if the store accepts writes; otherwise rejects with `StoreUnavailable`. With `needsRoom` it commits something as
   * large as a batch of the books, and leaves nothing behind.
   */
  check(options?: { readonly needsRoom: boolean }): Promise<void>
  /** See `writeScript`. */
  script?(statements: readonly ScriptStatement[]): Promise<boolean>
  close(): Promise<void>
}

export interface ScriptStatement {
  readonly sql: string
  readonly params: readonly Value[]
  /** If it changes no row, nothing of its script is written. */
  readonly mustChange?: true
}

/**
 * Runs statements as one transaction. On SQLite they travel as one message: while a transaction waits for its next statement, every
 * call waits for the transaction. False if one of them changed no row although it must, and nothing was written.
 */
export async function writeScript(
  engine: Pick<Engine, 'write' | 'script'>,
  statements: readonly ScriptStatement[],
): Promise<boolean> {
  if (engine.script) return engine.script(statements)
  const unchanged = Symbol()
  return engine
    .write(async (tx) => {
      for (const { sql, params, mustChange } of statements) {
        const changed = await tx.run(sql, params)
        if (mustChange && changed === 0) throw unchanged
      }
      return true
    })
    .catch((error) => {
      if (error === unchanged) return false
      throw error
    })
}

export type Value = string | number | null
export type Row = Record<string, Value>

export interface Reader {
  all<R extends object = Row>(sql: string, params?: readonly Value[]): Promise<R[]>
  get<R extends object = Row>(sql: string, params?: readonly Value[]): Promise<R | undefined>
}

/** Unusable after its `write` has ended: a forgotten await throws instead of writing outside the transaction. */
export interface Writer extends Reader {
  /** Returns the number of rows changed. */
  run(sql: string, params?: readonly Value[]): Promise<number>
}

export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation'
  /** The index's name, the same on both engines; unnamed ones are `<table>_pkey` or `<table>_<column>_<column>_key`. */
  readonly constraint: string

  constructor(constraint: string, options?: ErrorOptions) {
    super(`a row with the same key already exists (${constraint})`, options)
    this.constraint = constraint
  }
}

/** The store cannot be reached or written to; trying again later may succeed. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
  /** True if the store was lost during a commit: only the data can tell whether it happened. */
  readonly mayHaveCommitted: boolean

  constructor(message: string, options: ErrorOptions & { mayHaveCommitted?: boolean } = {}) {
    super(message, options)
    this.mayHaveCommitted = options.mayHaveCommitted ?? false
  }
}

/** The store must not be used: it is newer than the program, half-migrated, or in use by another instance. */
export class StoreUnusable extends Error {
  override readonly name = 'StoreUnusable'
}

/** A promise that rejects with `StoreUnavailable` after `limitMs`. */
export function deadline(limitMs: number, message: string): { expired: Promise<never>; stop: () => void } {
  const { promise, reject } = Promise.withResolvers<never>()
  promise.catch(() => {})
  const timer = after(limitMs, () => afterPendingInput(() => reject(new StoreUnavailable(message))))
  return { expired: promise, stop: () => timer.cancel() }
}

/** The part of a pino logger that storage uses. */
export type Logger = Pick<BaseLogger, 'info' | 'warn' | 'error'>
