import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import pg from 'pg'

/** Stands in for pg_basebackup where PostgreSQL is not installed: copies the files of a server on this machine. */
const target = process.argv[process.argv.indexOf('--pgdata') + 1]!
const client = new pg.Client()
await client.connect()
const { rows } = await client.query<{ directory: string }>("SELECT current_setting('data_directory') AS directory")
await client.query("SELECT pg_backup_start('base backup', true)")
await cp(rows[0]!.directory, target, {
  recursive: true,
  filter: (path) => !/^postmaster\.(pid|opts)$/.test(basename(path)),
})
const stopped = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(true)')
await writeFile(join(target, 'backup_label'), stopped.rows[0]!.labelfile)
// Only the archive has its log.
await rm(join(target, 'pg_wal'), { recursive: true })
await mkdir(join(target, 'pg_wal'), { mode: 0o700 })
await client.end()
