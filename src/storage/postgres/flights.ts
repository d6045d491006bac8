import { errorOf } from './faults.ts'
import type { Parameter, Result, Session } from './session.ts'

/** A transaction in flights: statements that are sent without awaiting each other travel and return together. */
export class Flights {
  readonly #session: Session
  readonly #onError: (error: unknown) => void
  readonly #begun: Promise<unknown>
  #committed: Promise<void> | undefined
  #hasEnded = false

  constructor(session: Session, onError: (error: unknown) => void) {
    this.#session = session
    this.#onError = onError
    this.#begun = session.query('BEGIN ISOLATION LEVEL READ COMMITTED')
    this.#begun.catch(() => {})
  }

  async query<R extends object>(sql: string, params: readonly Parameter[] = []): Promise<Result<R>> {
    if (this.#hasEnded || this.#committed) throw new Error('this transaction has ended; it must not be used any more')
    try {
      // A statement that ran behind a failed BEGIN answers nothing, so that no write can follow it.
      const [result] = await Promise.all([this.#session.query<R>(sql, params), this.#begun])
      return result
    } catch (error) {
      this.#onError(error)
      throw errorOf(error, 'write')
    }
  }

  /** Sends COMMIT behind the statements sent so far. Rejects, and nothing is kept, when one of them failed. */
  commit(): Promise<void> {
    if (this.#committed) return this.#committed
    this.#committed = this.#session.commit().catch((error) => {
      this.#onError(error)
      throw errorOf(error, 'commit')
    })
    // Who sends it with the last flight hears first of the statement that failed, and then of this.
    this.#committed.catch(() => {})
    return this.#committed
  }

  end(): void {
    this.#hasEnded = true
  }
}
