import type { Session } from 'node:sqlite'

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
  /** Records its writes while it has its turn. */
  session: Session | null = null
  /** Its writes while another one has its turn. */
  changes: Uint8Array | null = null
  /** After a failed statement it can only be rolled back, and has no locks any more. */
  state: 'open' | 'failed' | 'over' = 'open'

  constructor(lockLimitMs: number) {
    this.lockLimitMs = lockLimitMs
  }

  wrote(table: string, key: string): void {
    const keys = this.written.get(table)
    if (keys) keys.add(key)
    else this.written.set(table, new Set([key]))
  }

  hasWritten(table: string, key: string): boolean {
    return this.written.get(table)?.has(key) ?? false
  }
}
