/** What a verification code is good for. A code of one purpose is worth nothing for another. */
export const challengePurposes = ['registration', 'email_verification', 'recovery', 'operator_recovery'] as const
export type ChallengePurpose = (typeof challengePurposes)[number]

/** How codes of an hour ended, without those that were never sent. */
export interface ExpiredCodes {
  readonly purpose: ChallengePurpose
  readonly used: number
  readonly unused: number
}

/** Codes are limited, and replaced by newer ones, per contact and purpose. */
export interface ChallengeTarget {
  readonly contactDigest: string
  readonly purpose: ChallengePurpose
}

export interface ChallengeRow extends ChallengeTarget {
  /** Null for a registration, and for a recovery of an unknown identifier. */
  readonly accountId: string | null
  readonly codeDigest: string
  readonly expiresAt: number
  readonly wrongAttempts: number
  readonly invalidatedAt: number | null
  readonly consumedAt: number | null
}

export interface NewChallenge extends ChallengeTarget {
  readonly challengeDigest: string
  readonly accountId: string | null
  readonly codeDigest: string
  readonly at: number
  readonly expiresAt: number
}

export interface ChallengeReader {
  challenge(challengeDigest: string): Promise<ChallengeRow | undefined>
  /** Codes that expired between two times. */
  expiredCodes(after: number, until: number): Promise<ExpiredCodes[]>
}

export interface ChallengeWriter extends ChallengeReader {
  /** When the last valid code was sent; ignores times after `latest`. */
  lastIssuedAt(target: ChallengeTarget, latest: number): Promise<number | null>
  /** Adds a challenge and invalidates the earlier ones of the same contact, purpose and account, so that `open` stay valid. */
  replaceChallenge(row: NewChallenge, open: number): Promise<void>
  /** Reads the challenge and locks it until this write ends. */
  lockChallenge(challengeDigest: string): Promise<ChallengeRow | undefined>
  invalidateChallenge(challengeDigest: string, at: number): Promise<void>
  /** Invalidates all codes of the account that were not used. */
  invalidateChallengesOf(accountId: string, at: number): Promise<void>
  countWrongAttempt(challengeDigest: string): Promise<void>
  /** False if it is no longer usable. Of two concurrent callers at most one gets true. */
  consumeChallenge(challengeDigest: string, maxWrongAttempts: number, at: number): Promise<boolean>
}
