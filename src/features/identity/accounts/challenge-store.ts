import { latestWindowEnd, windowEnd } from '../../../base/time.ts'
import type { Reader, Writer } from '../../../storage/engine.ts'
import { integer, orNull, type RowOf, rowMapper, text } from '../../../storage/row-mapper.ts'

/** A code is valid only for its purpose. */
export const challengePurposes = ['registration', 'email_verification', 'recovery', 'operator_recovery'] as const
export type ChallengePurpose = (typeof challengePurposes)[number]

const newChallengeColumns = {
  purpose: text<ChallengePurpose>(),
  contactDigest: text(),
  /** Null for a registration, and for a recovery of an unknown identifier. */
  accountId: orNull(text()),
  codeDigest: text(),
  expiresAt: integer(),
}
const newChallenges = rowMapper('challenges', {
  ...newChallengeColumns,
  challengeDigest: text(),
  at: integer('issued_at'),
})
const challenges = rowMapper('challenges', {
  ...newChallengeColumns,
  wrongAttempts: integer(),
  invalidatedAt: orNull(integer()),
  consumedAt: orNull(integer()),
})
export type NewChallenge = RowOf<typeof newChallenges.columns>
export type ChallengeRow = RowOf<typeof challenges.columns>

/** Codes are limited, and replaced by newer ones, per contact and purpose. */
export type ChallengeTarget = Pick<ChallengeRow, 'contactDigest' | 'purpose'>

const isOpen = 'invalidated_at IS NULL AND consumed_at IS NULL'

export const challengeReads = (tx: Reader) => ({
  challenge: (digest: string) => challenges.get(tx, 'WHERE challenge_digest = $1', [digest]),
  /** How the codes ended that expired between two times, without those that were never sent. */
  expiredCodes: (after: number, until: number) =>
    // A recovery without an account was not sent.
    tx.all<{ purpose: ChallengePurpose; used: number; unused: number }>(
      `SELECT purpose, COUNT(consumed_at) AS used, COUNT(*) - COUNT(consumed_at) AS unused FROM challenges
      WHERE expires_at > $1 AND expires_at <= $2 AND NOT (purpose = 'recovery' AND account_id IS NULL) GROUP BY purpose`,
      [after, until],
    ),
})

export const challengeWrites = (tx: Writer) => ({
  /** When the last valid code was sent; ignores times after `latest`. */
  lastIssuedAt: async ({ contactDigest, purpose }: ChallengeTarget, latest: number): Promise<number | null> => {
    const row = await tx.get<{ at: number }>(
      `SELECT issued_at AS at FROM challenges WHERE contact_digest = $1 AND purpose = $2
        AND invalidated_at IS NULL AND issued_at <= $3 ORDER BY issued_at DESC LIMIT 1`,
      [contactDigest, purpose, latest],
    )
    return row?.at ?? null
  },
  /** Adds a challenge and invalidates the earlier ones of the same contact, purpose and account, so that `open` stay valid. */
  replaceChallenge: async (row: NewChallenge, open: number) => {
    // Two accounts can try to verify one address: neither ends the other's code.
    const isEarlier = `contact_digest = $1 AND purpose = $2 AND COALESCE(account_id, '') = $4 AND ${isOpen}`
    await tx.run(
      `UPDATE challenges SET invalidated_at = $3 WHERE ${isEarlier} AND challenge_digest NOT IN (
        SELECT challenge_digest FROM challenges WHERE ${isEarlier} ORDER BY issued_at DESC LIMIT $5)`,
      [row.contactDigest, row.purpose, row.at, row.accountId ?? '', open - 1],
    )
    await newChallenges.insert(tx, row)
  },
  /** Reads the challenge and locks it until this write ends, by an update that changes nothing. */
  lockChallenge: (digest: string) =>
    tx.get<ChallengeRow>(
      `UPDATE challenges SET wrong_attempts = wrong_attempts WHERE challenge_digest = $1 RETURNING ${challenges.list}`,
      [digest],
    ),
  invalidateChallenge: (digest: string, at: number) =>
    challenges.update(tx, { invalidatedAt: at }, 'challenge_digest = $1', [digest]),
  /** Invalidates all codes of the account that were not used. */
  invalidateChallengesOf: (accountId: string, at: number) =>
    challenges.update(tx, { invalidatedAt: at }, `account_id = $1 AND ${isOpen}`, [accountId]),
  countWrongAttempt: (digest: string) =>
    tx.run('UPDATE challenges SET wrong_attempts = wrong_attempts + 1 WHERE challenge_digest = $1', [digest]),
  /** False if it is no longer usable. Of two concurrent callers at most one gets true. */
  consumeChallenge: async (digest: string, maxWrongAttempts: number, at: number) =>
    (await tx.run(
      `UPDATE challenges SET consumed_at = $2 WHERE challenge_digest = $1 AND ${isOpen}
        AND expires_at > $2 AND wrong_attempts < $3`,
      [digest, at, maxWrongAttempts],
    )) === 1,
})

export interface Limit {
  readonly max: number
  readonly windowSeconds: number
}

const windows = rowMapper('rate_windows', { used: integer(), windowEndsAt: integer() })

export type WindowUse = RowOf<typeof windows.columns>

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
    RETURNING ${windows.list}`,
    [bucket, windowEnd(now, windowMs), now, latestWindowEnd(now, windowMs)],
  )
  return row!
}

const isCurrent = 'rate_windows.window_ends_at > $3 AND rate_windows.window_ends_at <= $4'

/** Reads what was counted in the bucket's current window, without a lock. */
export async function usedIn(tx: Reader, bucket: string, windowSeconds: number, now: number): Promise<WindowUse> {
  const windowMs = windowSeconds * 1000
  const row = await windows.get(tx, 'WHERE bucket = $1 AND window_ends_at > $2 AND window_ends_at <= $3', [
    bucket,
    now,
    latestWindowEnd(now, windowMs),
  ])
  return row ?? { used: 0, windowEndsAt: windowEnd(now, windowMs) }
}
