import { delay } from '../../base/timers.ts'
import type { Logger } from '../engine.ts'
import { deadline, type Engine, type Reader, StoreUnavailable, type Writer } from '../engine.ts'
import { transact } from '../transaction.ts'
import { errorOf, isRetryable } from './faults.ts'
import { PipelinedTransaction } from './pipelined-transaction.ts'
import { Pool, type PoolOptions } from './pool.ts'
import { refuseSharedSessions } from './pooled-sessions.ts'
import { hostUrls, probe, Server, type ServerOptions } from './server.ts'
import type { Session } from './session.ts'

/** The URL may name several hosts; the writable one is used. */
export interface PostgresOptions extends ServerOptions, Partial<Omit<PoolOptions, 'server' | 'logger'>> {
  /** Replaced in the simulation, which has no connections. */
  readonly createPool?: (options: PoolOptions) => Pick<Pool, 'take' | 'close'>
}

/** Connects; rejects if the server cannot be reached or used. */
export async function openPostgres(options: PostgresOptions): Promise<PostgresEngine> {
  const engine = new PostgresEngine(options)
  try {
    await engine.refuseSharedSessions()
    await engine.check()
  } catch (error) {
    await engine.close()
    throw error
  }
  return engine
}

/** Connects to the writable host, or to any that responds if none accepts writes. */
export async function openPostgresToRead(options: PostgresOptions): Promise<PostgresEngine> {
  const engine = new PostgresEngine({ ...options, url: await hostToRead(options) })
  try {
    await engine.refuseSharedSessions()
    await engine.read((tx) => tx.get('SELECT 1 AS found'))
  } catch (error) {
    await engine.close()
    throw error
  }
  return engine
}

async function hostToRead(options: PostgresOptions): Promise<string> {
  const urls = hostUrls(options.url)
  if (urls.length === 1) return urls[0]!
  const server = new Server(options)
  try {
    await server.find()
    return server.url
  } catch (error) {
    for (const url of urls) {
      const isThere = await probe(url, 'SELECT 1', []).then(
        () => true,
        () => false,
      )
      if (isThere) return url
    }
    throw error
  } finally {
    server.close()
  }
}

export class PostgresEngine implements Engine {
  readonly kind = 'postgres'
  /** Several gateways may use it. */
  readonly isShared = true
  readonly logger: Logger
  /** Shared with the engines that `withOwnPool` returned. */
  readonly server: Server
  readonly #options: Omit<PoolOptions, 'server'> & Pick<PostgresOptions, 'url' | 'createPool'>
  readonly #ownsServer: boolean
  readonly #pool: Pick<Pool, 'take' | 'close'>
  readonly #others: PostgresEngine[] = []
  #roomCheck: Promise<void> | undefined

  constructor({ server, ...options }: PostgresOptions & { readonly server?: Server }) {
    this.#options = { ...defaults, ...options }
    this.logger = options.logger
    this.#ownsServer = server === undefined
    this.server = server ?? new Server(options)
    const { createPool = (given) => new Pool(given) } = this.#options
    this.#pool = createPool({ ...this.#options, server: this.server })
  }

  /** Another engine on the same database, with its own pool. Closing this one closes it too. */
  withOwnPool(options: Partial<Omit<PoolOptions, 'server' | 'logger'>>): PostgresEngine {
    const other = new PostgresEngine({ ...this.#options, ...options, server: this.server })
    this.#others.push(other)
    return other
  }

  async read<T>(work: (tx: Reader) => Promise<T>): Promise<T> {
    const session = await this.#pool.take('read')
    const { expired, stop } = this.#deadline()
    // Not awaited, to save a round trip: no result is returned unless BEGIN succeeded too.
    const begun = session.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    begun.catch(() => {})
    try {
      return await transact(work, {
        lost: expired,
        execute: (method, sql, params) =>
          Promise.all([session.statement(method, sql, params), begun]).then(([value]) => value, rethrow('read')),
        // Not awaited: a read has nothing to commit.
        commit: async () => void session.rollback(),
        rollback: () => session.rollback(),
      })
    } finally {
      stop()
    }
  }

  write<T>(work: (tx: Writer) => Promise<T>): Promise<T> {
    return this.#withRetries((onError) => this.#inSession((session) => this.#writeOnce(session, work, onError)))
  }

  /** A write in few round trips, for set-based work. After a deadlock `work` runs again. */
  pipelined<T>(work: (tx: PipelinedTransaction) => Promise<T>): Promise<T> {
    return this.#withRetries((onError) =>
      this.#inSession(async (session) => {
        const tx = new PipelinedTransaction(session, onError)
        const { expired, stop } = this.#deadline()
        try {
          const result = await Promise.race([work(tx), expired])
          await tx.commit()
          return result
        } finally {
          stop()
          tx.end()
        }
      }),
    )
  }

  async refuseSharedSessions(): Promise<void> {
    if (!this.server.isFound) await this.server.find()
    await refuseSharedSessions(this.server.url)
  }

  /** Concurrent checks that need room share one: behind a lost standby each would hold a connection for seconds. */
  check({ needsRoom } = { needsRoom: false }): Promise<void> {
    if (!needsRoom) return this.#check()
    this.#roomCheck ??= this.#check(takeRoom).finally(() => {
      this.#roomCheck = undefined
    })
    return this.#roomCheck
  }

  async close(): Promise<void> {
    if (this.#ownsServer) this.server.close()
    await Promise.all([this.#pool.close(), ...this.#others.map((other) => other.close())])
  }

  async #check(beforeCommit?: (tx: Writer) => Promise<void>): Promise<void> {
    await this.write(async (tx) => {
      const { reason } = (await tx.get<{ reason: string | null }>(selectReadOnlyReason))!
      if (reason !== null) throw new StoreUnavailable(`PostgreSQL does not accept writes: ${reason}`)
      await beforeCommit?.(tx)
    })
  }

  async #writeOnce<T>(session: Session, work: (tx: Writer) => Promise<T>, onError: (error: unknown) => void) {
    // Awaited, because a statement after a failed BEGIN would commit on its own.
    await session.query('BEGIN ISOLATION LEVEL READ COMMITTED').catch(rethrow('write'))
    const { expired, stop } = this.#deadline()
    const reportAndRethrow = (error: unknown) => {
      onError(error)
      throw error
    }
    try {
      return await transact(work, {
        lost: expired,
        execute: (method, sql, params) =>
          session.statement(method, sql, params).catch(reportAndRethrow).catch(rethrow('write')),
        commit: () => session.commit().catch(reportAndRethrow).catch(rethrow('commit')),
        // `#inSession` rolls back.
        rollback: async () => {},
      })
    } finally {
      stop()
    }
  }

  #deadline() {
    const limitMs = this.#options.transactionLimitMs
    return deadline(limitMs, `a transaction was open for ${limitMs} ms and was rolled back`)
  }

  async #inSession<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const session = await this.#pool.take('write')
    try {
      const result = await work(session)
      session.release()
      return result
    } catch (error) {
      await session.rollback()
      throw error
    }
  }

  /** Retries a transaction after a deadlock or serialization failure, even if `work` replaced that error. */
  async #withRetries<T>(runOnce: (onError: (error: unknown) => void) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      let canRetry = false
      try {
        return await runOnce((error) => {
          canRetry ||= isRetryable(error)
        })
      } catch (error) {
        if (!canRetry || attempt === maxAttempts) throw error
        // Lets the other transaction finish.
        await delay(attempt * 20)
      }
    }
  }
}

/** Null if the server accepts writes. */
const selectReadOnlyReason = `SELECT CASE
  WHEN NOT pg_is_in_recovery() THEN CASE WHEN current_setting('transaction_read_only') = 'on'
    THEN 'default_transaction_read_only is on' END
  WHEN pg_is_wal_replay_paused() THEN 'it is paused, such as at its recovery target. Look at it with restore-check and reconcile, which only read; then end the recovery with SELECT pg_wal_replay_resume()'
  ELSE 'it is a standby. Connect to the primary, or promote this server with SELECT pg_promote()' END AS reason`

/**
 * A file of 1 MiB that is gone after the commit. A role that may not have one still commits a line of the log. A commit that
 * waits for a lost standby keeps its session on the server for as long, so the lock lets only one of them do so.
 */
async function takeRoom(tx: Writer): Promise<void> {
  await tx.get("SELECT pg_advisory_xact_lock(hashtextextended('gateway room check', 0))::text AS locked")
  const { can } = (await tx.get<{ can: number }>(selectCanTakeRoom))!
  await tx.get(can === 1 ? createRoom : writeToLog)
}

const selectCanTakeRoom = `SELECT has_database_privilege(current_database(), 'TEMPORARY')::integer AS can`
/** Four rows fill a page, and are too short to be compressed. */
const createRoom = `CREATE TEMPORARY TABLE room ON COMMIT DROP AS
  SELECT repeat('x', 1900) AS filler FROM generate_series(1, 512)`
const writeToLog = `SELECT pg_logical_emit_message(true, 'gateway', 'check')::text AS position`

const maxAttempts = 4

const defaults = {
  connections: 10,
  maxWaiting: 10_000,
  waitLimitMs: 5000,
  statementLimitMs: 10_000,
  lockLimitMs: 5000,
  transactionLimitMs: 30_000,
}

const rethrow = (at: 'read' | 'write' | 'commit') => (error: unknown) => {
  throw errorOf(error, at)
}
