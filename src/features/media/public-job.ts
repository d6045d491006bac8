import { isoOf, isoOrNull } from '../../base/time.ts'
import { mediaOperation } from '../../contract/prices.ts'
import { reasonText } from '../../contract/reasons.ts'
import { clipType, type MediaJob } from './contract.ts'
import type { ChargedJob } from './ports.ts'

/** The job as callers see it. */
export function publicJob(job: ChargedJob): MediaJob {
  const { chargeState } = job
  return {
    jobId: job.jobId,
    status: job.status,
    operation: mediaOperation,
    reservedCredits: job.credits,
    chargeId: job.chargeId,
    prompt: job.prompt,
    provider: job.provider,
    seconds: job.seconds,
    size: job.size,
    testOnly: job.testOnly,
    progress: job.progress,
    createdAt: isoOf(job.createdAt),
    updatedAt: isoOf(job.updatedAt),
    finishedAt: isoOrNull(job.finishedAt),
    cancelRequestedAt: isoOrNull(job.cancelRequestedAt),
    error: job.errorCode === null ? null : { code: job.errorCode, message: reasonText(job.errorCode) },
    content: job.content && {
      url: contentPath(job.jobId),
      contentType: clipType,
      bytes: job.content.bytes,
      sha256: job.content.sha256,
      expiresAt: isoOf(job.content.expiresAt),
    },
    // Only an operator settles or releases a charge after its job became unknown.
    resolution:
      job.status === 'unknown' && (chargeState === 'settled' || chargeState === 'released') ? chargeState : null,
  }
}

export const jobPath = (jobId: string) => `/v1/media/jobs/${jobId}`
const contentPath = (jobId: string) => `${jobPath(jobId)}/content`
