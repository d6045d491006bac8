import type { Transaction } from './transaction.ts'

/** PostgreSQL's default `deadlock_timeout`: a wait that lasts this long looks for a cycle, once. */
export const deadlockTimeoutMs = 1000

/** An error as the server sends it. */
export const serverError = (code: string, message: string, more: object = {}): Error =>
  Object.assign(new Error(message), { code, severity: 'ERROR', ...more })

/** A statement that waits for the end of another transaction. */
interface Wait {
  readonly holder: Transaction
  readonly retry: () => void
  readonly fail: (error: Error) => void
  readonly timers: { isCancelled: boolean }[]
}

/** Time as the server sees it. */
export interface ServerTime {
  after(ms: number, work: () => void): { isCancelled: boolean }
}

/**
 * Which transaction has which row, and who waits for whom. A row has one mode: whoever has it, others wait for it. Unique keys
 * that a transaction writes are held as rows are. Waiters go on in the order in which they came.
 */
export class LockTable {
  readonly #time: ServerTime
  readonly #deadlockMs: number
  readonly #holders = new Map<string, Transaction>()
  /** In the order in which they began. */
  readonly #waits = new Map<Transaction, Wait>()

  constructor(time: ServerTime, deadlockMs = deadlockTimeoutMs) {
    this.#time = time
    this.#deadlockMs = deadlockMs
  }

  /** The other transaction that has it. */
  holderOf(key: string, tx: Transaction): Transaction | null {
    const holder = this.#holders.get(key)
    return holder === undefined || holder === tx ? null : holder
  }

  /** Whether a transaction other than this one has any lock. */
  hasOthers(tx: Transaction): boolean {
    return this.#holders.size > tx.locks.size
  }

  take(key: string, tx: Transaction): void {
    this.#holders.set(key, tx)
    tx.locks.add(key)
  }

  /** Whether two wait for the same transaction: PostgreSQL wakes both, and does not say which goes first. */
  get hasRivals(): boolean {
    return new Set([...this.#waits.values()].map(({ holder }) => holder)).size < this.#waits.size
  }

  wait(tx: Transaction, { holder, retry, fail }: Pick<Wait, 'holder' | 'retry' | 'fail'>): void {
    const timers = [
      this.#time.after(tx.lockLimitMs, () => this.#giveUp(tx, '55P03', 'canceling statement due to lock timeout')),
      this.#time.after(this.#deadlockMs, () => {
        if (this.#isInCycle(tx)) this.#giveUp(tx, '40P01', 'deadlock detected')
      }),
    ]
    this.#waits.set(tx, { holder, retry, fail, timers })
  }

  /** Ends the locks and the wait of a transaction, and lets those go on that wait for it. */
  release(tx: Transaction): void {
    this.#stopWaiting(tx)
    for (const key of tx.locks) this.#holders.delete(key)
    tx.locks.clear()
    const waiters = [...this.#waits].filter(([, { holder }]) => holder === tx)
    // Both at once: what the first does must not change the order of the others.
    for (const [waiter] of waiters) this.#stopWaiting(waiter)
    for (const [waiter, { retry }] of waiters) if (waiter.state === 'open') retry()
  }

  #stopWaiting(tx: Transaction): void {
    for (const timer of this.#waits.get(tx)?.timers ?? []) timer.isCancelled = true
    this.#waits.delete(tx)
  }

  #giveUp(tx: Transaction, code: string, message: string): void {
    const wait = this.#waits.get(tx)
    if (!wait) return
    this.#stopWaiting(tx)
    wait.fail(serverError(code, message))
  }

  #isInCycle(tx: Transaction): boolean {
    const seen = new Set<Transaction>()
    for (let at = this.#waits.get(tx)?.holder; at && !seen.has(at); at = this.#waits.get(at)?.holder) {
      if (at === tx) return true
      seen.add(at)
    }
    return false
  }
}
