import type { ClipSeconds, ClipSize, JobStatus } from '../../contract/choices.ts'
import type { ChargeState } from '../../ledger/commands.ts'
import type { ContentFacts } from '../../ledger/jobs.ts'
import type { ProviderJob } from './providers/provider.ts'

/** A job as it is stored. */
export interface JobRow {
  readonly jobId: string
  readonly projectId: string
  readonly chargeId: string
  readonly provider: string
  /** Null until the provider has accepted it. */
  readonly providerId: string | null
  readonly prompt: string
  readonly seconds: ClipSeconds
  readonly size: ClipSize
  readonly testOnly: boolean
  readonly status: JobStatus
  readonly progress: number | null
  readonly errorCode: string | null
  readonly createdAt: number
  readonly updatedAt: number
  readonly finishedAt: number | null
  readonly deadlineAt: number
  readonly cancelRequestedAt: number | null
  readonly polls: number
  readonly misses: number
  readonly silences: number
  readonly contentTries: number
  readonly content: ContentFacts | null
  readonly version: number
}

/** A job with the price and the state of its charge. */
export interface ChargedJob extends JobRow {
  readonly credits: number
  readonly chargeState: ChargeState
}

/** What a poll changes in a job that stays open. */
export interface JobUpdate {
  readonly status: Extract<JobStatus, 'submitting' | 'queued' | 'in_progress'>
  readonly providerId: string | null
  readonly progress: number | null
  readonly polls: number
  readonly misses: number
  readonly silences: number
  readonly contentTries: number
  readonly nextPollAt: number
}

export interface JobReader {
  find(projectId: string, jobId: string): Promise<ChargedJob | undefined>
  ofCharge(chargeId: string): Promise<ChargedJob | undefined>
  /** By charge id, without those that have none. */
  ofCharges(chargeIds: readonly string[]): Promise<ReadonlyMap<string, ChargedJob>>
  /** Newest first, of those before the one named. */
  page(projectId: string, before: string | null, limit: number): Promise<ChargedJob[]>
  countOpen(): Promise<number>
  /** Whether another job has this id of the provider. */
  isTaken(job: Pick<JobRow, 'jobId' | 'provider'>, providerId: string): Promise<boolean>
}

/** Only an instance that holds the claim on a job polls it. Claims are timed by the clock of the database. */
export interface JobClaims {
  /** When the next unclaimed job is due; null if there is none. */
  nextDueAt(): Promise<number | null>
  /** The providers that have open jobs. */
  openProviders(): Promise<string[]>
  /** Projects with unclaimed jobs of the provider that are due at `now`, in a ring that begins after `after`. */
  dueProjects(provider: string, now: number, after: string): Promise<string[]>
  /** Claims jobs that are due at `now`, at most so many of each project. */
  claim(provider: string, now: number, shares: ReadonlyMap<string, number>): Promise<JobRow[]>
  /** Extends the claims of this instance. */
  renew(jobIds: readonly string[]): Promise<void>
  /** Gives up the claims of this instance. */
  release(jobIds: readonly string[]): Promise<void>
  /** Makes jobs due at once that a dead instance was submitting or polling. Returns how many. */
  adopt(now: number): Promise<number>
}

export interface JobWriter {
  /** Compare-and-set: false if the job has another version by now, or has ended. Gives up the claim. */
  save(job: Pick<JobRow, 'jobId' | 'version'>, update: JobUpdate, at: number): Promise<boolean>
  /** Notes the cancellation and makes the job due at once; false if it has ended. */
  noteCancellation(jobId: string, at: number): Promise<boolean>
  /** Makes an open job due at once; the provider names it. */
  bringForward(provider: string, providerId: string, at: number): Promise<void>
}

export interface JobStore extends JobReader, JobClaims, JobWriter {}

/** What a provider needs to know of a job. Its reference is our job id. */
export const providerJob = ({
  jobId,
  projectId,
  prompt,
  seconds,
  size,
  createdAt,
  cancelRequestedAt,
}: JobRow): ProviderJob => ({
  reference: jobId,
  projectId,
  prompt,
  seconds,
  size,
  createdAt,
  cancelRequestedAt,
})
