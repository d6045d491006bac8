import pg from 'pg'
import { monotonicMs } from '../../base/clock.ts'
import { delay, soon } from '../../base/timers.ts'
import type { Logger } from '../engine.ts'
import { StoreUnavailable, StoreUnusable } from '../engine.ts'
import { errorOf, isFromServer, isReadOnly } from './faults.ts'
import type { Prepared } from './pipeline.ts'
import { identityColumns, probe, probeLimitMs, type Server, type ServerIdentity, startedAt } from './server.ts'
import { ConnectionWatch, cutMs, Session, socketOf } from './session.ts'
import { StuckCommits, selectWaiting } from './stuck-commits.ts'
import { valueTypes } from './value-types.ts'

export interface PoolOptions {
  readonly server: Server
  readonly logger: Logger
  readonly connections: number
  readonly maxWaiting: number
  /** How long to wait for a connection, including opening a new one. */
  readonly waitLimitMs: number
  readonly statementLimitMs: number
  readonly lockLimitMs: number
  readonly transactionLimitMs: number
  /** Whether to avoid sequential scans: for statements that are planned once, while their tables are still empty. */
  readonly prefersIndexes?: boolean
  /** How long a transaction may wait for its gateway; by default as long as it may take. */
  readonly idleLimitMs?: number
}

/**
 * A bounded pool of connections. A broken one is dropped and replaced when the next is needed. If a query stays without an
 * answer, or a connection breaks, the pool asks the server which of its connections still exist, and drops the others at
 * once: a server that vanished would let each of them time out.
 */
export class Pool {
  readonly #pool: pg.Pool
  readonly #options: PoolOptions
  readonly #clients = new Map<pg.ClientBase, OpenConnection>()
  readonly #watch = new ConnectionWatch(() => void this.#examine())
  readonly #stuck: StuckCommits
  #examination: Promise<void> | null = null
  /** By SQL text, so that each connection plans a statement once. */
  readonly #prepared = new Map<string, Prepared>()

  constructor(options: PoolOptions) {
    const { server, logger } = options
    this.#options = options
    this.#stuck = new StuckCommits({
      limit: options.connections,
      stillWaiting: async (pids) => (await probe(server.url, selectWaiting, [pids])).waiting as number[],
    })
    this.#pool = new pg.Pool({
      application_name: 'api-relay-gateway',
      max: options.connections,
      connectionTimeoutMillis: options.waitLimitMs,
      idleTimeoutMillis: 60_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 5000,
      pipeline: true,
      // The server's limit applies first; this one covers a server that has vanished.
      query_timeout: options.statementLimitMs + 5000,
      types: valueTypes,
      onConnect: (client) => this.#prepareSession(client as pg.ClientBase & { readonly url: string }),
      // Connects to the host that is in use at that moment.
      Client: class extends pg.Client {
        readonly url = server.url

        constructor(config?: pg.ClientConfig) {
          const connectionTimeoutMillis = Math.min(options.waitLimitMs, probeLimitMs)
          super({ ...config, connectionString: server.url, connectionTimeoutMillis })
        }
      },
    })
    this.#pool.on('error', (error) => {
      // Closing drops what is still open.
      if (!this.#pool.ending) logger.warn({ err: error }, 'an idle PostgreSQL connection was lost')
    })
    // Without a listener, losing a connection in use would end the process.
    this.#pool.on('connect', (client) => client.on('error', () => {}))
    this.#pool.on('remove', (client) => this.#clients.delete(client))
    server.onChange(() => this.#dropWhere(({ url, identity }) => url !== server.url || !server.isCurrent(identity)))
  }

  async take(use: 'read' | 'write'): Promise<Session> {
    if (this.#pool.waitingCount >= this.#options.maxWaiting) {
      throw new StoreUnavailable(`${this.#pool.waitingCount} transactions are already waiting for PostgreSQL`)
    }
    if (use === 'write' && this.#stuck.mayRefuse) await this.#stuck.refuse()
    if (this.#examination) await this.#examination
    const { server } = this.#options
    if (!server.isFound) await server.find()
    try {
      const session = new Session(await this.#pool.connect(), this.#sessionDeps)
      this.#watch.add(session)
      return session
    } catch (error) {
      if (!isFromServer(error)) server.lost()
      throw errorOf(error, 'read')
    }
  }

  /** Waits for connections in use, but not for a server that does not respond. */
  async close(): Promise<void> {
    if (this.#pool.ending) return
    await Promise.race([this.#pool.end(), delay(closeLimitMs, { ref: false })])
    this.#watch.stop()
    this.#dropWhere(() => true)
  }

  readonly #sessionDeps = {
    prepared: (sql: string) => this.#preparedOf(sql),
    onFailure: (error: unknown) => {
      if (isReadOnly(error) && this.#options.server.hasSeveralHosts) {
        this.#options.server.lost()
        this.#dropWhere(() => true)
      } else if (!isFromServer(error) && !(error instanceof ConnectionDropped)) void this.#examine()
    },
    onRelease: (session: Session, isLost: boolean) => {
      this.#watch.sessions.delete(session)
      const connection = this.#clients.get(session.client)
      if (isLost && connection) this.#stuck.add(connection.pid)
    },
  }

  /** Drops the connections that the server does not know, or all if it does not respond. One at a time. */
  #examine(): Promise<void> {
    this.#examination ??= this.#findDead().finally(() => {
      this.#examination = null
    })
    return this.#examination
  }

  async #findDead(): Promise<void> {
    const { server, logger } = this.#options
    const { url } = server
    const pids = [...this.#clients.values()].map(({ pid }) => pid)
    const askedAt = monotonicMs()
    const bytesBefore = this.#bytesFrom(url)
    try {
      const { startedAt, alive, idle } = (await probe(url, selectAlive, [pids])) as unknown as AliveSessions
      // A gateway that was frozen first reads what has arrived.
      await new Promise<void>(soon)
      const unheard: pg.ClientBase[] = this.#watch.silentSince(askedAt, cutMs).map(({ client }) => client)
      // The server waits for a query that was sent long ago: the network lost it, and maybe the other connections.
      const isCut = unheard.some((client) => idle.includes(this.#clients.get(client)?.pid ?? 0))
      const inUse = new Set<pg.ClientBase>([...this.#watch.sessions].map(({ client }) => client))
      this.#dropWhere(({ pid, identity }, client) => {
        if (!pids.includes(pid)) return false
        return (
          // Behind a proxy another server may have answered, and have a process of the same number.
          identity.startedAt !== startedAt ||
          !alive.includes(pid) ||
          (isCut && (!inUse.has(client) || (unheard.includes(client) && idle.includes(pid))))
        )
      })
    } catch (error) {
      // A server that refuses a login responds.
      if (isFromServer(error)) return
      await new Promise<void>(soon)
      // So does one that has sent anything since, such as after a pause of this gateway that was longer than the limit.
      if ([...this.#bytesFrom(url)].some(([client, bytes]) => bytes > (bytesBefore.get(client) ?? 0))) return
      logger.warn({ err: error }, 'PostgreSQL does not respond; its connections are dropped')
      // Another pool may have found its successor already.
      if (server.url === url) server.lost()
      this.#dropWhere((connection) => connection.url === url)
    }
  }

  /** What has arrived over each open connection to this URL. */
  #bytesFrom(url: string): Map<pg.ClientBase, number> {
    const clients = [...this.#clients].filter(([, connection]) => connection.url === url)
    return new Map(clients.map(([client]) => [client, socketOf(client).bytesRead]))
  }

  #dropWhere(isDead: (connection: OpenConnection, client: pg.ClientBase) => boolean): void {
    for (const [client, connection] of this.#clients) {
      if (isDead(connection, client)) socketOf(client).destroy(new ConnectionDropped())
    }
  }

  /** Set by a statement, because poolers refuse settings in the startup message. */
  async #prepareSession(client: pg.ClientBase & { readonly url: string }): Promise<void> {
    const {
      server,
      statementLimitMs,
      lockLimitMs,
      transactionLimitMs,
      idleLimitMs = transactionLimitMs,
      prefersIndexes = false,
    } = this.#options
    const { rows } = await client.query<SessionSettings>({
      text: sessionSettings,
      values: [...[statementLimitMs, lockLimitMs, idleLimitMs].map(String), prefersIndexes ? 'off' : 'on'],
      query_timeout: probeLimitMs,
    } as pg.QueryConfig)
    const { synchronous_commit, version, pid, ...identity } = rows[0]!
    if (!/^(on|remote_apply)$/.test(synchronous_commit)) {
      throw new StoreUnusable(`PostgreSQL is not durable (synchronous_commit is ${synchronous_commit})`)
    }
    if (version < 150_000) throw new StoreUnusable(`PostgreSQL 15 or newer is required; the server is ${version}`)
    if (identity.timeline === null && server.hasSeveralHosts) {
      server.lost()
      throw new StoreUnavailable('PostgreSQL does not accept writes')
    }
    await server.identify(identity, client.url)
    this.#clients.set(client, { pid, url: client.url, identity })
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

interface OpenConnection {
  readonly pid: number
  readonly url: string
  readonly identity: ServerIdentity
}

/** The pool itself gave the connection up, so it need not ask the server about it. */
class ConnectionDropped extends Error {
  constructor() {
    super('PostgreSQL lost this connection')
  }
}

interface SessionSettings extends ServerIdentity {
  readonly synchronous_commit: string
  readonly version: number
  /** Of the server's process, not of a pooler in between. */
  readonly pid: number
}

const closeLimitMs = 2000

interface AliveSessions extends Pick<ServerIdentity, 'startedAt'> {
  readonly alive: readonly number[]
  readonly idle: readonly number[]
}

const selectAlive = `
  SELECT ${startedAt}, coalesce(array_agg(pid), '{}') AS alive, coalesce(array_agg(pid) FILTER (
    WHERE state LIKE 'idle%' AND state_change < clock_timestamp() - interval '${cutMs} milliseconds'), '{}') AS idle
  FROM pg_stat_activity WHERE pid = ANY($1::int[]) AND application_name = 'api-relay-gateway'`

const maxNamed = 500

/** Each connection plans a statement once. Without this and `prefersIndexes`, a batch of the books took twice as long. */
export const planSettings = { plan_cache_mode: 'force_generic_plan', jit: 'off' } as const

const plans = Object.entries(planSettings).map(([name, value]) => `set_config('${name}', '${value}', false)`)

/** If a gateway vanishes, the server ends its transactions and frees their locks within 11 seconds. */
const keepalives = {
  tcp_keepalives_idle: 5,
  tcp_keepalives_interval: 2,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 11_000,
} as const

const noticeLoss = Object.entries(keepalives).map(([name, value]) => `set_config('${name}', '${value}', false)`)

const sessionSettings = `
  SELECT set_config('statement_timeout', $1, false),
         set_config('lock_timeout', $2, false),
         set_config('idle_in_transaction_session_timeout', $3, false),
         set_config('enable_seqscan', $4, false),
         ${[...plans, ...noticeLoss].join(', ')},
         set_config('synchronous_commit',
           CASE WHEN current_setting('synchronous_commit') = 'remote_apply' THEN 'remote_apply' ELSE 'on' END,
           false) AS synchronous_commit,
         current_setting('server_version_num')::integer AS version, pg_backend_pid() AS pid, ${identityColumns}`
