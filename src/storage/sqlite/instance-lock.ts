import { DatabaseSync } from 'node:sqlite'
import { StoreUnusable } from '../engine.ts'
import { errorOf, faultOf, SQLITE_BUSY, sqliteCode } from './faults.ts'

/**
 * Holds `<file>.lock` for the life of the process, so that one gateway at most works on the file. The lock is the
 * operating system's: it is gone the moment its process is, however that ends.
 */
export function lockInstance(file: string): { release: () => void } {
  const lock = new DatabaseSync(`${file}.lock`, { timeout: 0, open: false })
  try {
    lock.open()
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    if (lock.isOpen) lock.close()
    if ((sqliteCode(error) & 0xff) !== SQLITE_BUSY) throw errorOf(faultOf(error))
    throw new StoreUnusable(
      `${file} is in use by another gateway; stop it first, or use PostgreSQL to run several on one database`,
    )
  }
  return { release: () => lock.close() }
}
