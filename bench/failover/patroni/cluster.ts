import { type ChildProcess, execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { request } from 'undici'
import { freePort } from '../../../testkit/http/free-port.ts'
import { patroniPrograms } from '../../../testkit/installed-tools.ts'
import { localhostCertificate } from '../../../testkit/providers/localhost-certificate.ts'
import type { DatabaseAccess } from '../../../testkit/store/database-pair.ts'
import { onServer } from '../../../testkit/store/postgres-standby.ts'
import type { SiteDatabase } from '../../../testkit/storms/failover/site.ts'
import { haproxyConfiguration } from './configuration.ts'
import { PatroniNode } from './node.ts'
import { signal, startProgram } from './processes.ts'

/** What Patroni says about a node. */
interface Member {
  readonly name: string
  readonly role: string
  readonly state: string
  readonly timeline?: number
}

export interface PatroniCluster extends SiteDatabase {
  readonly versions: readonly string[]
  /** The node that holds the leader lock. */
  leader(): Promise<PatroniNode>
  synchronousStandby(): Promise<PatroniNode>
  /** Resolves once another node holds the leader lock. */
  untilReplaced(node: PatroniNode): Promise<void>
  /** Asks Patroni for another primary. */
  switchOver(): Promise<void>
  /** Starts what is down, and resolves once all follow one primary and one of them synchronously. */
  untilWhole(): Promise<void>
}

const limitMs = 180_000
const password = () => randomBytes(12).toString('hex')

/** Three nodes under Patroni with the files of `deploy/patroni`, one etcd, and a HAProxy for each gateway. */
export async function startPatroniCluster(): Promise<PatroniCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-patroni-'))
  await chmod(folder, 0o755)
  const certificate = join(folder, 'database.pem')
  await writeFile(certificate, localhostCertificate.cert)
  const programs: ChildProcess[] = []
  const etcdPort = await startEtcd(folder, programs)
  const passwords = { superuser_password: password(), replication_password: password(), rest_password: password() }
  const nodes: PatroniNode[] = []
  for (const letter of ['a', 'b', 'c'])
    nodes.push(await PatroniNode.create({ letter, parent: folder, etcdPort, passwords }))
  const nodeOf = (member: Member) => nodes.find(({ name }) => name === member.name)!
  const find = async (role: string) =>
    nodeOf(await until(async () => (await members(nodes)).find((one) => one.role === role)))
  const main = await startHaproxy(folder, nodes, programs)
  const gatewayPassword = password()
  const urlOf = (port: number, login = `gateway:${gatewayPassword}`, name = 'gateway') =>
    `postgres://${login}@127.0.0.1:${port}/${name}?sslmode=verify-full&sslrootcert=${certificate}`

  const cluster: PatroniCluster = {
    versions: versions(),
    primary: () => ({ url: urlOf(main.port) }),
    async connect(): Promise<DatabaseAccess> {
      const { port, pid } = await startHaproxy(folder, nodes, programs)
      return {
        databaseUrl: urlOf(port),
        goSilent: () => signal([pid], 'SIGSTOP'),
        comeBack: () => signal([pid], 'SIGCONT'),
      }
    },
    leader: () => find('leader'),
    synchronousStandby: () => find('sync_standby'),
    async untilReplaced(node) {
      await until(async () => (await members(nodes)).some(({ role, name }) => role === 'leader' && name !== node.name))
    },
    async switchOver() {
      const node = await find('leader')
      const authorization = `Basic ${Buffer.from(`patroni:${passwords.rest_password}`).toString('base64')}`
      const { statusCode, body } = await request(`http://127.0.0.1:${node.ownRestPort}/switchover`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ leader: node.name }),
      })
      const text = await body.text()
      if (statusCode !== 200) throw new Error(`Patroni answered the switchover with ${statusCode} ${text}`)
    },
    async untilWhole() {
      for (const node of nodes) node.start()
      await until(async () => isWhole(await members(nodes), nodes.length))
    },
    async close() {
      for (const node of nodes) node.close()
      for (const program of programs) program.kill('SIGKILL')
      // Killed servers still write for a moment.
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
    },
  }
  await cluster.untilWhole()
  await createDatabase(urlOf(main.port, `postgres:${passwords.superuser_password}`, 'postgres'), gatewayPassword)
  return cluster
}

/** As docs/patroni.md prints it. */
const createDatabase = (url: string, gatewayPassword: string) =>
  onServer({ url }, async (client) => {
    await client.query(`CREATE ROLE gateway LOGIN PASSWORD '${gatewayPassword}'`)
    await client.query('GRANT pg_monitor TO gateway')
    await client.query('CREATE DATABASE gateway OWNER gateway')
  })

function isWhole(found: readonly Member[], count: number): boolean {
  const leader = found.find(({ role }) => role === 'leader')
  return (
    leader !== undefined &&
    found.length === count &&
    found.every(({ state, timeline }) => /^(running|streaming)$/.test(state) && timeline === leader.timeline) &&
    found.some(({ role }) => role === 'sync_standby')
  )
}

/** As the first node that answers sees it; empty if none does. */
async function members(nodes: readonly PatroniNode[]): Promise<readonly Member[]> {
  for (const { ownRestPort } of nodes.filter(({ isReachable }) => isReachable)) {
    try {
      const url = `http://127.0.0.1:${ownRestPort}/cluster`
      const { statusCode, body } = await request(url, { headersTimeout: 2000, bodyTimeout: 2000 })
      const text = await body.text()
      if (statusCode === 200) return (JSON.parse(text) as { members: Member[] }).members
    } catch {
      // It may have been killed.
    }
  }
  return []
}

async function until<T>(look: () => Promise<T | undefined | false>): Promise<T> {
  for (const deadline = performance.now() + limitMs; performance.now() < deadline; await delay(200)) {
    const found = await look().catch(() => undefined)
    if (found !== undefined && found !== false) return found
  }
  throw new Error(`Patroni did not get there within ${limitMs / 1000} s: ${look}`)
}

/** Debian's etcd starts on arm64 only if it is asked to. */
const etcdEnvironment = { PATH: process.env.PATH, ETCD_UNSUPPORTED_ARCH: process.arch }

async function startEtcd(folder: string, programs: ChildProcess[]): Promise<number> {
  const [port, peerPort] = [await freePort(), await freePort()]
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`]
  const args = [
    ...['--name', 'etcd', '--data-dir', join(folder, 'etcd'), '--initial-cluster', `etcd=${peer}`, '--enable-v2'],
    ...['--listen-client-urls', client, '--advertise-client-urls', client],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
  ]
  programs.push(startProgram(patroniPrograms.etcd!, args, join(folder, 'etcd.log'), { env: etcdEnvironment }))
  await until(async () => (await request(`${client}/health`)).statusCode === 200)
  return port
}

async function startHaproxy(folder: string, nodes: readonly PatroniNode[], programs: ChildProcess[]) {
  const port = await freePort()
  const file = join(folder, `haproxy-${port}.cfg`)
  await writeFile(file, haproxyConfiguration(port, nodes))
  const program = startProgram(patroniPrograms.haproxy!, ['-db', '-f', file], join(folder, `haproxy-${port}.log`))
  programs.push(program)
  return { port, pid: program.pid! }
}

function versions(): string[] {
  const firstLine = (program: string, option: string) =>
    execFileSync(program, [option], { encoding: 'utf8', env: etcdEnvironment })
      .split('\n')
      .find((line) => !line.includes('ETCD_UNSUPPORTED_ARCH'))!
      .trim()
  const { patroni, etcd, haproxy, postgres } = patroniPrograms
  return [
    firstLine(patroni!, '--version'),
    firstLine(etcd!, '--version'),
    firstLine(haproxy!, '-v'),
    firstLine(postgres!, '--version'),
  ]
}
