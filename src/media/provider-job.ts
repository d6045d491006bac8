import type { ProviderJob } from '../providers/media/media-provider.ts'
import type { JobRow } from './ports.ts'

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
