import { randomBytes } from 'node:crypto'
import { existsSync, type Stats, statSync } from 'node:fs'
import { link, open, rename, rm } from 'node:fs/promises'
import { backup } from 'node:sqlite'
import { StoreUnavailable, StoreUnusable } from '../engine.ts'
import { Connection } from './connection.ts'

const logOf = (file: string) => `${file}-wal`
const look = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false })

/** SQLite would take such a store for a new one and drop its log, with everything that was committed last. */
export function refuseEmptyBesideLog(file: string): void {
  if ((look(file)?.size ?? 0) > 0 || (look(logOf(file))?.size ?? 0) === 0) return
  throw new StoreUnusable(`${file} is missing or empty, but its log ${logOf(file)} is not: restore both from a backup`)
}

/** Pages past the end of the file must all be in the log; SQLite itself reads a missing page as zeros. */
export function refuseCutShort(file: string, writer: Connection): void {
  const { page_count: pages } = writer.get<{ page_count: number }>('PRAGMA page_count')!
  const { page_size: pageBytes } = writer.get<{ page_size: number }>('PRAGMA page_size')!
  const { log } = writer.checkpoint('NOOP')
  const bytes = look(file)?.size ?? 0
  if (bytes + log * pageBytes >= pages * pageBytes) return
  throw new StoreUnusable(`${file} is cut short: ${bytes} of ${pages * pageBytes} bytes; restore it from a backup`)
}

export const identityOf = (path: string): string => {
  const stats = look(path)
  return stats ? `${stats.dev}:${stats.ino}` : 'none'
}

/**
 * Whatever is written to files that were deleted or replaced is gone with the process. Two looks cost 6 µs a batch, so
 * every commit is checked.
 */
export function createPlaceCheck(file: string): () => void {
  const opened = [file, logOf(file)].map((path) => ({ path, identity: identityOf(path) }))
  return () => {
    for (const { path, identity } of opened) if (identityOf(path) !== identity) throw movedAway(path)
  }
}

export const movedAway = (path: string): StoreUnavailable =>
  new StoreUnavailable(`${path} was deleted or replaced while it was in use; stop the gateway and restore the store`)

/** Copies the store as of one moment while it is in use. */
export async function copyStore(from: { file: string; busyTimeoutMs: number }, path: string): Promise<void> {
  if (existsSync(path)) throw existsAlready(path)
  const partial = `${path}.${randomBytes(8).toString('hex')}.partial`
  // Created here, because SQLite would give it the mode that the umask leaves.
  await (await open(partial, 'wx', 0o600)).close()
  const source = new Connection(from.file, { busyTimeoutMs: from.busyTimeoutMs, readOnly: true })
  try {
    // An open snapshot keeps the copy from starting over at every commit of the writer.
    source.exec('BEGIN')
    source.all('SELECT count(*) FROM sqlite_master')
    await backup(source.database, partial)
    await placeNew(partial, path)
  } finally {
    source.rollback()
    source.close()
    await rm(partial, { force: true })
  }
}

async function placeNew(partial: string, path: string): Promise<void> {
  try {
    await link(partial, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw existsAlready(path)
    // Some file systems have no links.
    await rename(partial, path)
  }
}

const existsAlready = (path: string) => new Error(`${path} exists already; a backup overwrites nothing`)
