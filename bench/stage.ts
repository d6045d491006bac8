import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type PostgresServer, startPostgres } from '../testkit/store/postgres-server.ts'
import { atExit } from './at-exit.ts'
import { createAutocannon } from './load/autocannon.ts'
import type { LoadGenerator } from './load/load.ts'
import { createWrk } from './load/wrk.ts'
import { childrenCalled, processTree } from './process-usage.ts'

/** What a benchmark runs with: its own files, a load generator, and PostgreSQL when needed. */
export interface Stage {
  readonly workDir: string
  readonly generator: LoadGenerator
  /** A new, empty database on the one server. */
  postgresDatabase(name: string): Promise<string>
  postgresProcesses(): readonly number[]
  onPostgres(database: string, sql: string): Promise<void>
  /** Stops the server and leaves no file behind. */
  clear(): Promise<void>
}

export async function openStage(installPeers: () => void): Promise<Stage> {
  const workDir = await mkdtemp(join(tmpdir(), 'gateway-bench-'))
  const removeFiles = () => rmSync(workDir, { recursive: true, force: true })
  atExit.add(removeFiles)
  let server: Promise<PostgresServer> | undefined
  const started = () => {
    server ??= startPostgres({ fsync: true, flags: ['-c', 'max_connections=200'] })
    return server
  }
  const execute = async (url: string, sql: string) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(sql).finally(() => client.end())
  }
  const databaseUrl = async (name: string) =>
    Object.assign(new URL((await started()).url), { pathname: `/${name}` }).href
  return {
    workDir,
    generator: chooseGenerator(workDir, installPeers),
    async postgresDatabase(name) {
      await execute((await started()).url, `CREATE DATABASE ${name}`)
      return databaseUrl(name)
    },
    postgresProcesses: () => childrenCalled('postgres').flatMap(processTree),
    onPostgres: execute,
    async clear() {
      await (await server)?.remove()
      removeFiles()
    },
  }
}

function chooseGenerator(workDir: string, installPeers: () => void): LoadGenerator {
  const { stdout, error } = spawnSync('wrk', ['--version'], { encoding: 'utf8' })
  if (!error) return createWrk(/^wrk \S+/.exec(stdout)?.[0] ?? 'wrk', workDir)
  installPeers()
  return createAutocannon(workDir)
}
