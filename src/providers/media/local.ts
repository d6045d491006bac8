import { Readable } from 'node:stream'
import { clipType } from '../../contract/media/job.ts'
import { createClipMaker } from './local/clip-maker.ts'
import type { JobReport, LocalMediaSettings, MediaProvider, MediaSurroundings, ProviderJob } from './media-provider.ts'

/** Long enough to watch the progress, short enough to wait for. */
const takesMs = 4000
const pollMs = 1000

/**
 * Makes a test clip without a provider. It remembers nothing: when a job began and whether it was cancelled is in the job
 * itself, so a restart loses nothing and every instance gives the same answer.
 */
export function createLocalMedia(
  { maxPromptChars }: LocalMediaSettings,
  { clock, reportFault }: MediaSurroundings,
): MediaProvider {
  const clips = createClipMaker()
  const endsAt = ({ createdAt }: ProviderJob) => createdAt + takesMs

  function reportOf(job: ProviderJob): JobReport {
    if (job.cancelRequestedAt !== null && job.cancelRequestedAt < endsAt(job))
      return { status: 'cancelled', progress: null }
    const leftMs = Math.max(0, endsAt(job) - clock())
    const progress = Math.min(100, Math.floor(((takesMs - leftMs) / takesMs) * 100))
    return { status: leftMs === 0 ? 'completed' : 'in_progress', progress, retryAfterMs: Math.min(pollMs, leftMs) }
  }

  return {
    testOnly: true,
    maxPromptChars,
    timeoutMs: 1000,
    submit: async ({ reference }) => ({ kind: 'accepted', id: idOf(reference), status: 'queued', progress: 0 }),
    // Every job that was created counts as accepted, because submitting it does nothing that could be lost.
    look: async (job) => ({ kind: 'found', id: idOf(job.reference), ...reportOf(job) }),
    read: async (job) => ({ kind: 'told', ...reportOf(job) }),
    cancel: async (job) => (clock() < endsAt(job) ? { kind: 'accepted' } : { kind: 'too_late' }),
    async open({ prompt, seconds, size }, _, range) {
      try {
        const bytes = await clips.make({ prompt, seconds, size })
        const part = range ? bytes.subarray(range.start, range.end + 1) : bytes
        const body = Readable.from([part])
        return { kind: 'opened', contentType: clipType, length: bytes.length, isPart: range !== undefined, body }
      } catch (error) {
        reportFault(error)
        return { kind: 'failed', code: 'ADAPTER_FAILURE' }
      }
    },
    callbackSecret: () => null,
    close: clips.close,
  }
}

const idOf = (reference: string) => `local_${reference}`
