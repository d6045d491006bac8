import { latestWindowEnd, windowEnd } from '../../contract/rate-window.ts'
import type { Limit } from '../../identity/ports.ts'
import type { Writer } from '../engine.ts'

/** Counts one request in the bucket's fixed window. Returns null, or the end of the window if its limit is used up. */
export async function takeFrom(tx: Writer, bucket: string, limit: Limit, now: number): Promise<number | null> {
  const { used, windowEndsAt } = await countIn(tx, bucket, limit.windowSeconds, now)
  return used > limit.max ? windowEndsAt : null
}

/** Counts one more in the bucket's fixed window. A single statement, so that concurrent requests on any instance are each counted. */
export async function countIn(
  tx: Writer,
  bucket: string,
  windowSeconds: number,
  now: number,
): Promise<{ used: number; windowEndsAt: number }> {
  const windowMs = windowSeconds * 1000
  const row = await tx.get<{ used: number; windowEndsAt: number }>(
    `INSERT INTO rate_windows (bucket, window_ends_at, used) VALUES ($1, $2, 1)
    ON CONFLICT (bucket) DO UPDATE SET
      used = CASE WHEN ${isCurrent} THEN rate_windows.used + 1 ELSE 1 END,
      window_ends_at = CASE WHEN ${isCurrent} THEN rate_windows.window_ends_at ELSE excluded.window_ends_at END
    RETURNING used, window_ends_at AS "windowEndsAt"`,
    [bucket, windowEnd(now, windowMs), now, latestWindowEnd(now, windowMs)],
  )
  return row!
}

const isCurrent = 'rate_windows.window_ends_at > $3 AND rate_windows.window_ends_at <= $4'
