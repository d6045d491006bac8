import type { AddEvent } from '../events/ports.ts'
import type { MessageRow } from '../messages/message.ts'
import type { SecretVersion } from '../secrets/check-secret.ts'
import type { AccountReader, AccountWriter } from './ports/accounts.ts'
import type { ChallengePurpose, ChallengeReader, ChallengeWriter } from './ports/challenges.ts'
import type { SessionReader, SessionWriter } from './ports/sessions.ts'

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
