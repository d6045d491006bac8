import type { Duplex } from 'node:stream'
import type { PoolClient } from 'pg'
import { StoreUnavailable, type Value } from '../engine.ts'
import type { Method } from '../transaction.ts'

/** A list stands for a PostgreSQL array, as in `unnest($1::text[])`. */
export type Parameter = Value | readonly Value[]

export interface Result<R> {
  readonly rows: R[]
  readonly count: number
}

/** One connection, for as long as its user holds it. What is asked before an answer has come goes out in the same flight. */
export class Session {
  readonly #client: PoolClient
  readonly #nameOf: (sql: string) => string | undefined
  #isReleased = false

  constructor(client: PoolClient, nameOf: (sql: string) => string | undefined) {
    this.#client = client
    this.#nameOf = nameOf
  }

  /** Sends whatever `start` asks before it returns in one piece: the socket would wake the server for each statement. */
  together<T>(start: () => T): T {
    const { stream } = (this.#client as unknown as { connection: { stream: Duplex } }).connection
    stream.cork()
    try {
      return start()
    } finally {
      stream.uncork()
    }
  }

  async query<R extends object>(sql: string, params: readonly Parameter[] = []): Promise<Result<R>> {
    if (this.#isReleased) throw new Error('this connection was given back')
    const name = this.#nameOf(sql)
    const result = await this.#client.query<R>({ text: sql, values: params as Parameter[], ...(name && { name }) })
    return { rows: result.rows, count: result.rowCount ?? 0 }
  }

  async statement(method: Method, sql: string, params: readonly Value[]): Promise<unknown> {
    const { rows, count } = await this.query(sql, params)
    if (method === 'run') return count
    return method === 'all' ? rows : rows[0]
  }

  async commit(): Promise<void> {
    const { command } = await this.#client.query('COMMIT')
    // The server answers the commit of a failed transaction with a rollback, not with an error.
    if (command !== 'COMMIT') throw new StoreUnavailable('PostgreSQL rolled the transaction back')
  }

  /** Ends what is open and gives the connection back; drops it when that fails. Never rejects. */
  async rollback(): Promise<void> {
    if (this.#isReleased) return
    const isClean = await this.#client.query('ROLLBACK').then(
      () => true,
      () => false,
    )
    this.release(!isClean)
  }

  release(isBroken = false): void {
    if (this.#isReleased) return
    this.#isReleased = true
    // Only a connection that is surely outside of any transaction may serve the next caller.
    this.#client.release(isBroken || this.#client.getTransactionStatus() !== 'I')
  }
}
