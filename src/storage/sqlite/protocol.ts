import type { Value } from '../engine.ts'
import type { Method } from '../transaction.ts'
import type { LogSizes } from './checkpoints.ts'

/** The messages between the engine on the main thread and the worker that holds the database. */

export interface WorkerOptions {
  readonly file: string
  /** Of the file that an earlier worker had open: another one at its path is another store. */
  readonly identity?: string
  /** Module whose `procedures` the worker runs. */
  readonly procedures: string
  readonly logSizes: LogSizes
  readonly hasCheckpointer: boolean
  readonly busyTimeoutMs: number
  readonly transactionLimitMs: number
  readonly waitLimitMs: number
  readonly maxWaiting: number
}

export type Request = { readonly id: number } & (
  | {
      readonly kind: 'statement'
      readonly tx: number
      /** Set on a transaction's first statement, which opens it. */
      readonly begin?: 'read' | 'write'
      readonly method: Method
      readonly sql: string
      readonly params: readonly Value[]
    }
  | { readonly kind: 'commit' | 'rollback'; readonly tx: number }
  /** Ends a read; nothing hangs on it, so it is not answered. */
  | { readonly kind: 'end'; readonly tx: number }
  | { readonly kind: 'call'; readonly procedure: string; readonly input: unknown }
  | { readonly kind: 'check' }
  | { readonly kind: 'backup'; readonly path: string }
  | { readonly kind: 'close' }
)

export type Reply =
  | { readonly kind: 'ready'; readonly identity: string }
  | { readonly kind: 'failed'; readonly fault: Fault }
  | { readonly kind: 'done'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'refused'; readonly id: number; readonly fault: Fault }
  /** The worker ended a transaction by itself: it was open for too long. */
  | { readonly kind: 'lost'; readonly tx: number; readonly fault: Fault }

/** An error in a form that survives the way between threads; `faults.ts` makes it and turns it back. */
export interface Fault {
  readonly kind: 'unique' | 'unavailable' | 'unusable' | 'failure'
  readonly message: string
  readonly constraint?: string
  readonly stack?: string
}
