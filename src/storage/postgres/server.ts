import pg from 'pg'
import { after, delay, every, type Timer } from '../../base/timers.ts'
import type { Logger } from '../engine.ts'
import { StoreUnavailable, StoreUnusable } from '../engine.ts'
import { KnownServers, type MemoryFile, type ServerRefusal } from './known-servers.ts'

/**
 * One URL for each host of a connection URL, as libpq reads it: `postgres://u:p@a:5432,b:5432/gateway`. The gateway always
 * writes, so it accepts only the values of `target_session_attrs` with which a writable host is found.
 */
export function hostUrls(url: string): string[] {
  // Up to the last @, because passwords may contain one.
  const parts = /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^@/?#]*)(.*)$/s.exec(url)
  if (!parts) throw invalid('is not a PostgreSQL URL')
  const [, scheme, login = '', hosts, rest] = parts
  if (/^[^?#]*@/.test(rest!) || (login === '' && rest!.includes('@'))) {
    throw invalid('has a user or password with an unencoded /, ? or #, which must be written %2F, %3F or %23')
  }
  return hosts!.split(',').map((host, index) => {
    const text = `${scheme}${login}${host}${rest}`
    if (!URL.canParse(text)) throw invalid(`host ${index + 1} is not valid`)
    const parsed = new URL(text)
    if (hosts!.includes(',') && parsed.hostname === '') throw invalid('has an empty host')
    const target = parsed.searchParams.get('target_session_attrs')
    if (target !== null && !writableTargets.has(target)) {
      throw invalid(`target_session_attrs=${target} does not find a writable server`)
    }
    // The driver does not know it.
    parsed.searchParams.delete('target_session_attrs')
    return target === null ? text : parsed.href
  })
}

const writableTargets = new Set(['any', 'read-write', 'primary'])

/** Without the URL itself, which may hold a password. */
const invalid = (fault: string) =>
  new StoreUnusable(
    `DATABASE_URL: ${fault}. Use postgres://user:password@host:5432/database, or several hosts separated by commas, with target_session_attrs=read-write.`,
  )

/** How long a host may take to accept a connection and respond to one query. */
export const probeLimitMs = 2000
/** After the first usable host, the others get this long: the one on the newest timeline wins. A standby is asked again after it. */
const otherHostsMs = 200
const defaultSurveyMs = 3000

/** What a server says about itself. A change means that rows remembered from it may never have existed. */
export interface ServerIdentity {
  readonly system: string
  /** Grows with each promotion; null if the server accepts no writes. */
  readonly timeline: string | null
  readonly isStandby: 0 | 1
  /** When the server was started; differs between two servers behind one proxy. */
  readonly startedAt: string
  readonly address: string | null
}

export interface ServerOptions {
  readonly url: string
  /** Where the newest timeline is remembered; by default only in this process. */
  readonly memoryFile?: MemoryFile
  /** How often all hosts are asked again. */
  readonly surveyMs?: number
  readonly logger: Logger
}

/**
 * The server that all pools of a gateway use: among the hosts of the URL, the one that accepts writes on the newest timeline
 * ever seen. A server on an older one is an old primary that is still running; what it commits would be lost.
 */
export class Server {
  readonly #urls: readonly string[]
  readonly #database: string
  readonly #known: KnownServers
  readonly #logger: Logger
  readonly #surveyMs: number
  readonly #listeners = new Set<() => void>()
  /** What was last refused about a host, so that it is logged once. */
  readonly #refused = new Map<string, string>()
  #url: string
  #isFound: boolean
  #search: Promise<void> | null = null
  #survey: Promise<unknown> | null = null
  #timer: Timer | undefined
  #isClosed = false
  #wasWritable = false
  #identity: string | null = null

  constructor({ url, memoryFile, surveyMs = defaultSurveyMs, logger }: ServerOptions) {
    this.#urls = hostUrls(url)
    this.#database = `${this.#urls.map(hostOf).join(',')}${new URL(this.#urls[0]!).pathname}`
    this.#known = new KnownServers(memoryFile ?? null, logger)
    this.#logger = logger
    this.#surveyMs = surveyMs
    this.#url = this.#urls[0]!
    this.#isFound = this.#urls.length === 1
  }

  /** The URL of the host in use. */
  get url(): string {
    return this.#url
  }

  get hasSeveralHosts(): boolean {
    return this.#urls.length > 1
  }

  get isFound(): boolean {
    return this.#isFound
  }

  /** Looks for the host to use, once for all callers. */
  find(): Promise<void> {
    this.#search ??= this.#findWritable().finally(() => {
      this.#search = null
    })
    return this.#search
  }

  /** The host in use failed or accepts no writes: the next connection looks for the writable one again. */
  lost(): void {
    if (this.hasSeveralHosts) this.#isFound = false
  }

  /** Called for each new connection, before it is used. Rejects if the server must not be used. */
  async identify(identity: ServerIdentity, url = this.#url): Promise<void> {
    const { system, timeline, isStandby, address } = identity
    const refusal = this.#known.refusal(this.#database, identity)
    if (refusal) {
      this.lost()
      throw new StoreUnavailable(`PostgreSQL at ${hostOf(url)} ${refusal.reason}`)
    }
    if (url !== this.#url) throw new StoreUnavailable(`PostgreSQL at ${hostOf(this.#url)} is used now`)
    // A proxy that has not noticed a switchover yet: reads would be stale.
    if (isStandby && this.#wasWritable) throw new StoreUnavailable(`PostgreSQL at ${hostOf(url)} is a standby now`)
    this.#wasWritable ||= timeline !== null
    if (timeline !== null) await this.#known.remember(this.#database, { system, timeline })
    if (!this.#isClosed) this.#timer ??= every(this.#surveyMs, () => this.#askAll()).unref()
    const text = [system, timeline, address, url].join(' ')
    const isChange = this.#identity !== null && this.#identity !== text
    this.#identity = text
    if (isChange) this.#notify()
  }

  /** Whether a server that said this about itself may still be used. */
  isCurrent(identity: ServerIdentity): boolean {
    return this.#known.refusal(this.#database, identity) === null
  }

  /** Calls back when connections reach another server, or the same one after a restore or promotion. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener)
  }

  close(): void {
    this.#isClosed = true
    this.#timer?.cancel()
  }

  #notify(): void {
    for (const listener of this.#listeners) listener()
  }

  /** An old primary may have come back, or a standby may have been promoted while the old primary still responds. */
  #askAll(): void {
    this.#survey ??= Promise.allSettled(this.#urls.map((url) => this.#ask(url))).finally(() => {
      this.#survey = null
    })
  }

  /** Asks a host who it is. If its timeline is newer than any before, it is used from now on. Rejects if it must not be used. */
  async #ask(url: string): Promise<ServerIdentity> {
    const identity = (await probe(url, identityQuery, [])) as unknown as ServerIdentity
    const { system, timeline } = identity
    const refusal = this.#known.refusal(this.#database, identity)
    if (refusal) {
      await this.#refuse(url, refusal)
      throw new Error(refusal.reason)
    }
    const newest = this.#known.newestTimeline(system)
    if (timeline === null || newest === undefined || timeline === newest) return identity
    await this.#known.remember(this.#database, { system, timeline })
    this.#url = url
    this.#isFound = true
    this.#notify()
    return identity
  }

  /** Makes an old primary read-only for our own user: gateways that never saw its successor could still choose it. */
  async #refuse(url: string, { newestTimeline, reason }: ServerRefusal): Promise<void> {
    const host = hostOf(url)
    const isNews = this.#refused.get(url) !== reason
    this.#refused.set(url, reason)
    if (isNews) this.#logger.error({ host, reason }, 'a database server must not be used')
    if (newestTimeline === null) return
    await onHost(url, (client) => client.query(makeReadOnly(newestTimeline))).catch((error) => {
      if (isNews) this.#logger.warn({ host, err: error }, 'an old primary could not be made read-only')
    })
  }

  async #findWritable(): Promise<void> {
    const faults: string[] = []
    const writable: { url: string; system: string; timeline: string }[] = []
    const first = Promise.withResolvers<void>()
    // Without a memory, only a host that responds can say that another one is old.
    const patienceMs = this.#known.knows(this.#database) ? otherHostsMs : probeLimitMs
    const silent = new Set(this.#urls)
    const probes = this.#urls.map(async (url) => {
      try {
        let identity = await this.#ask(url)
        silent.delete(url)
        // While another host is silent, this one may be promoted.
        while (identity.timeline === null && silent.size > 0) {
          await delay(otherHostsMs)
          identity = await this.#ask(url)
        }
        const { system, timeline } = identity
        if (timeline === null) return void faults.push(`${hostOf(url)} accepts no writes`)
        writable.push({ url, system, timeline })
        first.resolve()
      } catch (error) {
        silent.delete(url)
        faults.push(`${hostOf(url)}: ${(error as Error).message}`)
      }
    })
    const all = Promise.all(probes)
    await Promise.race([all, first.promise])
    await Promise.race([all, delay(patienceMs)])
    const [newest] = writable.toSorted((a, b) => (a.timeline < b.timeline ? 1 : -1))
    if (!newest) throw new StoreUnavailable(`PostgreSQL has no writable host: ${faults.join('; ')}`)
    const { url, system, timeline } = newest
    if (writable.some((other) => other.system !== system)) {
      throw new StoreUnavailable('DATABASE_URL: its hosts hold different databases, and each accepts writes')
    }
    this.#url = url
    this.#isFound = true
    await this.#known.remember(this.#database, { system, timeline })
    for (const other of writable) {
      const refusal = this.#known.refusal(this.#database, other)
      if (refusal) void this.#refuse(other.url, refusal)
    }
  }
}

/** Runs one query on a connection of its own. */
export const probe = (url: string, sql: string, params: unknown[]): Promise<Record<string, unknown>> =>
  onHost(url, async (client) => (await client.query(sql, params)).rows[0])

async function onHost<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'api-relay-gateway probe',
    connectionTimeoutMillis: probeLimitMs,
    query_timeout: probeLimitMs,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    // Not awaited: a server that vanished never confirms.
    void client.end().catch(() => {})
    const socket = (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream
    after(100, () => socket.destroy()).unref()
  }
}

/** The timeline comes first in the name of a log file. */
const currentTimeline = 'left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)'

export const startedAt = 'extract(epoch FROM pg_postmaster_start_time())::text AS "startedAt"'

export const identityColumns = `
  (SELECT system_identifier::text FROM pg_control_system()) AS system,
  CASE WHEN pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' THEN NULL ELSE ${currentTimeline} END AS timeline,
  pg_is_in_recovery()::integer AS "isStandby",
  ${startedAt},
  host(inet_server_addr()) || ':' || inet_server_port() AS address`

const identityQuery = `SELECT ${identityColumns}`

/**
 * Does not wait for a standby, which an old primary does not have. Asks for the timeline again: behind a proxy this connection
 * may have reached the new primary.
 */
const makeReadOnly = (newestTimeline: string) => `SET synchronous_commit = local;
  DO $$ BEGIN
    IF (CASE WHEN pg_is_in_recovery() THEN false ELSE ${currentTimeline} COLLATE "C" < '${newestTimeline}' END) THEN
      EXECUTE format('ALTER ROLE CURRENT_USER IN DATABASE %I SET default_transaction_read_only = on', current_database());
    END IF;
  END $$`

const hostOf = (url: string) => new URL(url).host
