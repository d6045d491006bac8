import { DatabaseSync } from 'node:sqlite'
import { StoreUnusable } from '../engine.ts'
import { errorOf, faultOf, SQLITE_BUSY, sqliteCode } from './faults.ts'

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

/** The same lock; null if somebody else holds it. */
export function tryLock(file: string): { release: () => void } | null {
  const lock = new DatabaseSync(`${file}.lock`, { timeout: 0, open: false })
  try {
    lock.open()
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    if (lock.isOpen) lock.close()
    if ((sqliteCode(error) & 0xff) !== SQLITE_BUSY) throw errorOf(faultOf(error))
    return null
  }
  return { release: () => lock.close() }
}
