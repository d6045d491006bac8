import type { Socket } from 'node:net'
import type pg from 'pg'
import { monotonicMs } from '../../base/clock.ts'
import { every, type Timer } from '../../base/timers.ts'
import { StoreUnavailable, type Value } from '../engine.ts'
import type { Method } from '../transaction.ts'
import { encode, type Parameter } from './composite-rows.ts'
import { isFromServer } from './faults.ts'
import { Pipeline, type Prepared, type QueryResult } from './pipeline.ts'

interface RowsAndCount<R> {
  readonly rows: R[]
  readonly count: number
}

interface SessionDeps {
  readonly prepared: (sql: string) => Prepared
  /** Called with every failure of a query. */
  readonly onFailure: (error: unknown) => void
  /** `isLost`: the server may not know that it was given up. */
  readonly onRelease: (session: Session, isLost: boolean) => void
}

/** A connection taken from the pool, until it is released. */
export class Session {
  readonly client: pg.PoolClient
  readonly #deps: SessionDeps
  #isReleased = false
  #isSuspect = false
  #isLost = false
  /** Whether the server warned since the last query was sent. */
  #isWarned = false
  #pending = 0
  #heardAt = 0
  #bytesRead = 0

  constructor(client: pg.PoolClient, deps: SessionDeps) {
    this.client = client
    this.#deps = deps
    client.on('notice', this.#onNotice)
  }

  /** How long the server has not responded; 0 if no query is open. */
  silentForMs(now: number): number {
    const { bytesRead } = socketOf(this.client)
    if (this.#pending === 0 || bytesRead !== this.#bytesRead) {
      this.#bytesRead = bytesRead
      this.#heardAt = now
    }
    return now - this.#heardAt
  }

  /** Sends all statements in one message. If one fails, the rest do not run and the promise rejects. */
  async pipeline(statements: readonly { sql: string; params?: readonly Parameter[] }[]): Promise<QueryResult[]> {
    if (this.#isReleased) throw new Error('this connection was released')
    // Encoded first, so that an invalid value cannot leave half a message sent.
    const queries = statements.map(({ sql, params = [] }) => ({
      statement: this.#deps.prepared(sql),
      values: params.map(encode),
    }))
    this.#isWarned = false
    return this.#track(
      new Promise((resolve, reject) => {
        const pipeline = new Pipeline(queries, (error) => {
          if (!error) return resolve(pipeline.results)
          this.#isSuspect ||= pipeline.wasParsing
          reject(error)
        })
        this.client.query(pipeline as unknown as pg.Query)
      }),
    )
  }

  async query<R extends object>(sql: string, params: readonly Value[] = []): Promise<RowsAndCount<R>> {
    if (this.#isReleased) throw new Error('this connection was released')
    const { name } = /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i.test(sql) ? this.#deps.prepared(sql) : unnamed
    const result = await this.#track(
      this.client.query<R>({ text: sql, values: params as Value[], ...(name && { name }) }),
    )
    return { rows: result.rows, count: result.rowCount ?? 0 }
  }

  async statement(method: Method, sql: string, params: readonly Value[]): Promise<unknown> {
    const { rows, count } = await this.query(sql, params)
    if (method === 'run') return count
    return method === 'all' ? rows : rows[0]
  }

  async commit(): Promise<void> {
    this.#isWarned = false
    const { command } = await this.#track(this.client.query('COMMIT'))
    this.assertCommitted(command)
  }

  /** Throws unless the commit that was just sent is durable; `tag` is the server's. */
  assertCommitted(tag: string): void {
    // Committing a failed transaction is not an error: the server just rolls back.
    if (tag !== 'COMMIT') throw new StoreUnavailable('PostgreSQL rolled the transaction back')
    if (this.#isWarned) {
      throw new StoreUnavailable('PostgreSQL committed without its synchronous standby', { mayHaveCommitted: true })
    }
  }

  /** Rolls back and releases the connection, or closes it if that fails. Never rejects. */
  async rollback(): Promise<void> {
    if (this.#isReleased) return
    // A server that did not respond to the last query would not respond to this one either.
    const isClean =
      !this.#isLost &&
      (await this.#track(this.client.query('ROLLBACK')).then(
        () => true,
        () => false,
      ))
    this.release(!isClean)
  }

  release(isBroken = false): void {
    if (this.#isReleased) return
    this.#isReleased = true
    this.client.off('notice', this.#onNotice)
    this.#deps.onRelease(this, this.#isLost)
    // Reused only if it is certain that no transaction is open.
    this.client.release(isBroken || this.#isLost || this.#isSuspect || this.client.getTransactionStatus() !== 'I')
  }

  /** Any warning with a commit, in any language, means that it no longer waits for a standby. */
  readonly #onNotice = ({ code }: { code?: string | undefined }) => {
    this.#isWarned ||= code !== undefined && code !== '00000'
  }

  async #track<T>(query: Promise<T>): Promise<T> {
    if (this.#pending === 0) {
      this.#heardAt = monotonicMs()
      this.#bytesRead = socketOf(this.client).bytesRead
    }
    this.#pending += 1
    try {
      return await query
    } catch (error) {
      this.#isLost ||= !isFromServer(error)
      this.#deps.onFailure(error)
      throw error
    } finally {
      this.#pending -= 1
    }
  }
}

/** The driver's types omit its socket. */
export const socketOf = (client: pg.ClientBase): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream

const unnamed = { name: '' }

/** A query without a response for this long makes its server suspect. */
const silenceMs = 500
/** If the server waits for a query that was sent this long ago, the network lost it. A shorter wait may be a server without processor time. */
export const cutMs = 1500
const tickMs = 250
/** Long queries are silent too: while one runs, the server is asked this often. */
const pauseMs = 2000

/** Notices within a tick when sessions get no responses, and calls `onSilence`, which asks the server. */
export class ConnectionWatch {
  readonly sessions = new Set<Session>()
  readonly #onSilence: () => void
  #timer: Timer | undefined
  #askedAt = Number.NEGATIVE_INFINITY

  constructor(onSilence: () => void) {
    this.#onSilence = onSilence
  }

  add(session: Session): void {
    this.sessions.add(session)
    this.#timer ??= every(tickMs, () => this.#tick()).unref()
  }

  /** The sessions that had waited so long for a response at that time, and still wait. */
  silentSince(at: number, ms = silenceMs): Session[] {
    const now = monotonicMs()
    return [...this.sessions].filter((session) => session.silentForMs(now) >= ms + now - at)
  }

  stop(): void {
    this.#timer?.cancel()
  }

  #tick(): void {
    const now = monotonicMs()
    if (this.silentSince(now).length === 0 || now - this.#askedAt < pauseMs) return
    this.#askedAt = now
    this.#onSilence()
  }
}
