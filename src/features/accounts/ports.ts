import type { SessionRow } from '../../http/guards.ts'
import type { SecretVersion } from '../../ops/secrets.ts'
import type { AddEvent } from '../../storage/event-rows.ts'
import type { MessageRow } from '../messages/message.ts'
import type { ContactKind, KeyedDigest, StoredContact } from './contacts.ts'

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

/** An account with its password and contacts. A contact from before there were sealed copies has none, and no key version. */
export interface Credentials extends AccountRow {
  readonly passwordDigest: string
  readonly phoneDigest: string
  readonly phoneSealed: string | null
  readonly phoneKeyVersion: string | null
  readonly emailDigest: string
  readonly emailSealed: string | null
  readonly emailKeyVersion: string | null
}

interface NewAccount {
  readonly accountId: string
  readonly name: string
  readonly recoveryEmail: StoredContact
  readonly passwordDigest: string
  readonly identitySubject: string
  readonly phone: StoredContact
  readonly projectId: string
  readonly projectName: string
  readonly at: number
}

export interface AccountReader {
  hasAccounts(): Promise<boolean>
  isPhoneRegistered(phone: KeyedDigest): Promise<boolean>
  credentialsByPhone(phone: KeyedDigest): Promise<Credentials | undefined>
  credentialsByVerifiedEmail(email: KeyedDigest): Promise<Credentials | undefined>
  credentialsOf(accountId: string): Promise<Credentials | undefined>
  credentialsOfProject(projectId: string): Promise<Credentials | undefined>
  /** The account that this identifier can recover. A pending email finds none. */
  accountIdOf(kind: ContactKind, contact: KeyedDigest): Promise<string | undefined>
  account(accountId: string): Promise<AccountRow | undefined>
}

export interface AccountWriter extends AccountReader {
  createAccount(row: NewAccount): Promise<void>
  /** Locks the account until this write ends. Comes before every other lock of the account's rows, so that no two writes deadlock. */
  lockAccount(accountId: string): Promise<Credentials | undefined>
  /** Stores the same contact again, sealed and digested with the current secret. */
  resealContact(kind: ContactKind, accountId: string, contact: StoredContact): Promise<void>
  /** Rejects with AccountConflict when another account has verified the address. */
  setRecoveryEmail(accountId: string, email: StoredContact, state: AccountRow['recoveryEmailState']): Promise<void>
  replacePasswordDigest(accountId: string, from: string, to: string): Promise<void>
  /** Digests of the networks that the account has signed in from. */
  requestersOf(accountId: string): Promise<string[]>
  /** Notes a sign-in; only the latest requesters of an account are kept. */
  noteRequester(sighting: RequesterSighting): Promise<void>
}

interface RequesterSighting {
  readonly accountId: string
  readonly requesterDigest: string
  /** Digests of the same requester with older secrets: they are forgotten. */
  readonly older: readonly string[]
  readonly at: number
}

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

export interface SessionReader {
  session(sessionDigest: string, now: number): Promise<SessionRow | undefined>
  sessionsOf(accountId: string, now: number): Promise<SessionRow[]>
}

export interface SessionWriter extends SessionReader {
  createSession(row: SessionRow & { sessionDigest: string }): Promise<void>
  endSession(sessionDigest: string): Promise<void>
  /** False if the account has no such session. */
  endSessionById(accountId: string, sessionId: string, now: number): Promise<boolean>
  endSessionsOf(accountId: string): Promise<number>
  endOtherSessionsOf(accountId: string, keptDigest: string): Promise<number>
  /** Returns the updated session, or undefined if it is gone. */
  replaceCsrf(sessionDigest: string, csrfDigest: string, now: number): Promise<SessionRow | undefined>
}

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

export interface Limit {
  readonly max: number
  readonly windowSeconds: number
}

export interface CodeLimits {
  readonly sendCodePerPhone: Limit
  readonly recoveryPerRequester: Limit
  readonly recoveryPerIdentifierAndRequester: Limit
  /** Over everybody. */
  readonly codesPerHour: number
  readonly wrongCodesPerHour: number
}

/** For metrics. */
export interface CodeObserver {
  readonly wrong: (purpose: ChallengePurpose) => void
  /** A ceiling over everybody is reached. */
  readonly refused: (ceiling: Ceiling) => void
}

export type Ceiling = 'codesPerHour' | 'wrongCodesPerHour'

/** How often a window was used, and when it ends. */
export interface WindowUse {
  readonly used: number
  readonly windowEndsAt: number
}

export interface IdentityReader extends AccountReader, ChallengeReader, SessionReader {
  /** Which secrets the store was written with. */
  secretVersions(): Promise<readonly SecretVersion[]>
}

export interface IdentityWriter extends IdentityReader, AccountWriter, ChallengeWriter, SessionWriter {
  /** Counts one use. Returns null, or the end of the window if its limit was already reached. */
  takeFrom(bucket: string, limit: Limit, now: number): Promise<number | null>
  /** Counts one use without a limit. */
  countIn(bucket: string, windowSeconds: number, now: number): Promise<WindowUse>
  /** Reads what was counted, without a lock. */
  usedIn(bucket: string, windowSeconds: number, now: number): Promise<WindowUse>
  /** Adds a message to the outbox. Call `wake` of the outbox after the commit. */
  addMessage(row: MessageRow): Promise<void>
  readonly addEvent: AddEvent
  /** Deletes expired rows, at most `limit` of each kind. Returns how many. */
  purge(now: number, limit: number): Promise<number>
}
