import type { MessageRow } from '../messages/message.ts'

/** Issues the immutable subject of a verified phone, the only identifier shared with other products. */
export interface IdentityProvider {
  subjectOf(verifiedPhone: string): Promise<string>
}

/** A unique constraint refused the account: another request created it first. */
export class AccountConflict extends Error {
  override readonly name = 'AccountConflict'
}

export interface IdentityStore {
  read<T>(work: (tx: IdentityReader) => Promise<T>): Promise<T>
  /** Rejects with AccountConflict when a unique row already exists. */
  write<T>(work: (tx: IdentityWriter) => Promise<T>): Promise<T>
}

/** What a verification code is good for. A code of one purpose is worth nothing for another. */
export type ChallengePurpose = 'registration' | 'email_verification' | 'recovery'

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

export interface AccountRow {
  readonly accountId: string
  readonly name: string
  readonly identitySubject: string
  readonly phoneMasked: string
  readonly recoveryEmailMasked: string
  readonly recoveryEmailState: 'pending_verification' | 'verified'
  readonly projectId: string
  readonly projectName: string
}

export interface Credentials extends AccountRow {
  readonly passwordDigest: string
}

export interface SessionRow {
  readonly sessionId: string
  readonly accountId: string
  readonly projectId: string
  readonly csrfDigest: string
  readonly createdAt: number
  readonly expiresAt: number
}

export interface NewAccount {
  readonly accountId: string
  readonly name: string
  readonly recoveryEmailDigest: string
  readonly recoveryEmailMasked: string
  readonly passwordDigest: string
  readonly identitySubject: string
  readonly phoneDigest: string
  readonly phoneMasked: string
  readonly projectId: string
  readonly projectName: string
  readonly at: number
}

export interface Limit {
  readonly max: number
  readonly windowSeconds: number
}

export interface IdentityReader {
  hasAccounts(): Promise<boolean>
  challenge(challengeDigest: string): Promise<ChallengeRow | undefined>
  isPhoneRegistered(phoneDigest: string): Promise<boolean>
  credentialsByPhone(phoneDigest: string): Promise<Credentials | undefined>
  credentialsByVerifiedEmail(emailDigest: string): Promise<Credentials | undefined>
  account(accountId: string): Promise<AccountRow | undefined>
  session(sessionDigest: string, now: number): Promise<SessionRow | undefined>
  sessionsOf(accountId: string, now: number): Promise<SessionRow[]>
}

export interface IdentityWriter extends IdentityReader {
  /** Counts one use. Returns null, or the end of the window if its limit was already reached. */
  takeFrom(bucket: string, limit: Limit, now: number): Promise<number | null>
  /** When the last valid code was sent; ignores times after `latest`. */
  lastIssuedAt(target: ChallengeTarget, latest: number): Promise<number | null>
  /** Adds a challenge and invalidates earlier ones of the same contact and purpose. */
  replaceChallenge(row: NewChallenge): Promise<void>
  /** Reads the challenge and locks it until this write ends. */
  lockChallenge(challengeDigest: string): Promise<ChallengeRow | undefined>
  invalidateChallenge(challengeDigest: string, at: number): Promise<void>
  countWrongAttempt(challengeDigest: string): Promise<void>
  /** False if it is no longer usable. Of two concurrent callers at most one gets true. */
  consumeChallenge(challengeDigest: string, maxWrongAttempts: number, at: number): Promise<boolean>
  createAccount(row: NewAccount): Promise<void>
  replacePasswordDigest(accountId: string, from: string, to: string): Promise<void>
  createSession(row: SessionRow & { sessionDigest: string }): Promise<void>
  endSession(sessionDigest: string): Promise<void>
  endSessionsOf(accountId: string): Promise<number>
  /** Returns the updated session, or undefined if it is gone. */
  replaceCsrf(sessionDigest: string, csrfDigest: string, now: number): Promise<SessionRow | undefined>
  /** Adds a message to the outbox. Call `wake` of the outbox after the commit. */
  addMessage(row: MessageRow): Promise<void>
  /** Deletes expired rows, at most `limit` of each kind. Returns how many. */
  purge(now: number, limit: number): Promise<number>
}
