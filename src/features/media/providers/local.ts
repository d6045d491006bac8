import { Readable } from 'node:stream'
import { Worker } from 'node:worker_threads'
import type { ClipSeconds, ClipSize } from '../../../contract/choices.ts'
import { clipType } from '../contract.ts'
import type { JobReport, LocalMediaSettings, MediaProvider, MediaSurroundings, ProviderJob } from './provider.ts'

export interface Clip {
  readonly prompt: string
  readonly seconds: ClipSeconds
  readonly size: ClipSize
}

interface WaitingClip {
  readonly clip: Clip
  readonly resolve: (bytes: Uint8Array) => void
  readonly reject: (error: Error) => void
}

/** More than the poll worker ever asks for at once. */
const maxWaiting = 256
const idleMs = 10_000

/**
 * Encodes test clips in a worker thread, one at a time: a clip takes seconds of computing. The thread starts with the first
 * clip and stops when there is nothing to do.
 */
export function createClipMaker() {
  const waiting: WaitingClip[] = []
  let current: WaitingClip | null = null
  let worker: Worker | null = null
  let idle: NodeJS.Timeout | undefined

  function start(): Worker {
    const started = new Worker(new URL('./clip-worker.ts', import.meta.url))
    started.unref()
    started.on('message', (bytes: Uint8Array) => finish((clip) => clip.resolve(bytes)))
    started.on('error', (error) => {
      worker = null
      finish((clip) => clip.reject(error))
    })
    return started
  }

  function finish(settle: (clip: WaitingClip) => void): void {
    const done = current
    current = null
    if (done) settle(done)
    next()
  }

  function next(): void {
    if (current !== null) return
    clearTimeout(idle)
    current = waiting.shift() ?? null
    if (current === null) {
      idle = setTimeout(close, idleMs).unref()
      return
    }
    worker ??= start()
    worker.postMessage(current.clip)
  }

  async function close(): Promise<void> {
    clearTimeout(idle)
    const stopped = worker
    worker = null
    for (const { reject } of [...(current ? [current] : []), ...waiting.splice(0)]) reject(new Error('closed'))
    current = null
    await stopped?.terminate()
  }

  return {
    make: (clip: Clip): Promise<Uint8Array> =>
      new Promise((resolve, reject) => {
        if (waiting.length >= maxWaiting) return reject(new Error('too many clips are waiting'))
        waiting.push({ clip, resolve, reject })
        next()
      }),
    close,
  }
}

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
    find: async (job) => ({ kind: 'found', id: idOf(job.reference), ...reportOf(job) }),
    read: async (job) => ({ kind: 'reported', ...reportOf(job) }),
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
