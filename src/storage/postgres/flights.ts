import { errorOf } from './faults.ts'
import type { Parameter, Result, Session } from './session.ts'

/** A transaction in flights: statements that are sent without awaiting each other travel and return together. */
export class Flights {
  readonly #session: Session
  readonly #onError: (error: unknown) => void
  readonly #begun: Promise<unknown>
  readonly #sent: Promise<unknown>[] = []
  #failure: Error | undefined
  #committed: Promise<void> | undefined
  #hasEnded = false

  constructor(session: Session, onError: (error: unknown) => void) {
    this.#session = session
    this.#onError = onError
    this.#begun = session.query('BEGIN ISOLATION LEVEL READ COMMITTED')
    this.#begun.catch(() => {})
  }

  /** One flight: whatever `start` asks before it returns travels in one piece. */
  together<T>(start: () => T): T {
    return this.#session.together(start)
  }

  query<R extends object>(sql: string, params: readonly Parameter[] = []): Promise<Result<R>> {
    if (this.#hasEnded || this.#committed) {
      return Promise.reject(new Error('this transaction has ended; it must not be used any more'))
    }
    const answer = this.#send<R>(sql, params)
    this.#sent.push(answer)
    return answer
  }

  /** Sends COMMIT behind the statements sent so far. Rejects, and nothing is kept, when one of them failed. */
  commit(): Promise<void> {
    if (this.#committed) return this.#committed
    this.#committed = this.#commit()
    // Who sends it with the last flight hears of the statement that failed, and need not hear of this.
    this.#committed.catch(() => {})
    return this.#committed
  }

  end(): void {
    this.#hasEnded = true
  }

  async #send<R extends object>(sql: string, params: readonly Parameter[]): Promise<Result<R>> {
    try {
      // A statement that ran behind a failed BEGIN answers nothing, so that no write can follow it.
      const [result] = await Promise.all([this.#session.query<R>(sql, params), this.#begun])
      return result
    } catch (error) {
      this.#onError(error)
      // Sent together with COMMIT: when the connection is lost, both answers are.
      this.#failure ??= errorOf(error, this.#committed ? 'commit' : 'write')
      throw this.#failure
    }
  }

  async #commit(): Promise<void> {
    const committed = this.#session.commit()
    // The answers may come in one piece: the statement that failed is the reason, and must be heard before its result.
    const [outcome] = await Promise.allSettled([committed, ...this.#sent])
    if (outcome.status === 'fulfilled') return
    if (this.#failure) throw this.#failure
    this.#onError(outcome.reason)
    throw errorOf(outcome.reason, 'commit')
  }
}
