import { latestWindowEnd, windowEnd } from '../../contract/rate-window.ts'
import type { Limit, WindowUse } from '../../identity/ports.ts'
import type { Reader, Writer } from '../engine.ts'

/** Counts one request in the bucket's fixed window. Returns null, or the end of the window if its limit is used up. */
export async function takeFrom(tx: Writer, bucket: string, limit: Limit, now: number): Promise<number | null> {
  const { used, windowEndsAt } = await countIn(tx, bucket, limit.windowSeconds, now)
  return used > limit.max ? windowEndsAt : null
}

/** Counts one more in the bucket's fixed window. A single statement, so that concurrent requests on any instance are each counted. */
export async function countIn(tx: Writer, bucket: string, windowSeconds: number, now: number): Promise<WindowUse> {
  const windowMs = windowSeconds * 1000
  const row = await tx.get<WindowUse>(
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

/** Reads what was counted in the bucket's current window. */
export async function usedIn(tx: Reader, bucket: string, windowSeconds: number, now: number): Promise<WindowUse> {
  const windowMs = windowSeconds * 1000
  const row = await tx.get<WindowUse>(
    `SELECT used, window_ends_at AS "windowEndsAt" FROM rate_windows
    WHERE bucket = $1 AND window_ends_at > $2 AND window_ends_at <= $3`,
    [bucket, now, latestWindowEnd(now, windowMs)],
  )
  return row ?? { used: 0, windowEndsAt: windowEnd(now, windowMs) }
}
