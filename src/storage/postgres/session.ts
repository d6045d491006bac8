import type pg from 'pg'
import { StoreUnavailable, type Value } from '../engine.ts'
import type { Method } from '../transaction.ts'
import { encode, type Parameter } from './parameters.ts'
import { Pipeline, type Prepared, type QueryResult } from './pipeline.ts'

interface RowsAndCount<R> {
  readonly rows: R[]
  readonly count: number
}

/** A connection taken from the pool, until it is released. */
export class Session {
  readonly #client: pg.PoolClient
  readonly #prepared: (sql: string) => Prepared
  #isReleased = false
  #isSuspect = false

  constructor(client: pg.PoolClient, prepared: (sql: string) => Prepared) {
    this.#client = client
    this.#prepared = prepared
  }

  /** Sends all statements in one message. If one fails, the rest do not run and the promise rejects. */
  async pipeline(statements: readonly { sql: string; params?: readonly Parameter[] }[]): Promise<QueryResult[]> {
    if (this.#isReleased) throw new Error('this connection was released')
    // Encoded first, so that an invalid value cannot leave half a message sent.
    const queries = statements.map(({ sql, params = [] }) => ({
      statement: this.#prepared(sql),
      values: params.map(encode),
    }))
    return new Promise((resolve, reject) => {
      const pipeline = new Pipeline(queries, (error) => {
        if (!error) return resolve(pipeline.results)
        this.#isSuspect ||= pipeline.wasParsing
        reject(error)
      })
      this.#client.query(pipeline as unknown as pg.Query)
    })
  }

  async query<R extends object>(sql: string, params: readonly Value[] = []): Promise<RowsAndCount<R>> {
    if (this.#isReleased) throw new Error('this connection was released')
    const { name } = /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i.test(sql) ? this.#prepared(sql) : unnamed
    const result = await this.#client.query<R>({ text: sql, values: params as Value[], ...(name && { name }) })
    return { rows: result.rows, count: result.rowCount ?? 0 }
  }

  async statement(method: Method, sql: string, params: readonly Value[]): Promise<unknown> {
    const { rows, count } = await this.query(sql, params)
    if (method === 'run') return count
    return method === 'all' ? rows : rows[0]
  }

  async commit(): Promise<void> {
    const { command } = await this.#client.query('COMMIT')
    // Committing a failed transaction is not an error: the server just rolls back.
    if (command !== 'COMMIT') throw new StoreUnavailable('PostgreSQL rolled the transaction back')
  }

  /** Rolls back and releases the connection, or closes it if that fails. Never rejects. */
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
    // Reused only if it is certain that no transaction is open.
    this.#client.release(isBroken || this.#isSuspect || this.#client.getTransactionStatus() !== 'I')
  }
}

const unnamed = { name: '' }
