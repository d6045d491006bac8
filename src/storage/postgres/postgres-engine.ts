import { setTimeout } from 'node:timers/promises'
import { deadline } from '../deadline.ts'
import { type Engine, type Reader, StoreUnavailable, type Writer } from '../engine.ts'
import type { Logger } from '../logger.ts'
import { transact } from '../transaction.ts'
import { errorOf, isRetryable } from './faults.ts'
import { PipelinedTransaction } from './pipelined-transaction.ts'
import { Pool, type PoolOptions } from './pool.ts'
import type { Session } from './session.ts'

export interface PostgresOptions extends Partial<Omit<PoolOptions, 'url' | 'logger'>> {
  readonly url: string
  readonly logger: Logger
}

/** Opens the store; rejects when the server cannot be reached or must not be used. */
export async function openPostgres(options: PostgresOptions): Promise<PostgresEngine> {
  const engine = new PostgresEngine(options)
  try {
    await engine.check()
  } catch (error) {
    await engine.close()
    throw error
  }
  return engine
}

export class PostgresEngine implements Engine {
  readonly kind = 'postgres'
  readonly logger: Logger
  readonly #options: PoolOptions
  readonly #pool: Pool

  constructor(options: PostgresOptions) {
    this.#options = { ...defaults, ...options }
    this.logger = options.logger
    this.#pool = new Pool(this.#options)
  }

  /** Another engine on the same database, with connections of its own that the caller must close. */
  beside(options: Partial<PoolOptions>): PostgresEngine {
    return new PostgresEngine({ ...this.#options, ...options })
  }

  async read<T>(work: (tx: Reader) => Promise<T>): Promise<T> {
    const session = await this.#pool.take()
    const { expired, stop } = this.#deadline()
    // Not awaited: it travels with the first statement, and what a read sees without it is never returned.
    const begun = session.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    begun.catch(() => {})
    try {
      return await transact(work, {
        lost: expired,
        execute: (method, sql, params) =>
          Promise.all([session.statement(method, sql, params), begun]).then(([value]) => value, raise('read')),
        // Nothing hangs on its answer, so the caller does not wait for it.
        commit: async () => void session.rollback(),
        rollback: () => session.rollback(),
      })
    } finally {
      stop()
    }
  }

  write<T>(work: (tx: Writer) => Promise<T>): Promise<T> {
    return this.#again((onError) => this.#inSession((session) => this.#writeOnce(session, work, onError)))
  }

  /**
   * A write in as few round trips as possible, for set-based work. May run `work` again after a deadlock.
   */
  pipelined<T>(work: (tx: PipelinedTransaction) => Promise<T>): Promise<T> {
    return this.#again((onError) =>
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

  async check(): Promise<void> {
    const mode = await this.write((tx) => tx.get("SELECT current_setting('transaction_read_only') AS is_read_only"))
    if (mode?.is_read_only !== 'off') throw new StoreUnavailable('PostgreSQL takes no writes now')
  }

  close(): Promise<void> {
    return this.#pool.close()
  }

  async #writeOnce<T>(session: Session, work: (tx: Writer) => Promise<T>, onError: (error: unknown) => void) {
    // Awaited: a statement behind a failed BEGIN would commit by itself.
    await session.query('BEGIN ISOLATION LEVEL READ COMMITTED').catch(raise('write'))
    const { expired, stop } = this.#deadline()
    const note = (error: unknown) => {
      onError(error)
      throw error
    }
    try {
      return await transact(work, {
        lost: expired,
        execute: (method, sql, params) => session.statement(method, sql, params).catch(note).catch(raise('write')),
        commit: () => session.commit().catch(note).catch(raise('commit')),
        // Whoever took the connection ends what is open on it.
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

  /** Gives the connection back, whatever became of the transaction. */
  async #inSession<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const session = await this.#pool.take()
    try {
      const result = await work(session)
      session.release()
      return result
    } catch (error) {
      await session.rollback()
      throw error
    }
  }

  /** Runs a transaction again that the server ended in favour of another; whatever `work` made of that error. */
  async #again<T>(once: (onError: (error: unknown) => void) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      let wasVictim = false
      try {
        return await once((error) => {
          wasVictim ||= isRetryable(error)
        })
      } catch (error) {
        if (!wasVictim || attempt === maxAttempts) throw error
        // Long enough for the one that went ahead to end.
        await setTimeout(attempt * 20)
      }
    }
  }
}

const maxAttempts = 4

const defaults = {
  connections: 10,
  maxWaiting: 10_000,
  waitLimitMs: 5000,
  statementLimitMs: 10_000,
  lockLimitMs: 5000,
  transactionLimitMs: 30_000,
}

const raise = (at: 'read' | 'write' | 'commit') => (error: unknown) => {
  throw errorOf(error, at)
}
