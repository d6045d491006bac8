import { newSortableId } from '../../base/ids.ts'
import { fingerprint } from '../../base/signatures.ts'
import { clipDefaults } from '../../contract/choices.ts'
import { type ErrorCode, Refusal } from '../../contract/errors.ts'
import { mediaOperation, pricingVersion } from '../../contract/prices.ts'
import type { Admit, StoredResponse } from '../../ledger/commands.ts'
import type { JobChange, NewJob } from '../../ledger/jobs.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { isolationVersion, toRefusal } from '../../relay/admit.ts'
import { errorResponse } from '../../relay/call.ts'
import { createSharedLook } from '../../relay/row-poller.ts'
import type { CreateMediaJobRequest } from './contract.ts'
import { endCommand, jobResponse, lookEveryMs, openStatus, reviewed } from './job-machine.ts'
import type { PollDeps } from './polling.ts'
import { type ChargedJob, type JobReader, providerJob } from './ports.ts'
import type { MediaProvider, SubmitResult } from './providers/provider.ts'

export interface MediaKeyUse {
  readonly projectId: string
  readonly keyId: string
  /** Where the request came from. */
  readonly address: string
}

export interface MediaCall {
  readonly principal: MediaKeyUse
  readonly idempotencyDigest: string
  readonly request: CreateMediaJobRequest
  readonly requestId: string
}

export type SubmitResponse =
  | { readonly kind: 'job'; readonly job: ChargedJob; readonly isReplay: boolean }
  /** The provider refused the job: an error, stored unless nothing was sent. */
  | { readonly kind: 'refused'; readonly response: StoredResponse; readonly isReplay: boolean }

export interface SubmitDeps {
  readonly ledger: Ledger
  readonly jobs: Pick<JobReader, 'ofCharge' | 'ofCharges' | 'isTaken'>
  readonly providers: ReadonlyMap<string, MediaProvider>
  readonly defaultProvider: string
  readonly creditsPerSecond: number
  readonly deadlineSeconds: number
  readonly firstPollMs: number
  readonly callsPerKey: { readonly max: number; readonly windowSeconds: number }
  readonly instanceId: string
  /** If false, other instances may consider this one dead and ask about its submissions. */
  readonly isLeaseHeld: () => boolean
  readonly clock: () => number
  /** Called with the time at which a job is due. */
  readonly onDue: (at: number) => void
  readonly onReview: PollDeps['onReview']
  readonly onLost: (context: { jobId: string; reason: string; detail?: string }) => void
}

/** Beyond the time of the submission itself; then the job is asked about even if its instance seems alive. */
const submitGraceMs = 15_000
const duplicateWaitMs = 10_000

/** Whether its provider's answer is known, or it has ended. */
const isSent = (job: ChargedJob | undefined) => job?.chargeState !== 'reserved' || job.status !== 'submitting'

/**
 * Creates a job. The hold and the job are committed before anything is sent, and what the provider answered is committed
 * before the caller is answered. Nothing else ever submits a job, so it is submitted once at most.
 */
export function createSubmit(deps: SubmitDeps) {
  const { ledger, clock } = deps
  const underWay = new Map<string, Promise<SubmitResponse>>()
  const others = createSharedLook({ read: (chargeIds) => deps.jobs.ofCharges(chargeIds), clock })

  async function submit(call: MediaCall, chargeId: string): Promise<SubmitResponse> {
    if (!deps.isLeaseHeld()) throw new Refusal('INTERNAL_ERROR')
    const name = call.request.provider ?? deps.defaultProvider
    const provider = deps.providers.get(name)!
    const command = admitCommand(call, chargeId, newJob(call.request, name, provider))
    for (;;) {
      const result = await ledger.admit(command)
      switch (result.kind) {
        case 'reserved':
          return send(command, provider)
        case 'refused':
          throw toRefusal(result)
        case 'replay':
          return result.response.status === 202
            ? { kind: 'job', job: await jobOf(result.chargeId), isReplay: true }
            : { kind: 'refused', response: result.response, isReplay: true }
        case 'under_way': {
          const first = await firstResponse(result.chargeId)
          if (first) return first
          // Ended meanwhile: its response is stored, or its key is free again.
        }
      }
    }
  }

  async function send(command: AdmittedCommand, provider: MediaProvider): Promise<SubmitResponse> {
    const job = jobFrom(command)
    // Paused for long: others may have asked the provider already, so sending now could come after their verdict.
    if (!deps.isLeaseHeld()) return { kind: 'job', job, isReplay: false }
    const result = await provider.submit(providerJob(job))
    return result.kind === 'refused' ? refused(job, result) : accepted(job, provider, result)
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
      ? { status: 'submitting' as const, providerId: null, progress: null, nextPollAt: at + lookEveryMs }
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
    // Another instance gave this one up and ended the job: the provider shall not work for nothing.
    if (!isLost && recorded === 'ended') await provider.cancel({ ...providerJob(job), id: result.id })
    return { kind: 'job', job: await jobOf(job.chargeId), isReplay: false }
  }

  /** `taken`: the provider named another job of ours, so nobody knows what became of this one. It is in review then. */
  async function record(
    job: ChargedJob,
    change: Omit<JobChange, 'jobId'>,
    at: number,
  ): Promise<'tracked' | 'ended' | 'taken'> {
    const { jobId, chargeId, projectId } = job
    const isTaken = async () => change.providerId !== null && deps.jobs.isTaken(job, change.providerId)
    const tracked = (await isTaken())
      ? null
      : await ledger
          .track({ type: 'track', chargeId, projectId, job: { jobId, ...change }, at })
          // Two jobs that got one id at the same time: the unique index refuses the second.
          .catch(async (error) => ((await isTaken()) ? null : Promise.reject(error)))
    if (tracked) return tracked.kind === 'tracked' ? 'tracked' : 'ended'
    const decision = reviewed('PROVIDER_JOB_ID_REUSED')
    deps.onReview({ jobId, chargeId, reason: decision.errorCode })
    await ledger.end(endCommand(job, decision, at, jobResponse(chargeId)))
    return 'taken'
  }

  async function refused(job: ChargedJob, { code, sent }: { code: ErrorCode; sent: boolean }): Promise<SubmitResponse> {
    const response = errorResponse(code)
    const decision = { kind: 'end', status: 'failed', charge: 'released', errorCode: code, content: null } as const
    const ended = await ledger.end(endCommand(job, decision, clock(), sent ? response : null))
    if (ended.kind === 'ended') return { kind: 'refused', response, isReplay: false }
    return { kind: 'job', job: await jobOf(job.chargeId), isReplay: false }
  }

  async function jobOf(chargeId: string): Promise<ChargedJob> {
    const job = await deps.jobs.ofCharge(chargeId)
    if (!job) throw new Error('a charge has no job')
    return job
  }

  /** The job of the first call with this Idempotency-Key; null if its charge has ended, about which the ledger knows more. */
  async function firstResponse(chargeId: string): Promise<SubmitResponse | null> {
    const local = underWay.get(chargeId)
    await local?.catch(() => {})
    const job = local ? await jobOf(chargeId) : (await others.until(chargeId, clock() + duplicateWaitMs, isSent)).row
    if (!job) throw new Error('a charge has no job')
    return job.chargeState === 'reserved' ? { kind: 'job', job, isReplay: true } : null
  }

  function newJob(request: CreateMediaJobRequest, name: string, provider: MediaProvider): NewJob {
    const at = clock()
    return {
      jobId: newSortableId('job', at),
      provider: name,
      prompt: request.prompt.toWellFormed(),
      seconds: request.seconds ?? clipDefaults.seconds,
      size: request.size ?? clipDefaults.size,
      testOnly: provider.testOnly,
      deadlineAt: at + deps.deadlineSeconds * 1000,
      nextPollAt: at + provider.timeoutMs + submitGraceMs,
    }
  }

  function admitCommand(call: MediaCall, chargeId: string, job: NewJob): AdmittedCommand {
    return {
      type: 'admit',
      ...call.principal,
      ...keyFields(deps),
      chargeId,
      operation: mediaOperation,
      credits: job.seconds * deps.creditsPerSecond,
      pricingVersion,
      leavesProcess: true,
      idempotencyDigest: call.idempotencyDigest,
      fingerprint: fingerprint(call.request),
      isolationVersion,
      instanceId: deps.instanceId,
      requestId: call.requestId,
      job,
    }
  }

  return {
    async run(call: MediaCall): Promise<SubmitResponse> {
      const chargeId = newSortableId('chg', clock())
      const response = submit(call, chargeId)
      // Added before the charge is reserved, so that a duplicate in the same batch finds it.
      underWay.set(chargeId, response)
      try {
        return await response
      } finally {
        underWay.delete(chargeId)
      }
    },
    /** Refuses an invalid request without a charge. Key and rate-limit errors take precedence over `fault`. */
    async refuse(use: MediaKeyUse, fault: ErrorCode): Promise<never> {
      throw toRefusal(await ledger.refuse({ type: 'refuse', ...use, ...keyFields(deps), fault }))
    },
    underWay: () => underWay.size,
  }
}

type AdmittedCommand = Admit & { readonly job: NewJob }

const keyFields = ({ callsPerKey, clock }: SubmitDeps) => ({
  scope: 'media:run' as const,
  limit: { max: callsPerKey.max, windowMs: callsPerKey.windowSeconds * 1000 },
  at: clock(),
})

/** The job as the reservation has just stored it. */
function jobFrom({ projectId, chargeId, credits, at, job }: AdmittedCommand): ChargedJob {
  const { nextPollAt: _, ...stored } = job
  return {
    ...stored,
    projectId,
    chargeId,
    credits,
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
