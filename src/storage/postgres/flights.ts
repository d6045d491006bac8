import { StoreUnavailable } from '../engine.ts'
import { errorOf } from './faults.ts'
import type { Arrival } from './flight.ts'
import type { Parameter } from './parameters.ts'
import type { Session } from './session.ts'

export interface Statement {
  readonly sql: string
  readonly params?: readonly Parameter[]
}

const begin: Statement = { sql: 'BEGIN ISOLATION LEVEL READ COMMITTED' }
const commit: Statement = { sql: 'COMMIT' }

/** A transaction in flights: statements that travel and return together, BEGIN with the first, COMMIT with the last. */
export class Flights {
  readonly #session: Session
  readonly #onError: (error: unknown) => void
  #hasBegun = false
  #failure: Error | undefined
  #committed: Promise<object[][]> | undefined
  #hasEnded = false

  constructor(session: Session, onError: (error: unknown) => void) {
    this.#session = session
    this.#onError = onError
  }

  /** The rows of each statement, in order; none for those that are left out. */
  async fly(statements: readonly (Statement | null)[]): Promise<object[][]> {
    if (this.#hasEnded || this.#committed) {
      throw new Error('this transaction has ended; it must not be used any more')
    }
    const arrivals = await this.#send(
      statements.filter((statement) => statement !== null),
      'write',
    )
    return statements.map((statement) => (statement === null ? [] : arrivals.shift()!.rows))
  }

  /**
   * Sends COMMIT behind the statements, and answers their rows. Rejects, and nothing is kept, when one of them or an earlier
   * one failed.
   */
  commit(statements: readonly Statement[] = []): Promise<object[][]> {
    this.#committed ??= this.#commit(statements)
    // Whoever does not wait for it hears of it from the engine, which does.
    this.#committed.catch(() => {})
    return this.#committed
  }

  end(): void {
    this.#hasEnded = true
  }

  async #commit(statements: readonly Statement[]): Promise<object[][]> {
    if (this.#failure) throw this.#failure
    const arrivals = await this.#send([...statements, commit], 'commit')
    // The server answers the commit of a failed transaction with a rollback, not with an error.
    if (arrivals.at(-1)!.tag !== 'COMMIT') throw new StoreUnavailable('PostgreSQL rolled the transaction back')
    return arrivals.slice(0, -1).map(({ rows }) => rows)
  }

  async #send(statements: readonly Statement[], at: 'write' | 'commit'): Promise<Arrival[]> {
    const isFirst = !this.#hasBegun
    this.#hasBegun = true
    try {
      const arrivals = await this.#session.fly(isFirst ? [begin, ...statements] : statements)
      return isFirst ? arrivals.slice(1) : arrivals
    } catch (error) {
      this.#onError(error)
      this.#failure ??= errorOf(error, at)
      throw this.#failure
    }
  }
}
