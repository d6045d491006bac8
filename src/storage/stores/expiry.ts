import type { Writer } from '../engine.ts'

/** For a day after it expires, a challenge is reported as expired rather than unknown. */
const graceMs = 86_400_000

const expired = [
  { table: 'challenges', key: 'challenge_digest', column: 'expires_at', graceMs },
  { table: 'sessions', key: 'session_digest', column: 'expires_at', graceMs: 0 },
  { table: 'operator_sessions', key: 'session_digest', column: 'expires_at', graceMs: 0 },
  { table: 'rate_windows', key: 'bucket', column: 'window_ends_at', graceMs: 0 },
] as const

/** Removes at most `limit` expired rows per table, so that a purge never blocks calls for long. */
export const createPurge =
  (tx: Writer) =>
  async (now: number, limit: number): Promise<number> => {
    let removed = 0
    for (const { table, key, column, graceMs } of expired) {
      removed += await tx.run(
        // Repeated outside: for a row renewed meanwhile, PostgreSQL rechecks only the outer condition.
        `DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE ${column} <= $1 LIMIT $2)
          AND ${column} <= $1`,
        [now - graceMs, limit],
      )
    }
    return removed
  }
