import { randomBytes } from 'node:crypto'
import { existsSync, type Stats, statSync } from 'node:fs'
import { link, open, rename, rm } from 'node:fs/promises'
import { backup } from 'node:sqlite'
import { StoreUnavailable, StoreUnusable } from '../engine.ts'
import { Connection } from './connection.ts'

const logOf = (file: string) => `${file}-wal`
export const statOf = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false })

/** SQLite would treat the store as new, and delete its log if there is one, losing the last commits. */
export function refuseEmptyFile(file: string): void {
  const bytes = statOf(file)?.size
  if (bytes !== undefined && bytes > 0) return
  if ((statOf(logOf(file))?.size ?? 0) > 0) {
    throw new StoreUnusable(
      `${file} is missing or empty, but its log ${logOf(file)} is not: restore both from a backup`,
    )
  }
  if (bytes === undefined) return
  throw new StoreUnusable(
    `${file} is empty, so it lost what was in it: restore it from a backup, or delete it to begin anew`,
  )
}

/** Creates a private store that is never empty, so that an empty one is known to be damaged. */
export async function createStoreFile(file: string): Promise<void> {
  if (existsSync(file)) return
  const partial = await createPartial(file)
  try {
    const connection = new Connection(partial, { busyTimeoutMs: 0, readOnly: false })
    connection.markFile()
    connection.close()
    await moveIntoPlace(partial, file).catch((error) => {
      // Another program was faster.
      if (!existsSync(file)) throw error
    })
  } finally {
    for (const name of [partial, logOf(partial), `${partial}-shm`]) await rm(name, { force: true })
  }
}

/** Created here with mode 0600; SQLite would use the umask's. */
async function createPartial(path: string): Promise<string> {
  const partial = `${path}.${randomBytes(8).toString('hex')}.partial`
  await (await open(partial, 'wx', 0o600)).close()
  return partial
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
  const partial = await createPartial(path)
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
