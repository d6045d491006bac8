import type { Value } from '../../../src/storage/engine.ts'

/** A row as its transaction left it; no values if it is gone. */
export interface Image {
  readonly table: string
  readonly key: readonly Value[]
  readonly values: readonly Value[] | null
}

/** A transaction of the server. What it has written is in the database only while it has its turn. */
export class Transaction {
  /** How long its statements wait for a lock. */
  lockLimitMs: number
  readonly locks = new Set<string>()
  /** Rows it has written, by table: their keys as JSON. */
  readonly written = new Map<string, Set<string>>()
  /** Rows it has deleted, by table and key. A row that it inserts with the same key afterwards is another one. */
  readonly deleted = new Set<string>()
  isCommitted = false
  /** The rows it has written, in the order of their first writes. */
  readonly writes: (readonly [table: string, key: string])[] = []
  /** Whether its writes are in the database. */
  isOpen = false
  /** Its writes while another one has its turn. */
  images: readonly Image[] | null = null
  /** After a failed statement it can only be rolled back, and has no locks any more. */
  state: 'open' | 'failed' | 'over' = 'open'

  constructor(lockLimitMs: number) {
    this.lockLimitMs = lockLimitMs
  }

  wrote(table: string, key: string): void {
    const keys = this.written.get(table)
    if (keys?.has(key)) return
    this.writes.push([table, key])
    if (keys) keys.add(key)
    else this.written.set(table, new Set([key]))
  }

  hasWritten(table: string, key: string): boolean {
    return this.written.get(table)?.has(key) ?? false
  }
}
