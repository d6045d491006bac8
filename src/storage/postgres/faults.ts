import { StoreUnavailable, StoreUnusable, UniqueViolation } from '../engine.ts'

/** A batch was made of rows that are no longer so. */
export const isStale = (error: unknown): boolean => sqlState(error) === 'GW001'

/** Says what an error of `pg` means to the caller; the original stays in `cause`. */
export function errorOf(error: unknown, at: 'read' | 'write' | 'commit'): Error {
  if (error instanceof StoreUnavailable || error instanceof StoreUnusable) return error
  const cause = error instanceof Error ? error : new Error(String(error))
  const code = sqlState(cause)
  if (code === '23505')
    return new UniqueViolation((cause as { constraint?: string }).constraint ?? 'unknown', { cause })
  if (code === '25006' && at === 'read') return new Error('a read must not write', { cause })
  if (!isUnavailable(cause, code)) return cause
  return new StoreUnavailable(`PostgreSQL cannot be used: ${cause.message}`, {
    cause,
    mayHaveCommitted: at === 'commit' && !isDefinite(code),
  })
}

/** The transaction was ended in favour of another one and may simply be run again. */
export const isRetryable = (error: unknown) => retryable.has(sqlState(error) ?? '')

/** Five characters from the server; undefined when the error is the driver's or the network's, such as EPIPE. */
function sqlState(error: unknown): string | undefined {
  // Only the server's own errors carry a severity. Not `instanceof`: an embedded store starts without the driver.
  const { code, severity } = (error ?? {}) as { code?: unknown; severity?: unknown }
  return typeof code === 'string' && severity !== undefined ? code : undefined
}

function isUnavailable(error: Error, code: string | undefined): boolean {
  // Without a state it is the connection, unless the driver could not encode or we could not decode a value.
  if (code === undefined) return !(error instanceof TypeError || error instanceof RangeError)
  return retryable.has(code) || unavailable.test(code)
}

/** A server that answers a commit with one of these has surely not committed. */
const isDefinite = (code: string | undefined) => code !== undefined && !/^(08|57P|58|XX)/.test(code)

const retryable = new Set(['40001', '40P01'])

/**
 * 08 connection, 28 not let in, 3D000 no such database, 53 out of disk, memory or connections, 57 shut down, cancelled
 * or starting, 58 system error, 55P03 lock not free in time, 25P03 idle for too long, 25006 a standby takes no writes.
 */
const unavailable = /^(08|28|53|57|58)|^(3D000|55P03|25P03|25006)$/
