import { StoreUnavailable, StoreUnusable, UniqueViolation } from '../engine.ts'

/** Whether `refuse_stale_row` rejected an optimistic batch. */
export const isStale = (error: unknown): boolean => sqlState(error) === 'GW001'

/** Whether another session held a lock for too long. */
export const isLockTimeout = (error: unknown): boolean =>
  sqlState(error) === '55P03' || (error instanceof StoreUnavailable && sqlState(error.cause) === '55P03')

/** Whether the server responded with this error; otherwise the connection failed. */
export const isFromServer = (error: unknown): boolean => sqlState(error) !== undefined

/** Whether a server refused to write because it is a standby. */
export const isReadOnly = (error: unknown): boolean => sqlState(error) === '25006'

/** Translates an error of `pg`, which becomes its `cause`. */
export function errorOf(error: unknown, at: 'read' | 'write' | 'commit'): Error {
  if (error instanceof StoreUnavailable || error instanceof StoreUnusable) return error
  const cause = error instanceof Error ? error : new Error(String(error))
  const code = sqlState(cause)
  if (code === '23505')
    return new UniqueViolation((cause as { constraint?: string }).constraint ?? 'unknown', { cause })
  if (code === '42501') return new StoreUnusable(`the PostgreSQL user lacks a right: ${cause.message}`, { cause })
  if (code === '25006' && at === 'read') return new Error('a read must not write', { cause })
  if (!isUnavailable(cause, code)) return cause
  return new StoreUnavailable(`PostgreSQL cannot be used: ${cause.message}`, {
    cause,
    mayHaveCommitted: at === 'commit' && !isDefinite(code),
  })
}

/** Serialization failure or deadlock: the transaction may be run again. */
export const isRetryable = (error: unknown) => retryable.has(sqlState(error) ?? '')

/** The server's SQLSTATE; undefined for errors of the driver or the network, such as EPIPE. */
function sqlState(error: unknown): string | undefined {
  // Only server errors have a severity. Not `instanceof`, because SQLite must start without loading the driver.
  const { code, severity } = (error ?? {}) as { code?: unknown; severity?: unknown }
  return typeof code === 'string' && severity !== undefined ? code : undefined
}

function isUnavailable(error: Error, code: string | undefined): boolean {
  // Without an SQLSTATE the connection failed, unless a value could not be encoded or decoded.
  if (code === undefined) return !(error instanceof TypeError || error instanceof RangeError)
  return retryable.has(code) || unavailable.test(code)
}

/** Whether this error on a commit proves that nothing was committed. */
const isDefinite = (code: string | undefined) => code !== undefined && !/^(08|57P|58|XX)/.test(code)

const retryable = new Set(['40001', '40P01'])

/**
 * 08 connection, 28 login refused, 3D000 no such database, 53 out of disk, memory or connections, 57 shutting down, cancelled
 * or starting, 58 system error, 55P03 lock timeout, 25P03 idle timeout, 25006 read-only standby.
 */
const unavailable = /^(08|28|53|57|58)|^(3D000|55P03|25P03|25006)$/
