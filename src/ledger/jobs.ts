import type { ClipSeconds, ClipSize, JobStatus } from '../contract/choices.ts'

export interface NewJob {
  readonly jobId: string
  readonly provider: string
  readonly prompt: string
  readonly seconds: ClipSeconds
  readonly size: ClipSize
  readonly testOnly: boolean
  readonly deadlineAt: number
  readonly nextPollAt: number
}

export interface JobChange {
  readonly jobId: string
  readonly status: Extract<JobStatus, 'submitting' | 'queued' | 'in_progress'>
  readonly providerId: string | null
  readonly progress: number | null
  readonly nextPollAt: number
}

export interface JobEnd {
  readonly jobId: string
  readonly status: Extract<JobStatus, 'completed' | 'failed' | 'cancelled' | 'unknown'>
  readonly errorCode: string | null
  readonly content: ContentFacts | null
}

/** What is known of a clip that was fetched and checked. */
export interface ContentFacts {
  readonly contentType: string
  readonly bytes: number
  readonly sha256: string
  readonly expiresAt: number
}
