import type { Writer } from '../engine.ts'

/** Rows that nobody can use any more. A day's grace keeps an expired challenge answerable as what it was. */
const graceMs = 86_400_000

const expired = [
  { table: 'challenges', key: 'challenge_digest', column: 'expires_at', graceMs },
  { table: 'sessions', key: 'session_digest', column: 'expires_at', graceMs: 0 },
  { table: 'rate_windows', key: 'bucket', column: 'window_ends_at', graceMs: 0 },
] as const

/** Removes at most `limit` rows of each kind, so that a purge never holds up the calls for long. */
export const createPurge =
  (tx: Writer) =>
  async (now: number, limit: number): Promise<number> => {
    let removed = 0
    for (const { table, key, column, graceMs } of expired) {
      removed += await tx.run(
        // Checked again outside: PostgreSQL judges a row that was renewed meanwhile by the outer condition alone.
        `DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE ${column} <= $1 LIMIT $2)
          AND ${column} <= $1`,
        [now - graceMs, limit],
      )
    }
    return removed
  }
