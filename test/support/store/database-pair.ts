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
  /** The primary runs on, but nobody gets another byte from it, nor a reset. */
  cutOff(): Promise<void>
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

async function addProxy(host: Host): Promise<TcpProxy> {
  const proxy = await startTcpProxy(Number(new URL(host.server.url).port))
  host.proxies.push(proxy)
  return proxy
}

/** Number of rows that a query counts as `n`, on the server itself. */
export const countOn = (server: PostgresServer, sql: string): Promise<number> =>
  onServer(server, async (client) => Number((await client.query<{ n: string }>(sql)).rows[0]!.n))
