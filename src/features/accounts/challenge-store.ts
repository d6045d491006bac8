import { latestWindowEnd, windowEnd } from '../../base/rate-window.ts'
import type { Reader, Writer } from '../../storage/engine.ts'
import type { ChallengeReader, ChallengeRow, ChallengeWriter, ExpiredCodes, Limit, WindowUse } from './ports.ts'

const challengeColumns = `purpose, account_id AS "accountId", contact_digest AS "contactDigest", code_digest AS "codeDigest",
  expires_at AS "expiresAt", wrong_attempts AS "wrongAttempts", invalidated_at AS "invalidatedAt", consumed_at AS "consumedAt"`

const isOpen = 'invalidated_at IS NULL AND consumed_at IS NULL'

export function challengeReads(tx: Reader): ChallengeReader {
  return {
    challenge: (digest) =>
      tx.get<ChallengeRow>(`SELECT ${challengeColumns} FROM challenges WHERE challenge_digest = $1`, [digest]),
    expiredCodes: (after, until) =>
      // A recovery without an account was sent to nobody.
      tx.all<ExpiredCodes>(
        `SELECT purpose, COUNT(consumed_at) AS used, COUNT(*) - COUNT(consumed_at) AS unused FROM challenges
        WHERE expires_at > $1 AND expires_at <= $2 AND NOT (purpose = 'recovery' AND account_id IS NULL) GROUP BY purpose`,
        [after, until],
      ),
  }
}

export function challengeWrites(tx: Writer): Omit<ChallengeWriter, keyof ChallengeReader> {
  return {
    lastIssuedAt: async ({ contactDigest, purpose }, latest) => {
      const row = await tx.get<{ issuedAt: number }>(
        `SELECT issued_at AS "issuedAt" FROM challenges WHERE contact_digest = $1 AND purpose = $2
          AND invalidated_at IS NULL AND issued_at <= $3 ORDER BY issued_at DESC LIMIT 1`,
        [contactDigest, purpose, latest],
      )
      return row?.issuedAt ?? null
    },
    replaceChallenge: async (
      { challengeDigest, purpose, accountId, contactDigest, codeDigest, at, expiresAt },
      open,
    ) => {
      // Two accounts can try to verify one address: neither ends the other's code.
      const isEarlier = `contact_digest = $1 AND purpose = $2 AND COALESCE(account_id, '') = $4 AND ${isOpen}`
      await tx.run(
        `UPDATE challenges SET invalidated_at = $3 WHERE ${isEarlier} AND challenge_digest NOT IN (
          SELECT challenge_digest FROM challenges WHERE ${isEarlier} ORDER BY issued_at DESC LIMIT $5)`,
        [contactDigest, purpose, at, accountId ?? '', open - 1],
      )
      await tx.run(
        `INSERT INTO challenges (challenge_digest, purpose, account_id, contact_digest, code_digest, issued_at, expires_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        [challengeDigest, purpose, accountId, contactDigest, codeDigest, at, expiresAt],
      )
    },
    // An update that changes nothing locks the row until the transaction ends.
    lockChallenge: (digest) =>
      tx.get<ChallengeRow>(
        `UPDATE challenges SET wrong_attempts = wrong_attempts WHERE challenge_digest = $1 RETURNING ${challengeColumns}`,
        [digest],
      ),
    invalidateChallenge: async (digest, at) => {
      await tx.run('UPDATE challenges SET invalidated_at = $2 WHERE challenge_digest = $1', [digest, at])
    },
    invalidateChallengesOf: async (accountId, at) => {
      await tx.run(`UPDATE challenges SET invalidated_at = $2 WHERE account_id = $1 AND ${isOpen}`, [accountId, at])
    },
    countWrongAttempt: async (digest) => {
      await tx.run('UPDATE challenges SET wrong_attempts = wrong_attempts + 1 WHERE challenge_digest = $1', [digest])
    },
    consumeChallenge: async (digest, maxWrongAttempts, at) =>
      (await tx.run(
        `UPDATE challenges SET consumed_at = $2 WHERE challenge_digest = $1 AND ${isOpen}
          AND expires_at > $2 AND wrong_attempts < $3`,
        [digest, at, maxWrongAttempts],
      )) === 1,
  }
}

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
