import { type ChildProcess, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { freePort } from '../../../testkit/http/free-port.ts'
import { startTcpProxy, type TcpProxy } from '../../../testkit/http/tcp-proxy.ts'
import { patroniPrograms } from '../../../testkit/installed-tools.ts'
import { localhostCertificate } from '../../../testkit/providers/localhost-certificate.ts'
import { atExit } from '../../at-exit.ts'
import { processTree } from '../../process-usage.ts'
import { binDirOf, type NodeWays, type Passwords, patroniConfiguration } from './configuration.ts'
import { hasEnded, postgresUser, signal, signalTrees, startProgram } from './processes.ts'

export interface NodeOptions {
  readonly letter: string
  readonly parent: string
  readonly etcdPort: number
  readonly passwords: Passwords
}

type Ways = Readonly<Record<'rest' | 'postgres' | 'etcd', TcpProxy>>

/** Patroni and its PostgreSQL, with proxies on each way to and from them, so that the node can be cut off. */
export class PatroniNode implements NodeWays {
  readonly name: string
  /** Of Patroni itself, behind no proxy. */
  readonly ownRestPort: number
  readonly #folder: string
  readonly #ways: Ways
  #patroni: ChildProcess | null = null
  #isReachable = true

  private constructor(letter: string, folder: string, restPort: number, ways: Ways) {
    this.name = `db_${letter}`
    this.#folder = folder
    this.ownRestPort = restPort
    this.#ways = ways
    atExit.add(() => this.kill())
  }

  static async create({ letter, parent, etcdPort, passwords }: NodeOptions): Promise<PatroniNode> {
    const folder = join(parent, letter)
    const own = { restPort: await freePort(), postgresPort: await freePort() }
    const ways = {
      rest: await startTcpProxy(own.restPort),
      postgres: await startTcpProxy(own.postgresPort),
      etcd: await startTcpProxy(etcdPort),
    }
    await mkdir(join(folder, 'wal'), { recursive: true })
    const configuration = patroniConfiguration({
      ...{ letter, folder, own, passwords, etcdPort: ways.etcd.port },
      ...{ restPort: ways.rest.port, postgresPort: ways.postgres.port },
      binDir: binDirOf(patroniPrograms.postgres!),
    })
    await writeFile(join(folder, 'patroni.yml'), configuration)
    await writeFile(join(folder, 'database.pem'), localhostCertificate.cert)
    await writeFile(join(folder, 'database.key'), localhostCertificate.key, { mode: 0o600 })
    await cp(resolve(import.meta.dirname, '../../../deploy/postgres/archive.sh'), join(folder, 'archive.sh'))
    if (postgresUser) execFileSync('chown', ['-R', `${postgresUser.uid}:${postgresUser.gid}`, folder])
    return new PatroniNode(letter, folder, own.restPort, ways)
  }

  get restPort(): number {
    return this.#ways.rest.port
  }

  get postgresPort(): number {
    return this.#ways.postgres.port
  }

  /** Whether it is worth asking. */
  get isReachable(): boolean {
    return this.#isReachable && this.#patroni !== null && !hasEnded(this.#patroni)
  }

  start(): void {
    if (this.#patroni && !hasEnded(this.#patroni)) return
    const env = { PATH: process.env.PATH, LANG: 'C.UTF-8', WAL_ARCHIVE: join(this.#folder, 'wal') }
    const args = [join(this.#folder, 'patroni.yml')]
    const log = join(this.#folder, 'patroni.log')
    this.#patroni = startProgram(patroniPrograms.patroni!, args, log, { env, cwd: this.#folder, ...postgresUser })
  }

  /** As if its power was cut. */
  kill(): void {
    signalTrees(this.#roots(), 'SIGKILL')
  }

  killPostgres(): void {
    signalTrees(this.#postgres(), 'SIGKILL')
  }

  /** Its PostgreSQL runs on, without supervision. */
  async killPatroni(): Promise<void> {
    const postgres = new Set(this.#postgres().flatMap(processTree))
    const pids = processTree(this.#patroni!.pid!).filter((pid) => !postgres.has(pid))
    const ended = once(this.#patroni!, 'exit')
    signal(pids, 'SIGKILL')
    await ended
  }

  freeze(): void {
    this.#isReachable = false
    signalTrees(this.#roots(), 'SIGSTOP')
  }

  thaw(): void {
    signalTrees(this.#roots(), 'SIGCONT')
    this.#isReachable = true
  }

  /** No byte passes to or from etcd, the other nodes and HAProxy. No connection is reset. */
  cutOff(): void {
    this.#isReachable = false
    for (const way of Object.values(this.#ways)) way.goSilent()
  }

  reconnect(): void {
    for (const way of Object.values(this.#ways)) way.comeBack()
    this.#isReachable = true
  }

  close(): void {
    this.kill()
    for (const way of Object.values(this.#ways)) way.close()
  }

  #roots(): number[] {
    const patroni = this.#patroni && !hasEnded(this.#patroni) ? [this.#patroni.pid!] : []
    return [...patroni, ...this.#postgres()]
  }

  /** Patroni starts it in a session of its own. Empty if it does not run. */
  #postgres(): number[] {
    try {
      const pid = Number(readFileSync(join(this.#folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0])
      return isPostgres(pid) ? [pid] : []
    } catch {
      return []
    }
  }
}

/** A server that was killed leaves the file behind, and its number may be another program's by now. */
const isPostgres = (pid: number) => /^postgres/.test(readFileSync(`/proc/${pid}/comm`, 'utf8'))
