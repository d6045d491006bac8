import { randomBytes } from 'node:crypto'
import { existsSync, type Stats, statSync } from 'node:fs'
import { link, open, rename, rm } from 'node:fs/promises'
import { backup } from 'node:sqlite'
import { StoreUnavailable, StoreUnusable } from '../engine.ts'
import { Connection } from './connection.ts'

const logOf = (file: string) => `${file}-wal`
const statOf = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false })

/** SQLite would treat the store as new and delete its log, losing the last commits. */
export function refuseEmptyFileWithLog(file: string): void {
  if ((statOf(file)?.size ?? 0) > 0 || (statOf(logOf(file))?.size ?? 0) === 0) return
  throw new StoreUnusable(`${file} is missing or empty, but its log ${logOf(file)} is not: restore both from a backup`)
}

/** Pages missing from the file must be in the log: SQLite reads a missing page as zeros. */
export function refuseTruncated(file: string, writer: Connection): void {
  const { page_count: pages } = writer.get<{ page_count: number }>('PRAGMA page_count')!
  const { page_size: pageBytes } = writer.get<{ page_size: number }>('PRAGMA page_size')!
  const { log } = writer.checkpoint('NOOP')
  const bytes = statOf(file)?.size ?? 0
  if (bytes + log * pageBytes >= pages * pageBytes) return
  throw new StoreUnusable(`${file} is truncated: ${bytes} of ${pages * pageBytes} bytes; restore it from a backup`)
}

export const identityOf = (path: string): string => {
  const stats = statOf(path)
  return stats ? `${stats.dev}:${stats.ino}` : 'none'
}

/** Runs before every commit (6 µs): writes to a deleted or replaced file are lost when the process ends. */
export function createReplacedFileCheck(file: string): () => void {
  const opened = [file, logOf(file)].map((path) => ({ path, identity: identityOf(path) }))
  return () => {
    for (const { path, identity } of opened) if (identityOf(path) !== identity) throw fileReplaced(path)
  }
}

export const fileReplaced = (path: string): StoreUnavailable =>
  new StoreUnavailable(`${path} was deleted or replaced while it was in use; stop the gateway and restore the store`)

/** Copies the store, as of one moment, while it is in use. */
export async function copyStore(from: { file: string; busyTimeoutMs: number }, path: string): Promise<void> {
  if (existsSync(path)) throw alreadyExists(path)
  const partial = `${path}.${randomBytes(8).toString('hex')}.partial`
  // Created here with mode 0600; SQLite would use the umask's.
  await (await open(partial, 'wx', 0o600)).close()
  const source = new Connection(from.file, { busyTimeoutMs: from.busyTimeoutMs, readOnly: true })
  try {
    // An open read transaction, because otherwise every commit restarts the copy.
    source.exec('BEGIN')
    source.all('SELECT count(*) FROM sqlite_master')
    await backup(source.database, partial)
    await moveIntoPlace(partial, path)
  } finally {
    source.rollback()
    source.close()
    await rm(partial, { force: true })
  }
}

async function moveIntoPlace(partial: string, path: string): Promise<void> {
  try {
    await link(partial, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw alreadyExists(path)
    // Some file systems have no hard links.
    await rename(partial, path)
  }
}

const alreadyExists = (path: string) => new Error(`${path} already exists; a backup never overwrites a file`)
