import { setTimeout as delay } from 'node:timers/promises'
import { startTcpProxy, type TcpProxy } from '../http/tcp-proxy.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'
import { onServer, promote, startStandby } from './postgres-standby.ts'

/** How one gateway reaches both servers. */
export interface DatabaseAccess {
  /** Names both hosts. */
  readonly databaseUrl: string
  /** From now on neither server hears this gateway, nor it them. */
  goSilent(): void
  comeBack(): void
}

export interface DatabasePair {
  /** The server that accepts writes, without a proxy. */
  readonly primary: () => PostgresServer
  /** Connections through proxies of their own. */
  connect(): Promise<DatabaseAccess>
  /** SIGKILL for the primary. */
  kill(): Promise<void>
  /** The primary runs on, but its clients get neither another byte nor a reset. */
  cutOff(): Promise<void>
  /** Ends `cutOff`: connections that went silent are reset, new ones work. */
  reconnect(): void
  /** Starts the primary that was killed before a promotion, as after a reboot: writable, on its old timeline, without a standby. */
  reviveOldPrimary(): Promise<PostgresServer>
  /** SIGKILL for the standby. */
  killStandby(): Promise<void>
  /** Resolves when the standby accepts writes. */
  promote(): Promise<void>
  /** Replaces the lost server by a new synchronous standby. */
  rebuild(): Promise<void>
  close(): Promise<void>
}

/** A host of the pair: whichever server runs on it, and the proxies that lead there. */
interface Host {
  server: PostgresServer
  readonly proxies: TcpProxy[]
}

/** A primary and its synchronous standby, which change places with each failover. */
export async function startDatabasePair(): Promise<DatabasePair> {
  const first = await startPostgres({ fsync: false, flags: ['-c', 'wal_keep_size=256MB'] })
  const hosts: [Host, Host] = [
    { server: first, proxies: [] },
    { server: await startStandby(first), proxies: [] },
  ]
  let [active, passive] = hosts
  const urlOf = ({ server }: Host) => new URL(server.url)

  return {
    primary: () => active.server,
    async connect() {
      const proxies = await Promise.all(hosts.map(addProxy))
      const { username, password, pathname } = urlOf(active)
      const names = proxies.map(({ port }) => `127.0.0.1:${port}`).join(',')
      return {
        databaseUrl: `postgres://${username}:${password}@${names}${pathname}?target_session_attrs=read-write`,
        goSilent: () => proxies.forEach((proxy) => void proxy.goSilent()),
        comeBack: () => proxies.forEach((proxy) => void proxy.comeBack()),
      }
    },
    kill: () => active.server.crash(),
    async cutOff() {
      for (const proxy of active.proxies) proxy.goSilent()
    },
    reconnect() {
      for (const proxy of active.proxies) proxy.comeBack()
    },
    async reviveOldPrimary() {
      const old = passive.server
      await old.start()
      await onceStarted(() => stopWaitingForStandbys(old))
      return old
    },
    killStandby: () => passive.server.crash(),
    async promote() {
      await promote(passive.server)
      ;[active, passive] = [passive, active]
    },
    async rebuild() {
      await passive.server.remove().catch(() => {})
      passive.server = await startStandby(active.server)
      for (const proxy of passive.proxies) {
        proxy.setTargets(Number(urlOf(passive).port))
        proxy.comeBack()
      }
    },
    async close() {
      for (const { proxies } of hosts) for (const proxy of proxies) proxy.close()
      for (const { server } of hosts) await server.remove().catch(() => {})
    },
  }
}

/** From now on its commits wait for no standby. */
export const stopWaitingForStandbys = (server: PostgresServer): Promise<void> =>
  onServer(server, async (client) => {
    await client.query("ALTER SYSTEM SET synchronous_standby_names = ''")
    await client.query('SELECT pg_reload_conf()')
  })

/** A server that crashed accepts connections only after it has read its log. */
async function onceStarted<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (tries === 400) throw error
      await delay(50)
    }
  }
}

async function addProxy(host: Host): Promise<TcpProxy> {
  const proxy = await startTcpProxy(Number(new URL(host.server.url).port))
  host.proxies.push(proxy)
  return proxy
}

/** Number of rows that a query counts as `n`, on the server itself. */
export const countOn = (server: Pick<PostgresServer, 'url'>, sql: string): Promise<number> =>
  onServer(server, async (client) => Number((await client.query<{ n: string }>(sql)).rows[0]!.n))
