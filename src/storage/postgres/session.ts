import type pg from 'pg'
import { StoreUnavailable, type Value } from '../engine.ts'
import type { Method } from '../transaction.ts'
import { encode, type Parameter } from './parameters.ts'
import { Pipeline, type Prepared, type QueryResult } from './pipeline.ts'

interface Rows<R> {
  readonly rows: R[]
  readonly count: number
}

/** One connection, for as long as its user holds it. */
export class Session {
  readonly #client: pg.PoolClient
  readonly #prepared: (sql: string) => Prepared
  #isReleased = false
  #isDoubtful = false

  constructor(client: pg.PoolClient, prepared: (sql: string) => Prepared) {
    this.#client = client
    this.#prepared = prepared
  }

  /** Sends all statements in one message. What follows a failed one is not run; its error rejects. */
  async pipeline(statements: readonly { sql: string; params?: readonly Parameter[] }[]): Promise<QueryResult[]> {
    if (this.#isReleased) throw new Error('this connection was given back')
    // Encoded before anything is sent: an invalid value must not leave half a message behind.
    const queries = statements.map(({ sql, params = [] }) => ({
      statement: this.#prepared(sql),
      values: params.map(encode),
    }))
    return new Promise((resolve, reject) => {
      const pipeline = new Pipeline(queries, (error) => {
        if (!error) return resolve(pipeline.results)
        this.#isDoubtful ||= pipeline.wasParsing
        reject(error)
      })
      this.#client.query(pipeline as unknown as pg.Query)
    })
  }

  async query<R extends object>(sql: string, params: readonly Value[] = []): Promise<Rows<R>> {
    if (this.#isReleased) throw new Error('this connection was given back')
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
    this.#client.release(isBroken || this.#isDoubtful || this.#client.getTransactionStatus() !== 'I')
  }
}

const unnamed = { name: '' }
