import { Refusal } from '../contract/errors.ts'
import type { MediaProvider } from '../providers/media/media-provider.ts'
import type { ChargedJob, JobStore } from './ports.ts'
import { providerJob } from './provider-job.ts'

export interface CancelDeps {
  readonly jobs: Pick<JobStore, 'find' | 'noteCancellation'>
  readonly providers: ReadonlyMap<string, MediaProvider>
  readonly clock: () => number
  readonly onDue: (at: number) => void
}

/** `accepted`: the provider was asked and agreed. What becomes of the job is decided by the next poll. */
export interface CancelResponse {
  readonly job: ChargedJob
  readonly accepted: boolean
}

/** Asks the provider to cancel a job, at once. Throws a `Refusal` if it cannot be cancelled. */
export function createCancel({ jobs, providers, clock, onDue }: CancelDeps) {
  return async (projectId: string, jobId: string): Promise<CancelResponse> => {
    const job = await jobs.find(projectId, jobId)
    if (!job) throw new Refusal('JOB_NOT_FOUND')
    if (job.finishedAt !== null) return { job, accepted: false }
    // Its submission is still under way or was not answered, so there is nothing to name to the provider.
    if (job.providerId === null) throw new Refusal('JOB_NOT_CANCELLABLE', { explain: 'It is still being submitted.' })
    const provider = providers.get(job.provider)
    if (!provider) throw new Refusal('PROVIDER_DISABLED')
    const result = await provider.cancel({ ...providerJob(job), id: job.providerId })
    if (result.kind === 'too_late') throw new Refusal('JOB_NOT_CANCELLABLE')
    if (result.kind === 'failed') throw new Refusal(result.code)
    const at = clock()
    const isOpen = await jobs.noteCancellation(jobId, at)
    if (isOpen) onDue(at)
    return { job: (await jobs.find(projectId, jobId))!, accepted: isOpen }
  }
}
