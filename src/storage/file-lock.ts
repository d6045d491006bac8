import { chmodSync, closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { StoreUnusable } from './engine.ts'
import { errorOf, faultOf, SQLITE_BUSY, sqliteCode } from './sqlite/faults.ts'

/**
 * Locks `<file>.lock` so that only one gateway uses the store. The operating system releases the lock when the process ends,
 * however it ends.
 */
export function lockInstance(file: string): { release: () => void } {
  const lock = tryLock(file)
  if (lock) return lock
  throw new StoreUnusable(
    `${file} is in use by another gateway; stop it first, or use PostgreSQL to run several on one database`,
  )
}

/** The same lock; null if another process holds it. */
export function tryLock(file: string): { release: () => void } | null {
  createPrivately(`${file}.lock`)
  const lock = new DatabaseSync(`${file}.lock`, { timeout: 0, open: false })
  try {
    lock.open()
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    if (lock.isOpen) lock.close()
    if ((sqliteCode(error) & 0xff) !== SQLITE_BUSY) throw errorOf(faultOf(error, `${file}.lock`))
    return null
  }
  return { release: () => lock.close() }
}

/** Does not open an existing file, because closing it would drop this process's SQLite locks. */
function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    // Earlier versions left the mode to the umask. Anything else is reported when SQLite opens it.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') makePrivate(path)
  }
}

function makePrivate(path: string): void {
  try {
    chmodSync(path, 0o600)
  } catch {
    // Another user's file: the doctor reports it.
  }
}
