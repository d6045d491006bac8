import { join } from 'node:path'
import { randomShare } from '../../../base/randomness.ts'
import { isSigned, type SignedCallback } from '../../../base/signatures.ts'
import { isoOf, isoOrNull } from '../../../base/time.ts'
import { type ErrorCode, Refusal } from '../../../contract/errors.ts'
import { mediaOperation } from '../../../contract/prices.ts'
import { reasonText } from '../../../contract/reasons.ts'
import { isLongerThan } from '../../../contract/validate.ts'
import type { InstanceLease } from '../../../ledger/instance-lease.ts'
import type { Ledger } from '../../../ledger/ledger.ts'
import { createDenialLog } from '../../../providers/denials.ts'
import { createProviderWatch, watchProvider } from '../../../providers/provider-watch.ts'
import type { Credential, TraceHeaders } from '../../../providers/upstream.ts'
import { createEnding } from '../../../relay/settle.ts'
import { createContentFiles, createReadContent } from './content-files.ts'
import {
  type CreateMediaJobRequest,
  clipType,
  type JobPageParameters,
  type MediaJob,
  type MediaJobPage,
} from './contract.ts'
import { type PollTiming, pollTiming } from './job-transitions.ts'
import { createPollWorker, type PollDeps, pollJob } from './polling.ts'
import { createHttpMedia } from './providers/http.ts'
import { createLocalMedia } from './providers/local.ts'
import type { MediaProvider, MediaSettings, MediaSurroundings } from './providers/provider.ts'
import { type ChargedJob, type JobStore, providerJob } from './store.ts'
import { createSubmit } from './submit.ts'
import { mediaCalls, type WatchedMedia, watchedMedia } from './watched-provider.ts'

/** `accepted`: the provider was asked and agreed. What becomes of the job is decided by the next poll. */
interface CancelResponse {
  readonly job: ChargedJob
  readonly accepted: boolean
}

/** `media` is that part of the configuration as it is. */
interface MediaOptions {
  readonly media: {
    readonly default: string
    readonly creditsPerSecond: number
    readonly deadlineSeconds: number
    readonly maxContentBytes: number
    readonly content: 'keep' | 'proxy'
    readonly contentDays: number
    readonly providers: Readonly<Record<string, MediaSettings>>
  }
  readonly timing?: PollTiming | undefined
  readonly dataDir: string
  readonly jobs: JobStore
  readonly ledger: Ledger
  readonly lease: InstanceLease
  readonly callsPerKey: { readonly max: number; readonly windowSeconds: number }
  readonly credential: Credential
  readonly traceHeaders?: TraceHeaders | undefined
  readonly clock: () => number
  readonly logger: MediaLogger
  /** Called for every charge that a finished job settled. */
  readonly onSettled: PollDeps['onSettled']
}

interface MediaLogger {
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export type Media = ReturnType<typeof createMedia>

/** Media jobs: submitting, reading, cancelling, polling and serving their clips. */
export function createMedia({
  media,
  timing = pollTiming,
  dataDir,
  jobs,
  ledger,
  lease,
  callsPerKey,
  credential,
  traceHeaders,
  clock,
  logger,
  onSettled,
}: MediaOptions) {
  const reportFault = (error: unknown) => logger.error({ err: error }, 'an adapter failed')
  const { watched, providers } = createProviders({ media, credential, traceHeaders, clock, logger, reportFault })
  const files = createContentFiles({
    ...media,
    directory: media.content === 'keep' ? join(dataDir, 'media') : null,
    maxBytes: media.maxContentBytes,
    clock,
    onDiskFault: (error, context) => logger.error({ err: error, ...context }, 'a clip could not be kept'),
  })
  const onReview: PollDeps['onReview'] = (context) => logger.warn(context, 'a media job needs a review')
  const pollDeps: PollDeps = {
    jobs,
    ledger,
    providers,
    files,
    timing,
    clock,
    random: randomShare,
    isLeaseHeld: lease.isHeld,
    onSettled,
    onReview,
  }
  const ending = createEnding({
    ledger,
    onFault: (error, context) => logger.error({ err: error, ...context }, 'an outcome was not recorded yet'),
  })
  const worker = createPollWorker({
    jobs,
    poll: (job, stopping) => pollJob(pollDeps, job, stopping),
    clock,
    isLeaseHeld: lease.isHeld,
    canAdopt: () => lease.canRecoverOthers(),
    onFault: (error, context) => logger.error({ err: error, ...context }, 'a media job could not be polled'),
  })
  const onDue = (at: number) => worker.notice(at)
  const submit = createSubmit({
    ...media,
    ledger,
    ending,
    jobs,
    providers,
    callsPerKey,
    clock,
    onDue,
    onReview,
    defaultProvider: media.default,
    firstPollMs: timing.firstMs,
    instanceId: lease.instanceId,
    isLeaseHeld: lease.isHeld,
    onLost: (context) => logger.warn(context, 'the response to a media submission was lost'),
  })

  async function find(projectId: string, jobId: string): Promise<ChargedJob> {
    const job = await jobs.find(projectId, jobId)
    if (!job) throw new Refusal('JOB_NOT_FOUND')
    return job
  }

  return {
    submit,
    /** Every provider with its switch and its recent submissions. */
    watched,
    find,
    /** Asks the provider to cancel a job, at once. Throws a `Refusal` if it cannot be cancelled. */
    async cancel(projectId: string, jobId: string): Promise<CancelResponse> {
      const job = await find(projectId, jobId)
      if (job.finishedAt !== null) return { job, accepted: false }
      // Its submission is in progress or got no response, so its id at the provider is unknown.
      if (job.providerId === null) throw new Refusal('JOB_NOT_CANCELLABLE', { explain: 'It is still being submitted.' })
      const provider = providers.get(job.provider)
      if (!provider) throw new Refusal('PROVIDER_DISABLED')
      const result = await provider.cancel({ ...providerJob(job), id: job.providerId })
      if (result.kind === 'too_late') throw new Refusal('JOB_NOT_CANCELLABLE')
      if (result.kind === 'failed') throw new Refusal(result.code)
      const at = clock()
      const isOpen = await jobs.noteCancellation(jobId, at)
      if (isOpen) onDue(at)
      return { job: await find(projectId, jobId), accepted: isOpen }
    },
    readContent: createReadContent({ files, providers, clock }),
    retryAfterSeconds: Math.max(1, Math.ceil(timing.firstMs / 1000)),
    /** Field checks that depend on the configuration. */
    check({ provider, prompt }: CreateMediaJobRequest): { readonly refusal: { readonly code: ErrorCode } | null } {
      const { maxPromptChars } = providers.get(provider ?? media.default)!
      return { refusal: isLongerThan(prompt, maxPromptChars) ? { code: 'PROMPT_TOO_LARGE' } : null }
    },
    async page(projectId: string, { after, limit }: JobPageParameters): Promise<MediaJobPage> {
      // One row more than asked for says that there is a next page.
      const rows = await jobs.page(projectId, after ?? null, limit + 1)
      return {
        items: rows.slice(0, limit).map(publicJob),
        nextCursor: rows.length > limit ? rows[limit - 1]!.jobId : null,
      }
    },
    /** Undefined for an unknown provider. */
    isSigned(provider: string, callback: SignedCallback): boolean | undefined {
      const found = providers.get(provider)
      const secret = found?.callbackSecret()
      return found && Boolean(secret && isSigned(callback, secret, clock()))
    },
    async noteCallback(provider: string, id: string): Promise<void> {
      const at = clock()
      await jobs.bringForward(provider, id, at)
      onDue(at)
    },
    breakerStates: () =>
      Object.fromEntries(
        [...providers].flatMap(([name, provider]) => (provider.breakerState ? [[name, provider.breakerState()]] : [])),
      ),
    openJobs: jobs.countOpen,
    underWay: () => submit.underWay() + ending.retrying(),
    /** Stops retrying outcomes that the store did not record; the poll worker of another instance ends those jobs. */
    finish: ending.close,
    polling: worker.underWay,
    prune: files.prune,
    start: worker.start,
    stop: worker.stop,
    /** Closes every connection; submissions in progress are lost and asked about later. */
    close: async () => void (await Promise.all([...providers.values()].map((provider) => provider.close()))),
  }
}

/** Refuses new jobs. Jobs from before it was disabled stay as they are, until the provider is back. */
const disabledMedia: MediaProvider = {
  testOnly: false,
  maxPromptChars: Number.MAX_SAFE_INTEGER,
  timeoutMs: 1000,
  submit: async () => ({ kind: 'refused', code: 'PROVIDER_DISABLED', sent: false }),
  find: async () => ({ kind: 'no_response' }),
  read: async () => ({ kind: 'no_response' }),
  cancel: async () => ({ kind: 'failed', code: 'PROVIDER_DISABLED' }),
  open: async () => ({ kind: 'failed', code: 'PROVIDER_DISABLED' }),
  callbackSecret: () => null,
  close: async () => {},
}

type ProviderParts = Pick<MediaOptions, 'media' | 'credential' | 'traceHeaders' | 'clock' | 'logger'> &
  Pick<MediaSurroundings, 'reportFault'>

/** By name, and as operators see them. */
function createProviders({ media, credential, traceHeaders, clock, logger, reportFault }: ProviderParts) {
  const denials = createDenialLog(logger)
  const watched: WatchedMedia[] = []
  const providers = new Map(
    Object.entries(media.providers).map(([name, settings]) => {
      const hooks = { traceHeaders, onDenied: denials(`media/${name}`) }
      const provider = createMediaProvider(settings, credential, { clock, reportFault, hooks })
      const watch = createProviderWatch()
      watched.push(watchedMedia({ name, settings, provider, watch }))
      return [name, watchProvider(provider, watch, mediaCalls)]
    }),
  )
  return { watched, providers }
}

function createMediaProvider(
  settings: MediaSettings,
  credential: Credential,
  surroundings: MediaSurroundings,
): MediaProvider {
  switch (settings.adapter) {
    case 'local':
      return createLocalMedia(settings, surroundings)
    case 'http':
      return createHttpMedia(settings, credential, surroundings.hooks)
    case 'disabled':
      return disabledMedia
  }
}

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
