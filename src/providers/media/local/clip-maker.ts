import { Worker } from 'node:worker_threads'
import type { ClipSeconds, ClipSize } from '../../../contract/media/clips.ts'

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

  function finish(tell: (clip: WaitingClip) => void): void {
    const done = current
    current = null
    if (done) tell(done)
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
