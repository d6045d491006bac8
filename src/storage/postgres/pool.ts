import pg from 'pg'
import { StoreUnavailable, StoreUnusable } from '../engine.ts'
import type { Logger } from '../logger.ts'
import { errorOf } from './faults.ts'
import type { Prepared } from './pipeline.ts'
import { Session } from './session.ts'
import { valueTypes } from './value-types.ts'

export interface PoolOptions {
  readonly url: string
  readonly logger: Logger
  readonly connections: number
  readonly maxWaiting: number
  /** How long to wait for a connection, including opening a new one. */
  readonly waitLimitMs: number
  readonly statementLimitMs: number
  readonly lockLimitMs: number
  readonly transactionLimitMs: number
}

/** A bounded pool of connections. A broken one is dropped and replaced when the next is needed. */
export class Pool {
  readonly #pool: pg.Pool
  readonly #options: PoolOptions
  /** By SQL text, so that each connection plans a statement once. */
  readonly #prepared = new Map<string, Prepared>()

  constructor(options: PoolOptions) {
    this.#options = options
    this.#pool = new pg.Pool({
      connectionString: options.url,
      application_name: 'api-relay-gateway',
      max: options.connections,
      connectionTimeoutMillis: options.waitLimitMs,
      idleTimeoutMillis: 60_000,
      keepAlive: true,
      pipeline: true,
      // The server's limit applies first; this one covers a server that has vanished.
      query_timeout: options.statementLimitMs + 5000,
      types: valueTypes,
      onConnect: (client) => this.#prepareSession(client),
    })
    this.#pool.on('error', (error) => options.logger.warn({ err: error }, 'an idle PostgreSQL connection was lost'))
    // Without a listener, losing a connection in use would end the process.
    this.#pool.on('connect', (client) => client.on('error', () => {}))
  }

  async take(): Promise<Session> {
    if (this.#pool.waitingCount >= this.#options.maxWaiting) {
      throw new StoreUnavailable(`${this.#pool.waitingCount} transactions are already waiting for PostgreSQL`)
    }
    try {
      return new Session(await this.#pool.connect(), (sql) => this.#preparedOf(sql))
    } catch (error) {
      throw errorOf(error, 'read')
    }
  }

  async close(): Promise<void> {
    if (!this.#pool.ending) await this.#pool.end()
  }

  /** Set by a statement, because poolers refuse settings in the startup message. */
  async #prepareSession(client: pg.ClientBase): Promise<void> {
    const { statementLimitMs, lockLimitMs, transactionLimitMs } = this.#options
    const { rows } = await client.query<SessionSettings>(sessionSettings, [
      String(statementLimitMs),
      String(lockLimitMs),
      String(transactionLimitMs),
    ])
    const { synchronous_commit, version } = rows[0]!
    if (!/^(on|remote_apply)$/.test(synchronous_commit)) {
      throw new StoreUnusable(`PostgreSQL is not durable (synchronous_commit is ${synchronous_commit})`)
    }
    if (version < 150_000) throw new StoreUnusable(`PostgreSQL 15 or newer is required; the server is ${version}`)
  }

  #preparedOf(sql: string): Prepared {
    const known = this.#prepared.get(sql)
    if (known) return known
    if (this.#prepared.size >= maxNamed) return { name: '', sql, columns: null }
    const prepared = { name: `s${this.#prepared.size + 1}`, sql, columns: null }
    this.#prepared.set(sql, prepared)
    return prepared
  }
}

interface SessionSettings {
  readonly synchronous_commit: string
  readonly version: number
}

const maxNamed = 500

/**
 * Each connection plans a statement once, often while its tables are nearly empty. These settings force plans that use
 * indexes and stay good as the tables grow; without them a batch took twice as long.
 */
export const planSettings = { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off', jit: 'off' } as const

const plans = Object.entries(planSettings).map(([name, value]) => `set_config('${name}', '${value}', false)`)

const sessionSettings = `
  SELECT set_config('statement_timeout', $1, false),
         set_config('lock_timeout', $2, false),
         set_config('idle_in_transaction_session_timeout', $3, false),
         ${plans.join(', ')},
         set_config('synchronous_commit',
           CASE WHEN current_setting('synchronous_commit') = 'remote_apply' THEN 'remote_apply' ELSE 'on' END,
           false) AS synchronous_commit,
         current_setting('server_version_num')::integer AS version`
