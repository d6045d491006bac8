import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../http/free-port.ts'
import { type PostgresUser, postgresUser, serverPrograms } from './postgres-programs.ts'

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
  /** The folder of its programs; by default those from npm. */
  readonly programs?: string
  /** Files of another server and its password; by default a new database. */
  readonly copy?: { readonly databaseDir: string; readonly password: string }
}

/** Starts a real PostgreSQL on a free local port. */
export async function startPostgres({
  fsync,
  flags = [],
  parent = tmpdir(),
  programs,
  copy,
}: ServerOptions): Promise<PostgresServer> {
  const databaseDir = copy?.databaseDir ?? (await mkdtemp(join(parent, 'gateway-postgres-')))
  const port = await freePort()
  const password = copy?.password ?? randomBytes(12).toString('hex')
  const user = postgresUser()
  const bin = programs ?? (await serverPrograms(user))
  if (!copy) await initialise({ databaseDir, password, bin, user, isEmbedded: programs === undefined })
  let server: ChildProcess | undefined
  const start = async () => {
    const settings = [
      ...['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
      ...['-c', `fsync=${fsync ? 'on' : 'off'}`, '-c', 'max_connections=100', '-c', 'deadlock_timeout=100ms'],
      ...flags,
    ]
    server = spawn(join(bin, 'postgres'), ['-D', databaseDir, '-p', String(port), ...settings], {
      ...user,
      // The current folder may be one that the user cannot enter.
      cwd: bin,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    await untilReady(server)
  }
  const stop = async (signal: 'SIGINT' | 'SIGKILL' = 'SIGINT') => {
    if (!server || hasEnded(server)) return
    const ended = once(server, 'exit')
    server.kill(signal)
    await ended
  }
  const forget = atEnd(() => void server?.kill('SIGINT'))
  await start()
  return {
    databaseDir,
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    start,
    stop: () => stop(),
    crash: () => stop('SIGKILL'),
    kill: async () => {
      await stop('SIGKILL')
      await startSoon(start)
    },
    remove: async () => {
      await stop()
      forget()
      await rm(databaseDir, { recursive: true, force: true })
    },
  }
}

/** Runs `work` however this process ends, but for SIGKILL. Returns a function that takes it back. */
function atEnd(work: () => void): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const onSignal = (signal: NodeJS.Signals) => {
    work()
    // A listener keeps a signal from ending the process.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal)
  }
  process.once('exit', work)
  for (const signal of signals) process.once(signal, onSignal)
  return () => {
    process.off('exit', work)
    for (const signal of signals) process.off(signal, onSignal)
  }
}

interface NewDatabase {
  readonly databaseDir: string
  readonly password: string
  readonly bin: string
  readonly user: PostgresUser | undefined
  readonly isEmbedded: boolean
}

async function initialise({ databaseDir, password, bin, user, isEmbedded }: NewDatabase): Promise<void> {
  const passwordFile = `${databaseDir}.password`
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (user) for (const path of [databaseDir, passwordFile]) await chown(path, user.uid, user.gid)
  const args = [
    ...['-D', databaseDir, '--auth=password', '--username=postgres', `--pwfile=${passwordFile}`],
    // The server checks the password for each connection, and a slow digest would take a tenth of its processor time.
    // Versions before 16 do not know the setting.
    ...['--no-sync', '--encoding=UTF8', '--locale=C', ...(isEmbedded ? ['-c', 'scram_iterations=1'] : [])],
  ]
  try {
    await promisify(execFile)(join(bin, 'initdb'), args, { ...user, cwd: bin })
  } finally {
    await rm(passwordFile)
  }
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

const readyLine = /database system is ready to accept (read-only )?connections/

async function untilReady(server: ChildProcess): Promise<void> {
  const log: string[] = []
  await new Promise<void>((resolve, reject) => {
    // Read for as long as the server runs: a full pipe would stop it.
    server.stderr!.setEncoding('utf8').on('data', (chunk: string) => {
      log.push(chunk)
      if (log.length > 20) log.shift()
      if (readyLine.test(log.join(''))) resolve()
    })
    server.once('error', reject)
    server.once('close', () => reject(new Error(`PostgreSQL did not start:\n${log.join('')}`)))
  })
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null
