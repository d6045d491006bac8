import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { type PostgresServer, startPostgres } from './postgres-server.ts'
import { chownLike, copyWhileRunning, onServer } from './postgres-standby.ts'

/** A server that archives its log, as point-in-time recovery needs it. */
export async function startArchivedPostgres() {
  const archive = await mkdtemp(join(tmpdir(), 'gateway-archive-'))
  const command = `test ! -f ${archive}/%f && cp %p ${archive}/%f`
  const flags = ['-c', 'archive_mode=on', '-c', `archive_command=${command}`]
  const server = await startPostgres({ fsync: false, flags })
  await chownLike(server.databaseDir, archive)
  return {
    server,
    /** Copies the files while the server is in use. Its log is not in the copy: only the archive has it. */
    baseBackup: async (): Promise<string> => {
      const copy = await copyWhileRunning(server, 'base backup')
      await rm(join(copy, 'pg_wal'), { recursive: true })
      await mkdir(join(copy, 'pg_wal'), { mode: 0o700 })
      await chownLike(server.databaseDir, copy)
      return copy
    },
    /** Names this moment, so that a recovery can stop there. */
    nameMoment: (name: string) =>
      onServer(server, async (client) => void (await client.query('SELECT pg_create_restore_point($1)', [name]))),
    /** Waits until all that was committed is in the archive. */
    archiveAll: async (): Promise<void> => {
      const { rows } = await onServer(server, (client) =>
        client.query<{ file: string }>('SELECT pg_walfile_name(pg_switch_wal()) AS file'),
      )
      const isArchived = async () => (await readdir(archive)).includes(rows[0]!.file)
      await vi.waitUntil(isArchived, { timeout: 20_000, interval: 20 })
    },
    /** A new server from the copy and the archive, as it was at the named moment. */
    recover: async (databaseDir: string, moment: string): Promise<PostgresServer> => {
      await writeFile(join(databaseDir, 'recovery.signal'), '')
      await chownLike(server.databaseDir, databaseDir)
      const recovered = await startPostgres({
        fsync: false,
        flags: [
          ...['-c', `restore_command=cp ${archive}/%f %p`, '-c', `recovery_target_name=${moment}`],
          ...['-c', 'recovery_target_action=promote'],
        ],
        copy: { databaseDir, password: new URL(server.url).password },
      })
      await vi.waitUntil(async () => !(await isRecovering(recovered)), { timeout: 20_000, interval: 20 })
      return recovered
    },
    remove: async () => {
      await server.remove()
      await rm(archive, { recursive: true, force: true })
    },
  }
}

/** True as long as the server accepts no connection. */
const isRecovering = (server: PostgresServer): Promise<boolean> =>
  onServer(server, async (client) => {
    const { rows } = await client.query<{ recovering: boolean }>('SELECT pg_is_in_recovery() AS recovering')
    return rows[0]!.recovering
  }).catch(() => true)
