import pg from 'pg'
import { StoreUnavailable } from '../engine.ts'
import { hostUrls } from './host-urls.ts'

/** How long a host may take to accept a connection and answer one query. */
export const probeLimitMs = 2000
/** After the first writable host, the others get this long: the one on the newest timeline wins. A standby is asked again after it. */
const otherHostsMs = 200

/** What a server says about itself. A change means that rows remembered from it may never have existed. */
export interface ServerIdentity {
  readonly system: string
  /** Grows with each promotion; null if the server accepts no writes. */
  readonly timeline: string | null
  readonly address: string | null
}

/** The server that all pools of a gateway use: the writable one among the hosts of the URL. */
export class Server {
  readonly #urls: readonly string[]
  readonly #listeners = new Set<() => void>()
  #url: string
  #isFound: boolean
  #search: Promise<void> | null = null
  #identity: string | null = null

  constructor(url: string) {
    this.#urls = hostUrls(url)
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

  /** Looks for the writable host, once for all callers. */
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

  /** Called for each new connection. */
  identify({ system, timeline, address }: ServerIdentity): void {
    const identity = [system, timeline, address, this.#url].join(' ')
    const isChange = this.#identity !== null && this.#identity !== identity
    this.#identity = identity
    if (isChange) for (const listener of this.#listeners) listener()
  }

  /** Calls back when connections reach another server, or the same one after a restore or promotion. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener)
  }

  async #findWritable(): Promise<void> {
    const faults: string[] = []
    const writable: { url: string; timeline: string }[] = []
    const first = Promise.withResolvers<void>()
    let unanswered = this.#urls.length
    const probes = this.#urls.map(async (url) => {
      try {
        let { timeline } = await probe(url, identityQuery, [])
        unanswered -= 1
        // While another host is silent, this one may be promoted.
        while (timeline === null && unanswered > 0) {
          await new Promise((resolve) => setTimeout(resolve, otherHostsMs))
          ;({ timeline } = await probe(url, identityQuery, []))
        }
        if (timeline === null) return void faults.push(`${hostOf(url)} accepts no writes`)
        writable.push({ url, timeline: timeline as string })
        first.resolve()
      } catch (error) {
        unanswered -= 1
        faults.push(`${hostOf(url)}: ${(error as Error).message}`)
      }
    })
    const all = Promise.all(probes)
    await Promise.race([all, first.promise])
    await Promise.race([all, new Promise((resolve) => setTimeout(resolve, otherHostsMs))])
    const [newest] = writable.toSorted((a, b) => (a.timeline < b.timeline ? 1 : -1))
    if (!newest) throw new StoreUnavailable(`PostgreSQL has no writable host: ${faults.join('; ')}`)
    this.#url = newest.url
    this.#isFound = true
  }
}

/** Runs one query on a connection of its own. */
export async function probe(url: string, sql: string, params: unknown[]): Promise<Record<string, unknown>> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'api-relay-gateway probe',
    connectionTimeoutMillis: probeLimitMs,
    query_timeout: probeLimitMs,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query(sql, params)
    return rows[0]
  } finally {
    // Not awaited: a server that vanished never confirms.
    void client.end().catch(() => {})
    const socket = (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream
    setTimeout(() => socket.destroy(), 100).unref()
  }
}

/** The timeline comes first in the name of a log file. */
export const identityColumns = `
  (SELECT system_identifier::text FROM pg_control_system()) AS system,
  CASE WHEN pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' THEN NULL ELSE left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) END AS timeline,
  host(inet_server_addr()) || ':' || inet_server_port() AS address`

const identityQuery = `SELECT ${identityColumns}`

const hostOf = (url: string) => new URL(url).host
