import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { type PostgresServer, startPostgres } from './postgres-server.ts'

/** Starts a synchronous standby of a running server, from a copy of its files, and waits until it is in step. */
export async function startStandby(primary: PostgresServer): Promise<PostgresServer> {
  const { password, hostname, port } = new URL(primary.url)
  const databaseDir = await copyWhileRunning(primary, 'standby')
  await writeFile(join(databaseDir, 'standby.signal'), '')
  await chownLike(primary.databaseDir, databaseDir)
  const from = `host=${hostname} port=${port} user=postgres password=${password} application_name=standby`
  const flags = ['-c', `primary_conninfo=${from}`, '-c', 'wal_keep_size=256MB']
  const standby = await startPostgres({ fsync: false, flags, copy: { databaseDir, password } })
  await onServer(primary, async (client) => {
    await client.query("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
    await client.query('SELECT pg_reload_conf()')
    for (let tries = 0; tries < 400; tries += 1) {
      const { rows } = await client.query("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'")
      if (rows.length > 0) return
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error('the standby did not connect')
  })
  return standby
}

/** Makes a standby the primary. */
export const promote = (standby: PostgresServer) =>
  onServer(standby, async (client) => void (await client.query('SELECT pg_promote()')))

/** A copy of a server's files that a recovery can start from. */
export async function copyWhileRunning(server: PostgresServer, label: string): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'gateway-standby-'))
  await onServer(server, async (client) => {
    await client.query('SELECT pg_backup_start($1, true)', [label])
    await copyFiles(server.databaseDir, copy)
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)')
    await writeFile(join(copy, 'backup_label'), rows[0]!.labelfile)
  })
  return copy
}

/** Files for the user that the server runs as. */
export async function chownLike(model: string, path: string): Promise<void> {
  const { uid, gid } = await stat(model)
  await promisify(execFile)('chown', ['-R', `${uid}:${gid}`, path])
}

async function copyFiles(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, filter: (path) => !/postmaster\.(pid|opts)$/.test(path), force: true })
  await rm(join(to, 'postmaster.pid'), { force: true })
}

export async function onServer<T>(
  { url }: Pick<PostgresServer, 'url'>,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
