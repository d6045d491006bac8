import type { Readable } from 'node:stream'
import type { ClipSeconds, ClipSize, JobStatus } from '../../../../contract/choices.ts'
import type { ErrorCode } from '../../../../contract/errors.ts'
import type { ReasonCode } from '../../../../contract/reasons.ts'
import type { BreakerSettings, BreakerState } from '../../../../providers/circuit-breaker.ts'
import type { ByteRange, CallHooks, UpstreamSettings } from '../../../../providers/upstream.ts'

/** Makes clips. No call throws: each ends in one of its results. */
export interface MediaProvider {
  /** True if its clips are only for trying things out. */
  readonly testOnly: boolean
  readonly maxPromptChars: number
  /** How long a submission can take. */
  readonly timeoutMs: number
  submit(job: ProviderJob): Promise<SubmitResult>
  /** Asks whether a job with our reference was accepted. */
  find(job: ProviderJob): Promise<FindResult>
  read(job: AcceptedJob): Promise<ReadResult>
  cancel(job: AcceptedJob): Promise<CancelResult>
  /** The clip of a completed job; for a reader, the range asked for, if the provider can serve one. */
  open(job: AcceptedJob, signal: AbortSignal, range?: ByteRange): Promise<ContentResult>
  /** The secret of its callbacks; null refuses them all. */
  readonly callbackSecret: () => string | null
  readonly breakerState?: () => BreakerState
  close(): Promise<void>
}

export interface ProviderJob {
  /** Our job id, by which the provider can be asked for the job. */
  readonly reference: string
  readonly projectId: string
  readonly prompt: string
  readonly seconds: ClipSeconds
  readonly size: ClipSize
  readonly createdAt: number
  readonly cancelRequestedAt: number | null
}

export interface AcceptedJob extends ProviderJob {
  readonly id: string
}

/** What a provider says about a job. A status of which we cannot make anything is null. */
export interface JobReport {
  readonly status: JobStatus | null
  readonly progress: number | null
  /** When it is worth asking again; for providers that cost nothing to ask. */
  readonly retryAfterMs?: number
}

export type SubmitResult =
  | ({ readonly kind: 'accepted'; readonly id: string } & JobReport)
  /** Definitely not accepted. `sent`: the Idempotency-Key is used up. */
  | {
      readonly kind: 'refused'
      readonly code: ErrorCode
      readonly sent: boolean
      readonly detail?: string
      /** The provider judged what the caller sent. */
      readonly isRejection?: true
    }
  /** Sent, but the response was lost: only the provider knows whether it has the job. */
  | { readonly kind: 'lost'; readonly reason: ReasonCode; readonly detail?: string }

export type FindResult =
  | ({ readonly kind: 'found'; readonly id: string } & JobReport)
  | { readonly kind: 'nothing' }
  /** It cannot search by reference, or what it found is not clearly this job. */
  | { readonly kind: 'cannot_say' }
  | { readonly kind: 'no_response' }

export type ReadResult =
  | ({ readonly kind: 'reported' } & JobReport)
  | { readonly kind: 'not_found' }
  | { readonly kind: 'no_response' }

export type CancelResult =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'too_late' }
  | { readonly kind: 'failed'; readonly code: ErrorCode }

export type ContentResult =
  | {
      readonly kind: 'opened'
      readonly contentType: string
      /** Of the whole clip; null if it is not known. */
      readonly length: number | null
      /** True if the body is the range asked for, false if it is the whole clip. */
      readonly isPart: boolean
      readonly body: Readable
    }
  | { readonly kind: 'failed'; readonly code: ErrorCode }

export interface MediaSurroundings {
  readonly clock: () => number
  /** Called with every exception of our own code. */
  readonly reportFault: (error: unknown) => void
  readonly hooks?: CallHooks | undefined
}

export interface LocalMediaSettings {
  readonly adapter: 'local'
  readonly maxPromptChars: number
}

export interface HttpMediaSettings extends UpstreamSettings {
  readonly adapter: 'http'
  readonly maxPromptChars: number
  readonly breaker: BreakerSettings
  readonly callbackSecretEnv?: string
}

export type MediaSettings = LocalMediaSettings | HttpMediaSettings | { readonly adapter: 'disabled' }
