import type { CommandResult } from '../../ledger/commands.ts'
import type { ScriptStatement, Value } from '../engine.ts'
import type { Method } from '../transaction.ts'

/** Messages between the engine on the main thread and the worker that has the database open. */

export interface WorkerOptions {
  readonly file: string
  /** Device and inode of the file that the previous worker had open: a restart must find the same file. */
  readonly identity?: string
  /** Module whose `procedures` the worker runs; null for a worker that only reads. */
  readonly procedures: string | null
  readonly logSizes: LogSizes
  readonly hasCheckpointer: boolean
  /** False if another process has the store open, and so has checked it. */
  readonly isFirst: boolean
  readonly busyTimeoutMs: number
  readonly transactionLimitMs: number
  readonly waitLimitMs: number
  readonly maxWaiting: number
}

/** Lengths of the write-ahead log, in pages of 4 KiB. */
export interface LogSizes {
  /** Growth after which the log is copied into the database. */
  readonly copyPages: number
  /** Length from which the log starts over once all of it is copied. */
  readonly restartPages: number
  /** Growth after which the writer itself copies the log, because the checkpointer is missing or too slow. */
  readonly limitPages: number
}

export type Request = { readonly id: number } & (
  | {
      readonly kind: 'statement'
      readonly tx: number
      /** Set on the first statement, which begins the transaction. */
      readonly begin?: 'read' | 'write'
      readonly method: Method
      readonly sql: string
      readonly params: readonly Value[]
    }
  | { readonly kind: 'commit' | 'rollback'; readonly tx: number }
  /** Ends a read. The worker sends nothing back. */
  | { readonly kind: 'end'; readonly tx: number }
  | { readonly kind: 'call'; readonly procedure: string; readonly input: unknown }
  | { readonly kind: 'script'; readonly statements: readonly ScriptStatement[] }
  | { readonly kind: 'check'; readonly needsRoom: boolean }
  | { readonly kind: 'backup'; readonly path: string }
  | { readonly kind: 'close' }
)

export type WorkerMessage =
  | { readonly kind: 'ready'; readonly identity: string }
  | { readonly kind: 'failed'; readonly fault: Fault }
  | { readonly kind: 'done'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'refused'; readonly id: number; readonly fault: Fault }
  /** The worker rolled back a transaction that was open too long. */
  | { readonly kind: 'lost'; readonly tx: number; readonly fault: Fault }

/** What the worker returns for a batch of the books. */
export interface AppliedBatch {
  readonly results: CommandResult[]
  readonly hasEvents: boolean
}

/** An error that can be sent between threads; `faults.ts` converts both ways. */
export interface Fault {
  readonly kind: 'unique' | 'unavailable' | 'unusable' | 'failure'
  readonly message: string
  readonly constraint?: string
  readonly stack?: string
}
