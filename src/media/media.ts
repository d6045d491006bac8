import { join } from 'node:path'
import { type ErrorCode, Refusal } from '../contract/errors.ts'
import type { CreateMediaJobRequest, JobPageParameters, MediaJobPage } from '../contract/media/job.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { TraceHeaders } from '../providers/http-call.ts'
import { createMediaProvider } from '../providers/media/create-media-provider.ts'
import type { MediaSettings } from '../providers/media/media-provider.ts'
import type { Credential } from '../providers/upstream.ts'
import type { InstanceLease } from '../relay/ports.ts'
import { isSigned, type SignedCallback } from '../webhook-signature.ts'
import { createCancel } from './cancel.ts'
import { createContentFiles } from './content-files.ts'
import { type PollDeps, pollJob } from './poll-job.ts'
import { createPollWorker } from './poll-worker.ts'
import type { ChargedJob, JobStore } from './ports.ts'
import { publicJob } from './public-job.ts'
import { createReadContent } from './read-content.ts'
import { createSubmit } from './submit.ts'

/** `media` is that part of the configuration as it is. */
export interface MediaOptions {
  readonly media: {
    readonly default: string
    readonly creditsPerSecond: number
    readonly deadlineSeconds: number
    readonly maxContentBytes: number
    readonly content: 'keep' | 'proxy'
    readonly contentDays: number
    readonly poll: { readonly firstMs: number; readonly maxMs: number }
    readonly providers: Readonly<Record<string, MediaSettings>>
  }
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

export interface MediaLogger {
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export type Media = ReturnType<typeof createMedia>

/** Media jobs: submitting, reading, cancelling, polling and serving their clips. */
export function createMedia({
  media,
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
  const providers = new Map(
    Object.entries(media.providers).map(([name, settings]) => [
      name,
      createMediaProvider(settings, credential, { clock, reportFault, traceHeaders }),
    ]),
  )
  const files = createContentFiles({
    ...media,
    directory: media.content === 'keep' ? join(dataDir, 'media') : null,
    maxBytes: media.maxContentBytes,
    clock,
    onDiskFault: (error, context) => logger.error({ err: error, ...context }, 'a clip could not be kept'),
  })
  const onReview: PollDeps['onReview'] = (context) => logger.warn(context, 'a media job needs a review')
  const worker = createPollWorker({
    jobs,
    poll: (job, stopping) =>
      pollJob(
        {
          ...{ jobs, ledger, providers, files, clock, onSettled, onReview },
          timing: media.poll,
          random: Math.random,
        },
        job,
        stopping,
      ),
    clock,
    isLeaseHeld: () => lease.isHeld(),
    canAdopt: () => lease.canRecoverOthers(),
    onFault: (error, context) => logger.error({ err: error, ...context }, 'a media job could not be polled'),
  })
  const onDue = (at: number) => worker.notice(at)
  const submit = createSubmit({
    ...media,
    ...{ ledger, jobs, providers, callsPerKey, clock, onDue, onReview },
    defaultProvider: media.default,
    firstPollMs: media.poll.firstMs,
    instanceId: lease.instanceId,
    isLeaseHeld: () => lease.isHeld(),
    onLost: (context) => logger.warn(context, 'the answer to a media submission was lost'),
  })

  async function find(projectId: string, jobId: string): Promise<ChargedJob> {
    const job = await jobs.find(projectId, jobId)
    if (!job) throw new Refusal('JOB_NOT_FOUND')
    return job
  }

  return {
    submit,
    find,
    cancel: createCancel({ jobs, providers, clock, onDue }),
    readContent: createReadContent({ files, providers, clock }),
    retryAfterSeconds: Math.max(1, Math.ceil(media.poll.firstMs / 1000)),
    /** Field checks that depend on the configuration. */
    refuse({ provider, prompt }: CreateMediaJobRequest): ErrorCode | null {
      const { maxPromptChars } = providers.get(provider ?? media.default)!
      return isLongerThan(prompt, maxPromptChars) ? 'PROMPT_TOO_LARGE' : null
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
    polling: worker.underWay,
    prune: files.prune,
    start: worker.start,
    stop: worker.stop,
    /** Closes every connection; submissions under way are lost and asked about later. */
    close: async () => void (await Promise.all([...providers.values()].map((provider) => provider.close()))),
  }
}

/** In code points. The length in code units is an upper bound, so most texts need no counting. */
const isLongerThan = (text: string, maxChars: number) => text.length > maxChars && Array.from(text).length > maxChars
