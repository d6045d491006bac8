import type { Parameter } from './composite-rows.ts'
import { errorOf } from './faults.ts'
import type { QueryResult } from './pipeline.ts'
import type { Session } from './session.ts'

export interface Statement {
  readonly sql: string
  readonly params?: readonly Parameter[]
}

const begin: Statement = { sql: 'BEGIN ISOLATION LEVEL READ COMMITTED' }
const commit: Statement = { sql: 'COMMIT' }

/** A transaction in few round trips: BEGIN is sent with the first statements, COMMIT with the last. */
export class PipelinedTransaction {
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

  /** Returns the rows of each statement, in order; none for a null statement. */
  async send(statements: readonly (Statement | null)[]): Promise<object[][]> {
    if (this.#hasEnded || this.#committed) {
      throw new Error('this transaction has ended')
    }
    const results = await this.#roundTrip(
      statements.filter((statement) => statement !== null),
      'write',
    )
    return statements.map((statement) => (statement === null ? [] : results.shift()!.rows))
  }

  /** Sends the statements with a COMMIT and returns their rows. If any statement of the transaction failed, rejects. */
  commit(statements: readonly Statement[] = []): Promise<object[][]> {
    this.#committed ??= this.#commit(statements)
    // The engine awaits the same promise and reports its failure.
    this.#committed.catch(() => {})
    return this.#committed
  }

  end(): void {
    this.#hasEnded = true
  }

  async #commit(statements: readonly Statement[]): Promise<object[][]> {
    if (this.#failure) throw this.#failure
    const results = await this.#roundTrip([...statements, commit], 'commit')
    this.#session.assertCommitted(results.at(-1)!.tag)
    return results.slice(0, -1).map(({ rows }) => rows)
  }

  async #roundTrip(statements: readonly Statement[], at: 'write' | 'commit'): Promise<QueryResult[]> {
    const isFirst = !this.#hasBegun
    this.#hasBegun = true
    try {
      const results = await this.#session.pipeline(isFirst ? [begin, ...statements] : statements)
      return isFirst ? results.slice(1) : results
    } catch (error) {
      this.#onError(error)
      this.#failure ??= errorOf(error, at)
      throw this.#failure
    }
  }
}
