import { newSortableId } from '../../../base/ids.ts'
import { clipDefaults } from '../../../contract/choices.ts'
import type { ErrorCode } from '../../../contract/errors.ts'
import { mediaOperation } from '../../../contract/prices.ts'
import type { StoredResponse } from '../../../ledger/commands.ts'
import type { JobChange, NewJob } from '../../../ledger/jobs.ts'
import type { Ledger } from '../../../ledger/ledger.ts'
import { type AdmissionDeps, type ChargedCall, createAdmission, type KeyUse } from '../../../relay/admit.ts'
import { createRowPoller } from '../../../relay/row-poller.ts'
import { type createEnding, errorResponse } from '../../../relay/settle.ts'
import type { CreateMediaJobRequest } from './contract.ts'
import { endCommand, findEveryMs, openStatus, released, reviewed } from './job-transitions.ts'
import type { PollDeps } from './polling.ts'
import type { MediaProvider, SubmitResult } from './providers/provider.ts'
import { type ChargedJob, type JobStore, providerJob } from './store.ts'

type MediaKeyUse = Pick<KeyUse, 'principal' | 'address'>

interface MediaCall extends MediaKeyUse, ChargedCall {
  readonly request: CreateMediaJobRequest
}

export type SubmitResponse =
  | { readonly kind: 'job'; readonly job: ChargedJob; readonly isReplay: boolean }
  /** The provider refused the job: an error, stored unless nothing was sent. */
  | {
      readonly kind: 'refused'
      readonly response: StoredResponse
      readonly isReplay: boolean
      readonly isStored: boolean
      readonly isRejection?: true | undefined
    }

type RefusedJob = Extract<SubmitResult, { kind: 'refused' }>

interface SubmitDeps extends AdmissionDeps {
  readonly ledger: Ledger
  readonly ending: Pick<ReturnType<typeof createEnding>, 'end'>
  readonly jobs: Pick<JobStore, 'ofCharge' | 'ofCharges' | 'isTaken'>
  readonly providers: ReadonlyMap<string, MediaProvider>
  readonly defaultProvider: string
  readonly creditsPerSecond: number
  readonly deadlineSeconds: number
  readonly firstPollMs: number
  /** Called with the time at which a job is due. */
  readonly onDue: (at: number) => void
  readonly onReview: PollDeps['onReview']
  readonly onLost: (context: { jobId: string; reason: string; detail?: string }) => void
}

const scope = 'media:run'
/** Beyond the time of the submission itself; then the job is asked about even if its instance seems alive. */
const submitGraceMs = 15_000
const duplicateWaitMs = 10_000

/** Whether its provider's response is known, or it has ended. */
const isSent = (job: ChargedJob | undefined) => job?.chargeState !== 'reserved' || job.status !== 'submitting'

/**
 * Creates a job. The hold and the job are committed before anything is sent, and the response of the provider is committed
 * before the caller gets one. Nothing else ever submits a job, so it is submitted once at most.
 */
export function createSubmit(deps: SubmitDeps) {
  const { ending, clock } = deps
  const track = createTracking(deps)
  const others = createRowPoller({ read: deps.jobs.ofCharges, clock })
  const calls = createAdmission<SubmitResponse>(deps, {
    replay: async (response, chargeId) =>
      response.status === 202
        ? { kind: 'job', job: await jobOf(chargeId), isReplay: true }
        : { kind: 'refused', response, isReplay: true, isStored: true },
    async join(chargeId, local) {
      await local?.catch(() => {})
      const job = local ? await jobOf(chargeId) : (await others.until(chargeId, clock() + duplicateWaitMs, isSent)).row
      if (!job) throw new Error('a charge has no job')
      return job.chargeState === 'reserved' ? { kind: 'job', job, isReplay: true } : null
    },
  })

  async function submit(call: MediaCall, chargeId: string): Promise<SubmitResponse> {
    const name = call.request.provider ?? deps.defaultProvider
    const provider = deps.providers.get(name)!
    const at = clock()
    const job = newJob(call.request, name, provider, at)
    const credits = job.seconds * deps.creditsPerSecond
    const price = { operation: mediaOperation, scope, credits } as const
    const admission = { ...call, ...price, model: name, leavesProcess: true, job, at }
    const earlier = await calls.admit(admission, chargeId)
    if (earlier) return earlier
    const stored = storedJob(job, { chargeId, projectId: call.principal.projectId, credits, at })
    // Paused for long: others may have asked the provider already, so sending now could come after their verdict.
    if (!deps.isLeaseHeld()) return { kind: 'job', job: stored, isReplay: false }
    const result = await provider.submit(providerJob(stored))
    return result.kind === 'refused' ? refused(stored, result) : accepted(stored, provider, result)
  }

  async function accepted(
    job: ChargedJob,
    provider: MediaProvider,
    result: Exclude<SubmitResult, { kind: 'refused' }>,
  ): Promise<SubmitResponse> {
    const at = clock()
    const isLost = result.kind === 'lost'
    if (isLost)
      deps.onLost({ jobId: job.jobId, reason: result.reason, ...(result.detail && { detail: result.detail }) })
    const change = isLost
      ? { status: 'submitting' as const, providerId: null, progress: null, nextPollAt: at + findEveryMs }
      : {
          status: openStatus(job, result),
          providerId: result.id,
          progress: result.progress,
          nextPollAt: at + (result.retryAfterMs ?? deps.firstPollMs),
        }
    const recorded = await record(job, change, at)
    if (recorded === 'tracked') {
      deps.onDue(change.nextPollAt)
      return { kind: 'job', job: { ...job, ...change, updatedAt: at }, isReplay: false }
    }
    // Another instance gave this one up and ended the job: cancel it, because no one pays for the provider's work.
    if (!isLost && recorded === 'ended') await provider.cancel({ ...providerJob(job), id: result.id })
    return { kind: 'job', job: await jobOf(job.chargeId), isReplay: false }
  }

  async function record(job: ChargedJob, change: Omit<JobChange, 'jobId'>, at: number): Promise<Tracked> {
    const tracked = await track(job, change, at)
    if (tracked !== 'taken') return tracked
    const { jobId, chargeId } = job
    const decision = reviewed('PROVIDER_JOB_ID_REUSED')
    const { kind } = await ending.end(endCommand(job, decision, at))
    if (kind === 'ended') deps.onReview({ jobId, chargeId, reason: decision.errorCode })
    return 'taken'
  }

  async function refused(job: ChargedJob, { code, sent, isRejection }: RefusedJob): Promise<SubmitResponse> {
    const response = errorResponse(code)
    const ended = await ending.end(endCommand(job, released('failed', code), clock(), sent ? response : null))
    if (ended.kind === 'ended') return { kind: 'refused', response, isReplay: false, isStored: sent, isRejection }
    return { kind: 'job', job: await jobOf(job.chargeId), isReplay: false }
  }

  async function jobOf(chargeId: string): Promise<ChargedJob> {
    const job = await deps.jobs.ofCharge(chargeId)
    if (!job) throw new Error('a charge has no job')
    return job
  }

  const newJob = (request: CreateMediaJobRequest, name: string, provider: MediaProvider, at: number): NewJob => ({
    jobId: newSortableId('job', at),
    provider: name,
    prompt: request.prompt.toWellFormed(),
    seconds: request.seconds ?? clipDefaults.seconds,
    size: request.size ?? clipDefaults.size,
    testOnly: provider.testOnly,
    deadlineAt: at + deps.deadlineSeconds * 1000,
    nextPollAt: at + provider.timeoutMs + submitGraceMs,
  })

  return {
    run: (call: MediaCall) => calls.run((chargeId) => submit(call, chargeId)),
    refuse: (use: MediaKeyUse, fault: ErrorCode) => calls.refuse({ ...use, scope, at: clock() }, fault),
    underWay: calls.underWay,
  }
}

/** `taken`: the provider named another job of ours, so the outcome of this one is unknown and it goes to review. */
type Tracked = 'tracked' | 'ended' | 'taken'

/** Commits what a provider said about a submission. */
function createTracking({ ledger, jobs }: Pick<SubmitDeps, 'ledger' | 'jobs'>) {
  /**
   * Providers that have named the job of another. Their ids are looked up before they are written: a refused one makes its whole
   * batch commit again in parts. For all others that would be one more read for each submission.
   */
  const idReusers = new Set<string>()

  return async (job: ChargedJob, change: Omit<JobChange, 'jobId'>, at: number): Promise<Tracked> => {
    const { jobId, chargeId, projectId, provider } = job
    const isTaken = async () => change.providerId !== null && jobs.isTaken(job, change.providerId)
    const tracked =
      idReusers.has(provider) && (await isTaken())
        ? null
        : await ledger
            .track({ type: 'track', chargeId, projectId, job: { jobId, ...change }, at })
            // The unique index refuses an id that another job has.
            .catch(async (error) => ((await isTaken()) ? null : Promise.reject(error)))
    if (tracked?.kind === 'tracked') return 'tracked'
    // An ended job is cancelled by the id that its provider named, which must not be another's.
    if (tracked && !(await isTaken())) return 'ended'
    idReusers.add(provider)
    return 'taken'
  }
}

/** The job as the reservation has just stored it. */
function storedJob(
  { nextPollAt: _, ...job }: NewJob,
  { at, ...charge }: Pick<ChargedJob, 'chargeId' | 'projectId' | 'credits'> & { readonly at: number },
): ChargedJob {
  return {
    ...job,
    ...charge,
    chargeState: 'reserved',
    providerId: null,
    status: 'submitting',
    progress: null,
    errorCode: null,
    createdAt: at,
    updatedAt: at,
    finishedAt: null,
    cancelRequestedAt: null,
    polls: 0,
    misses: 0,
    silences: 0,
    contentTries: 0,
    content: null,
    version: 0,
  }
}
