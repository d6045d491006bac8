import { mediaOperation } from '../contract/prices.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { MediaProvider } from '../providers/media/media-provider.ts'
import type { ContentFiles } from './content-files.ts'
import { endCommand, jobResponse } from './end-command.ts'
import {
  afterFetch,
  afterLook,
  afterRead,
  type FetchResult,
  type JobDecision,
  type PollTiming,
  reviewed,
} from './job-machine.ts'
import type { JobRow, JobStore } from './ports.ts'
import { providerJob } from './provider-job.ts'

export interface PollDeps {
  readonly jobs: Pick<JobStore, 'save' | 'release' | 'ofCharge' | 'isTaken'>
  readonly ledger: Pick<Ledger, 'end'>
  readonly providers: ReadonlyMap<string, MediaProvider>
  readonly files: Pick<ContentFiles, 'keep'>
  readonly timing: PollTiming
  readonly clock: () => number
  readonly random: () => number
  readonly onSettled: (charge: { operation: typeof mediaOperation; credits: number }) => void
  readonly onReview: (context: { jobId: string; chargeId: string; reason: string | null }) => void
}

/** How long a clip may take to arrive. */
const maxFetchMs = 600_000

/** Asks the provider about one claimed job and commits what follows. Nothing is committed once `stopping` is aborted. */
export async function pollJob(deps: PollDeps, job: JobRow, stopping: AbortSignal): Promise<void> {
  const provider = deps.providers.get(job.provider)
  const moment = () => ({ now: deps.clock(), random: deps.random() })
  let decision = await ask(deps, job, provider, moment)
  if (decision.kind === 'fetch' && !stopping.aborted)
    decision = afterFetch(job, await fetchContent(deps, job, provider!, stopping), deps.timing, moment())
  // Our own shutdown breaks connections: what that looks like says nothing about the job.
  if (stopping.aborted || decision.kind === 'fetch') return deps.jobs.release([job.jobId])
  if (decision.kind === 'keep') {
    const isSaved = await deps.jobs.save(job, decision.update, deps.clock())
    // Changed meanwhile, by a cancellation for instance: the next poll sees it.
    return isSaved ? undefined : deps.jobs.release([job.jobId])
  }
  if (decision.charge === 'manual_review')
    deps.onReview({ jobId: job.jobId, chargeId: job.chargeId, reason: decision.errorCode })
  const { kind } = await deps.ledger.end(endCommand(job, decision, deps.clock(), jobResponse(job.chargeId)))
  if (kind !== 'ended' || decision.charge !== 'settled') return
  const charged = await deps.jobs.ofCharge(job.chargeId)
  if (charged) deps.onSettled({ operation: mediaOperation, credits: charged.credits })
}

async function ask(
  { timing, jobs }: PollDeps,
  job: JobRow,
  provider: MediaProvider | undefined,
  moment: () => { now: number; random: number },
): Promise<JobDecision> {
  const { providerId: id } = job
  if (id === null) {
    const look = (await provider?.look(providerJob(job))) ?? { kind: 'no_answer' }
    // The unique index decides a race of two jobs for one id: the loser fails, is asked about again and ends here.
    if (look.kind === 'found' && (await jobs.isTaken(job, look.id))) return reviewed('PROVIDER_JOB_ID_REUSED')
    return afterLook(job, look, timing, moment())
  }
  // A provider that is no longer configured cannot be asked.
  const read = (await provider?.read({ ...providerJob(job), id })) ?? { kind: 'no_answer' }
  return afterRead(job, read, timing, moment())
}

async function fetchContent(
  { files }: PollDeps,
  job: JobRow,
  provider: MediaProvider,
  stopping: AbortSignal,
): Promise<FetchResult> {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(maxFetchMs)])
  const content = await provider.open({ ...providerJob(job), id: job.providerId! }, signal)
  if (content.kind === 'opened') return files.keep(job, content)
  // Refused by ourselves: nothing was asked, so nothing is known about the clip.
  return content.code === 'PROVIDER_CAPACITY_EXHAUSTED' ? { kind: 'not_kept' } : { kind: 'invalid' }
}
