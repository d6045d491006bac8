import type { Limit } from './rate-limits.ts'

/** Delivers a verification code. Real delivery is an adapter that this product does not have. */
export interface SmsSender {
  send(message: SmsMessage): Promise<void>
}

export interface SmsMessage {
  readonly phone: string
  readonly code: string
  readonly challengeId: string
  readonly sentAt: string
}

/** Issues the immutable subject of a verified phone: the only thing shared with other products. */
export interface IdentityProvider {
  subjectOf(verifiedPhone: string): Promise<string>
}

/** A unique constraint refused the account: somebody else was faster. */
export class AccountConflict extends Error {
  override readonly name = 'AccountConflict'
}

export interface IdentityStore {
  read<T>(work: (tx: IdentityReader) => Promise<T>): Promise<T>
  /** Rejects with AccountConflict when a row that must be unique is there already. */
  write<T>(work: (tx: IdentityWriter) => Promise<T>): Promise<T>
}

export interface ChallengeRow {
  readonly phoneDigest: string
  readonly codeDigest: string
  readonly expiresAt: number
  readonly wrongAttempts: number
  readonly invalidatedAt: number | null
  readonly consumedAt: number | null
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
  /** Counts one use of the bucket; answers when its window ends if that is used up. */
  takeFrom(bucket: string, limit: Limit, now: number): Promise<number | null>
  /** When the last code that was not invalidated went out to the phone, up to `latest`. */
  lastIssuedAt(phoneDigest: string, latest: number): Promise<number | null>
  replaceChallenge(row: {
    challengeDigest: string
    phoneDigest: string
    codeDigest: string
    at: number
    expiresAt: number
  }): Promise<void>
  /** Reads the challenge and keeps everybody else from judging it until this write has ended. */
  lockChallenge(challengeDigest: string): Promise<ChallengeRow | undefined>
  invalidateChallenge(challengeDigest: string, at: number): Promise<void>
  countWrongAttempt(challengeDigest: string): Promise<void>
  /** False when it is no longer usable; two callers never both get true. */
  consumeChallenge(challengeDigest: string, maxWrongAttempts: number, at: number): Promise<boolean>
  createAccount(row: NewAccount): Promise<void>
  replacePasswordDigest(accountId: string, from: string, to: string): Promise<void>
  createSession(row: SessionRow & { sessionDigest: string }): Promise<void>
  endSession(sessionDigest: string): Promise<void>
  endSessionsOf(accountId: string): Promise<number>
  /** Answers the session with its new token in force, or undefined when it is gone. */
  replaceCsrf(sessionDigest: string, csrfDigest: string, now: number): Promise<SessionRow | undefined>
  /** Removes what has expired, at most `limit` rows of each kind; answers how many. */
  purge(now: number, limit: number): Promise<number>
}
