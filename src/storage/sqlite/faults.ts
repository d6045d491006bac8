import { StoreUnavailable, StoreUnusable, UniqueViolation } from '../engine.ts'
import type { Dialect } from '../schema/migrate.ts'
import type { Fault } from './protocol.ts'

/** Translates an error of `node:sqlite`. Without a file where the reader cannot do anything about it. */
export function faultOf(error: unknown, file = 'the SQLite database'): Fault {
  if (error instanceof UniqueViolation) return { kind: 'unique', message: error.message, constraint: error.constraint }
  if (error instanceof StoreUnavailable) return { kind: 'unavailable', message: error.message }
  if (error instanceof StoreUnusable) return { kind: 'unusable', message: error.message }
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  // The low byte is the primary result code.
  const code = sqliteCode(error) & 0xff
  const meaning = meanings[code]
  const remedy = code === SQLITE_CORRUPT ? '; it is truncated or damaged: restore it from a backup' : ''
  if (meaning) return { kind: meaning, message: `${file} cannot be used: ${message}${remedy}` }
  return { kind: 'failure', message, ...(stack && { stack }) }
}

export function errorOf(fault: Fault): Error {
  switch (fault.kind) {
    case 'unique':
      return new UniqueViolation(fault.constraint ?? 'unknown')
    case 'unavailable':
      return new StoreUnavailable(fault.message)
    case 'unusable':
      return new StoreUnusable(fault.message)
    case 'failure':
      return new Error(fault.message, { cause: fault.stack })
  }
}

/** SQLite's extended result code; 0 for other errors. */
export function sqliteCode(error: unknown): number {
  const code = (error as { errcode?: unknown } | null)?.errcode
  return typeof code === 'number' ? code : 0
}

export const SQLITE_BUSY = 5
export const SQLITE_READONLY = 8
const SQLITE_CORRUPT = 11

const meanings: Readonly<Record<number, 'unavailable' | 'unusable'>> = {
  [SQLITE_BUSY]: 'unavailable',
  6: 'unavailable', // LOCKED
  7: 'unavailable', // NOMEM
  [SQLITE_READONLY]: 'unavailable',
  9: 'unavailable', // INTERRUPT
  10: 'unavailable', // IOERR
  13: 'unavailable', // FULL
  14: 'unavailable', // CANTOPEN
  15: 'unavailable', // PROTOCOL
  [SQLITE_CORRUPT]: 'unusable',
  26: 'unusable', // NOTADB
}

export const sqliteDialect: Dialect = {
  engine: 'sqlite',
  // A write transaction already excludes all others.
  lock: [],
  findRecords: "SELECT count(*) AS found FROM sqlite_master WHERE type = 'table' AND name = 'schema_migrations'",
  // The instance lock allows only one gateway.
  selectLiveInstances: null,
  isLockTimeout: () => false,
}
