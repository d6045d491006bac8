import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { type ClipSeconds, type ClipSize, clipSeconds, clipSizes } from '../../../../contract/choices.ts'
import { clipType } from '../contract.ts'
import type { JobReport, LocalMediaSettings, MediaProvider, MediaSurroundings, ProviderJob } from './provider.ts'

const clips = new Map<string, Promise<Buffer>>()

/** One of the files that build/generate-clips.ts made. The prompt makes no difference but for a last box, which players skip. */
export async function localClip(prompt: string, seconds: ClipSeconds, size: ClipSize): Promise<Buffer> {
  if (!clipSeconds.includes(seconds) || !clipSizes.includes(size))
    throw new Error(`no clip of ${seconds} s and ${size}`)
  const name = `${size}-${seconds}.mp4`
  if (!clips.has(name)) clips.set(name, readFile(new URL(`./clips/${name}`, import.meta.url)))
  const digest = hash('sha256', prompt, 'buffer')
  const header = Buffer.from([0, 0, 0, 8 + digest.length, ...Buffer.from('free')])
  return Buffer.concat([await clips.get(name)!, header, digest])
}

/** Long enough to watch the progress, short enough to wait for. */
const takesMs = 4000
const pollMs = 1000

/**
 * Serves a test clip without a provider. It remembers nothing: when a job began and whether it was cancelled is in the job
 * itself, so a restart loses nothing and every instance gives the same response.
 */
export function createLocalMedia(
  { maxPromptChars }: LocalMediaSettings,
  { clock, reportFault }: MediaSurroundings,
): MediaProvider {
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
    find: async (job) => ({ kind: 'found', id: idOf(job.reference), ...reportOf(job) }),
    read: async (job) => ({ kind: 'reported', ...reportOf(job) }),
    cancel: async (job) => (clock() < endsAt(job) ? { kind: 'accepted' } : { kind: 'too_late' }),
    async open({ prompt, seconds, size }, _, range) {
      try {
        const bytes = await localClip(prompt, seconds, size)
        const part = range ? bytes.subarray(range.start, range.end + 1) : bytes
        const body = Readable.from([part])
        return { kind: 'opened', contentType: clipType, length: bytes.length, isPart: range !== undefined, body }
      } catch (error) {
        reportFault(error)
        return { kind: 'failed', code: 'ADAPTER_FAILURE' }
      }
    },
    callbackSecret: () => null,
    close: async () => {},
  }
}

const idOf = (reference: string) => `local_${reference}`
