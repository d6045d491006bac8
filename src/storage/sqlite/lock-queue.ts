import { StoreUnavailable } from '../engine.ts'
import type { Connection } from './connection.ts'

/** Exclusive use of a connection until it is released. */
export interface ConnectionGrant {
  readonly connection: Connection
  /** Grants the connection to the next in the queue. May be called twice. */
  readonly release: () => void
}

export interface LockQueueLimits {
  readonly maxWaiting: number
  readonly waitLimitMs: number
}

interface Waiter {
  readonly onGranted: (grant: ConnectionGrant) => void
  readonly timer: NodeJS.Timeout
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

  /** Calls `onGranted` when a connection is free, possibly immediately, or `onRefused` if the queue is full or too slow. */
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
      timer: setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1)
        onRefused(
          new StoreUnavailable(`timed out after ${this.#limits.waitLimitMs} ms waiting for the SQLite database`),
        )
      }, this.#limits.waitLimitMs),
    }
    this.#waiting.push(waiter)
  }

  #grantNext() {
    // A loop, because recursion would overflow the stack when thousands of waiters release at once.
    if (this.#isGranting) return
    this.#isGranting = true
    while (this.#idle.length > 0 && this.#waiting.length > 0) {
      const next = this.#waiting.shift()!
      clearTimeout(next.timer)
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
