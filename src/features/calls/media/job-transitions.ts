import { unreachable } from '../../../base/unreachable.ts'
import type { ErrorCode } from '../../../contract/errors.ts'
import { mediaOperation } from '../../../contract/prices.ts'
import type { ReasonCode } from '../../../contract/reasons.ts'
import type { End, StoredResponse } from '../../../ledger/commands.ts'
import type { ContentFacts, JobEnd } from '../../../ledger/jobs.ts'
import { endReserved } from '../../../relay/settle.ts'
import type { FindResult, JobReport, ReadResult } from './providers/provider.ts'
import type { JobRow, JobUpdate } from './store.ts'

/** What follows from what a provider said: the job stays open, its clip is fetched, or it ends together with its charge. */
export type JobDecision =
  | { readonly kind: 'keep'; readonly update: JobUpdate }
  | { readonly kind: 'fetch' }
  | EndDecision

interface EndDecision {
  readonly kind: 'end'
  readonly status: JobEnd['status']
  readonly charge: 'settled' | 'released' | 'manual_review'
  readonly errorCode: ErrorCode | ReasonCode | null
  readonly content: ContentFacts | null
}

export interface PollTiming {
  readonly firstMs: number
  readonly maxMs: number
}

/** The wait before the first poll of a job, and the longest between two until its deadline. */
export const pollTiming: PollTiming = { firstMs: 1000, maxMs: 30_000 }

/** The time of the decision, and a random number from 0 to 1 that spreads the polls. */
interface Moment {
  readonly now: number
  readonly random: number
}

export type FetchResult =
  | { readonly kind: 'fetched'; readonly content: ContentFacts }
  /** The clip could not be fetched, or is not what was promised. */
  | { readonly kind: 'invalid' }
  /** Our own disk failed, or no slot was free: nothing is known about the clip. */
  | { readonly kind: 'not_kept' }

/** Responses without the job that mean it was not accepted, or was forgotten. */
const missesToEnd = 3
/** Requests without any response after which the outcome counts as unknown. */
const silencesToEnd = 5
const contentTriesToEnd = 3
export const findEveryMs = 2000
/** How long an overdue job is still polled. */
const overdueMs = 86_400_000
const overdueSlowdown = 10

/** Whether a job was accepted whose submission got no response. */
export function afterFind(job: JobRow, found: FindResult, timing: PollTiming, moment: Moment): JobDecision {
  // Spread upwards only: two requests are never less than `findEveryMs` apart.
  const next = { nextPollAt: moment.now + Math.ceil(findEveryMs * (1 + moment.random / 4)) }
  switch (found.kind) {
    case 'found':
      return keep(job, {
        status: openStatus(job, found),
        providerId: found.id,
        progress: found.progress,
        misses: 0,
        silences: 0,
        nextPollAt: moment.now + delayOf({ ...job, polls: 0 }, found, timing, moment),
      })
    case 'nothing': {
      const misses = job.misses + 1
      return misses < missesToEnd ? keep(job, { ...next, misses }) : released('failed', 'PROVIDER_JOB_NOT_ACCEPTED')
    }
    case 'cannot_say':
      return reviewed('PROVIDER_JOB_UNTRACEABLE')
    case 'no_response': {
      const silences = job.silences + 1
      return silences < silencesToEnd ? keep(job, { ...next, silences }) : reviewed('PROVIDER_JOB_UNTRACEABLE')
    }
    default:
      return unreachable(found)
  }
}

/** A job that the provider has accepted: how is it getting on? */
export function afterRead(job: JobRow, read: ReadResult, timing: PollTiming, moment: Moment): JobDecision {
  switch (read.kind) {
    case 'reported':
      return afterReport(job, read, timing, moment)
    case 'not_found': {
      const misses = job.misses + 1
      return misses < missesToEnd ? stillRunning(job, { misses }, timing, moment) : reviewed('PROVIDER_JOB_FORGOTTEN')
    }
    case 'no_response':
      return stillRunning(job, {}, timing, moment)
    default:
      return unreachable(read)
  }
}

function afterReport(job: JobRow, report: JobReport, timing: PollTiming, moment: Moment): JobDecision {
  switch (report.status) {
    case 'completed':
      return { kind: 'fetch' }
    case 'failed':
      return released('failed', 'PROVIDER_JOB_FAILED')
    case 'cancelled':
      return released('cancelled', 'PROVIDER_JOB_CANCELLED')
    case 'submitting':
    case 'queued':
    case 'in_progress':
    case 'unknown':
    case null: {
      const progress = Math.max(job.progress ?? 0, report.progress ?? 0)
      const update = {
        status: openStatus(job, report),
        progress: report.progress === null ? job.progress : progress,
        misses: 0,
      }
      return stillRunning(job, update, timing, moment, report)
    }
    default:
      return unreachable(report.status)
  }
}

/** After an attempt to fetch the clip of a job that the provider calls completed. */
export function afterFetch(job: JobRow, fetch: FetchResult, timing: PollTiming, moment: Moment): JobDecision {
  switch (fetch.kind) {
    case 'fetched':
      return { kind: 'end', status: 'completed', charge: 'settled', errorCode: null, content: fetch.content }
    case 'invalid': {
      const contentTries = job.contentTries + 1
      if (contentTries >= contentTriesToEnd) return released('failed', 'PROVIDER_CONTRACT_INVALID')
      const waitMs = Math.min(timing.maxMs, timing.firstMs * 3 ** contentTries)
      return keep(job, { status: 'in_progress', contentTries, misses: 0, nextPollAt: moment.now + waitMs })
    }
    case 'not_kept':
      return stillRunning(job, { status: 'in_progress', misses: 0 }, timing, moment)
    default:
      return unreachable(fetch)
  }
}

/** Overdue is not failed: it is polled slowly for a day, then an operator has to decide. */
function stillRunning(
  job: JobRow,
  update: Partial<JobUpdate>,
  timing: PollTiming,
  moment: Moment,
  report?: JobReport,
): JobDecision {
  if (moment.now >= job.deadlineAt + overdueMs) return reviewed('PROVIDER_JOB_OVERDUE')
  return keep(job, { ...update, nextPollAt: moment.now + delayOf(job, report, timing, moment) })
}

function delayOf(job: JobRow, report: JobReport | undefined, timing: PollTiming, { now, random }: Moment): number {
  if (now >= job.deadlineAt) return timing.maxMs * overdueSlowdown
  if (report?.retryAfterMs !== undefined) return report.retryAfterMs
  const backoffMs = Math.min(timing.maxMs, timing.firstMs * 1.5 ** Math.min(job.polls, 40))
  return Math.round(backoffMs * (0.75 + random / 4))
}

const keep = (job: JobRow, update: Partial<JobUpdate> & Pick<JobUpdate, 'nextPollAt'>): JobDecision => ({
  kind: 'keep',
  update: {
    status: job.status === 'queued' || job.status === 'in_progress' ? job.status : 'submitting',
    providerId: job.providerId,
    progress: job.progress,
    misses: job.misses,
    silences: job.silences,
    contentTries: job.contentTries,
    polls: job.polls + 1,
    ...update,
  },
})

/** A job never goes back to `queued`, whatever a provider says. */
export function openStatus(job: Pick<JobRow, 'status'>, { status }: JobReport): 'queued' | 'in_progress' {
  if (job.status === 'in_progress') return 'in_progress'
  return status === 'in_progress' || status === 'completed' ? 'in_progress' : 'queued'
}

export const released = (status: 'failed' | 'cancelled', errorCode: ErrorCode | ReasonCode): EndDecision => ({
  kind: 'end',
  status,
  charge: 'released',
  errorCode,
  content: null,
})

export const reviewed = (errorCode: ReasonCode): EndDecision => ({
  kind: 'end',
  status: 'unknown',
  charge: 'manual_review',
  errorCode,
  content: null,
})

/** Ends a job and its charge in one commit. A null response frees the Idempotency-Key. */
export function endCommand(
  { jobId, chargeId, projectId, seconds }: Pick<JobRow, 'jobId' | 'chargeId' | 'projectId' | 'seconds'>,
  { status, charge, errorCode, content }: EndDecision,
  at: number,
  response: StoredResponse | null = jobResponse(chargeId),
): End {
  const usage = charge === 'settled' ? JSON.stringify({ seconds }) : null
  const job = { jobId, status, errorCode, content }
  return endReserved({ chargeId, projectId, to: charge, response, usage, reason: errorCode, job, at })
}

/** Marks the Idempotency-Key as used by a job; what a replay returns is read from the job itself. */
export const jobResponse = (chargeId: string): StoredResponse => ({
  status: 202,
  code: null,
  body: JSON.stringify({ operation: mediaOperation, chargeId }),
})
