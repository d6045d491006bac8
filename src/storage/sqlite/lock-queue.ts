import { StoreUnavailable } from '../engine.ts'
import type { Connection } from './connection.ts'

/** The use of one connection, until `end`. */
export interface Turn {
  readonly connection: Connection
  /** Gives the connection to the next in line. Safe to call again. */
  readonly end: () => void
}

export interface TurnLimits {
  readonly maxWaiting: number
  readonly waitLimitMs: number
}

interface Waiting {
  readonly start: (turn: Turn) => void
  readonly timer: NodeJS.Timeout
}

/** Hands out connections in order of arrival: the one of the writer, or those of the readers. Bounded in length and time. */
export class LockQueue {
  readonly #idle: Connection[]
  readonly #waiting: Waiting[] = []
  readonly #limits: TurnLimits
  #isPassing = false

  constructor(connections: readonly Connection[], limits: TurnLimits) {
    this.#idle = [...connections]
    this.#limits = limits
  }

  /** Calls `start` when a connection is free, which may be at once, or `refuse` when it takes too long. */
  take(start: (turn: Turn) => void, refuse: (error: Error) => void): void {
    const connection = this.#waiting.length === 0 ? this.#idle.pop() : undefined
    if (connection) {
      start(this.#turn(connection))
      return
    }
    if (this.#waiting.length >= this.#limits.maxWaiting) {
      refuse(new StoreUnavailable(`${this.#waiting.length} transactions are waiting for the SQLite database already`))
      return
    }
    const entry: Waiting = {
      start,
      timer: setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(entry), 1)
        refuse(new StoreUnavailable(`waited ${this.#limits.waitLimitMs} ms for a turn at the SQLite database`))
      }, this.#limits.waitLimitMs),
    }
    this.#waiting.push(entry)
  }

  #pass() {
    // A loop, not recursion: ten thousand waiting calls that end at once would overflow the stack.
    if (this.#isPassing) return
    this.#isPassing = true
    while (this.#idle.length > 0 && this.#waiting.length > 0) {
      const next = this.#waiting.shift()!
      clearTimeout(next.timer)
      next.start(this.#turn(this.#idle.pop()!))
    }
    this.#isPassing = false
  }

  #turn(connection: Connection): Turn {
    let hasEnded = false
    return {
      connection,
      end: () => {
        if (hasEnded) return
        hasEnded = true
        this.#idle.push(connection)
        this.#pass()
      },
    }
  }
}
