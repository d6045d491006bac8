import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { after, every, type Timer } from '../../base/timers.ts'
import type { Logger } from '../engine.ts'
import { StoreUnavailable } from '../engine.ts'
import { errorOf } from './faults.ts'
import type { Request, WorkerMessage, WorkerOptions } from './protocol.ts'

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never
export type UnsentRequest = WithoutId<Request>

interface PendingRequest {
  readonly kind: Request['kind']
  readonly sentAt: number
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

export interface LinkOptions {
  readonly worker: WorkerOptions
  readonly logger: Logger
  readonly restartDelaysMs: readonly number[]
  /** How long the worker may take to respond; one that hangs on its disk never does. */
  readonly responseLimitMs: number
  readonly maxPending: number
}

/** Sends requests to the worker, and restarts it when it dies. */
export class WorkerLink {
  readonly #options: LinkOptions
  readonly #pending = new Map<number, PendingRequest>()
  readonly #onLost = new Map<number, (error: Error) => void>()
  #worker: Worker | undefined
  #isReady = false
  #identity: string | undefined
  #isClosed = false
  #nextId = 1
  #failedStarts = 0
  #restart: Timer | undefined
  readonly #watch: Timer
  /** Counts only while the process runs: a paused process pauses its worker too. */
  #watchedMs = 0

  constructor(options: LinkOptions) {
    this.#options = options
    const everyMs = Math.min(1000, options.responseLimitMs / 4)
    this.#watch = every(everyMs, () => {
      this.#watchedMs += everyMs
      this.#rejectOverdue()
    })
    this.#watch.unref()
  }

  get isReady(): boolean {
    return this.#isReady
  }

  /** Device and inode of the file that the worker has open. */
  get identity(): string | undefined {
    return this.#identity
  }

  /** Starts the worker; rejects when it cannot open the database. */
  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      // Applies to threads started from now on; the worker's objects die young, so a small young generation is enough.
      // A process-wide V8 flag overrides the worker's `resourceLimits`.
      setFlagsFromString('--max-semi-space-size=2')
      const worker = new Worker(new URL('./worker.ts', import.meta.url), {
        workerData: {
          ...this.#options.worker,
          ...(this.#identity && { identity: this.#identity }),
        } satisfies WorkerOptions,
      })
      this.#worker = worker
      let reason: Error = new StoreUnavailable('the SQLite worker died')
      worker.on('message', (message: WorkerMessage) => {
        if (message.kind === 'ready') {
          this.#isReady = true
          this.#identity = message.identity
          this.#failedStarts = 0
          resolve()
        } else if (message.kind === 'failed') {
          reason = errorOf(message.fault)
          worker.terminate()
        } else this.#receive(message)
      })
      worker.on('error', (error) => {
        reason = new StoreUnavailable(`the SQLite worker died: ${error.message}`, { cause: error })
      })
      worker.on('exit', () => {
        const wasReady = this.#isReady
        this.#isReady = false
        this.#worker = undefined
        this.#rejectPending(reason)
        if (wasReady && !this.#isClosed) this.#scheduleRestart(reason)
        reject(reason)
      })
    })
  }

  /** A transaction id, and a promise that rejects if the worker expires the transaction or dies. */
  openTransaction(): { tx: number; lost: Promise<never>; forget: () => void } {
    const tx = this.#nextId++
    const lost = new Promise<never>((_resolve, reject) => this.#onLost.set(tx, reject))
    lost.catch(() => {})
    return { tx, lost, forget: () => this.#onLost.delete(tx) }
  }

  request(request: UnsentRequest): Promise<unknown> {
    const worker = this.#worker
    if (!worker || !this.#isReady) {
      return Promise.reject(
        new StoreUnavailable(this.#isClosed ? 'the store is closed' : 'the SQLite worker is starting'),
      )
    }
    // Never refuse the end of a transaction, which would leave it open.
    const isNew = request.kind !== 'commit' && request.kind !== 'rollback' && request.kind !== 'close'
    if (isNew && this.#pending.size >= this.#options.maxPending) {
      return Promise.reject(
        new StoreUnavailable(`the SQLite worker already has ${this.#pending.size} requests pending`),
      )
    }
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      worker.postMessage({ ...request, id })
      this.#pending.set(id, { kind: request.kind, sentAt: this.#watchedMs, resolve, reject })
    })
  }

  /** Sends a message that gets no response. */
  notify(message: Extract<UnsentRequest, { kind: 'end' }>): void {
    if (this.#isReady) this.#worker?.postMessage({ ...message, id: 0 })
  }

  /** Ends the worker after it has handled earlier requests. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#restart?.cancel()
    this.#watch.cancel()
    const worker = this.#worker
    if (!worker) return
    const exited = new Promise((resolve) => worker.once('exit', resolve))
    if (this.#isReady) await this.request({ kind: 'close' }).catch(() => {})
    await worker.terminate()
    await exited
  }

  #receive(message: Exclude<WorkerMessage, { kind: 'ready' | 'failed' }>) {
    if (message.kind === 'lost') {
      this.#onLost.get(message.tx)?.(errorOf(message.fault))
      return
    }
    const pending = this.#pending.get(message.id)
    this.#pending.delete(message.id)
    if (message.kind === 'done') pending?.resolve(message.value)
    else pending?.reject(errorOf(message.fault))
  }

  #rejectPending(reason: Error) {
    for (const reject of this.#onLost.values()) reject(reason)
    this.#onLost.clear()
    for (const pending of this.#pending.values()) pending.reject(lostError(pending, reason))
    this.#pending.clear()
  }

  /** Oldest first, so the first request in time ends the scan. */
  #rejectOverdue() {
    const latest = this.#watchedMs - this.#options.responseLimitMs
    for (const [id, pending] of this.#pending) {
      if (pending.kind === 'backup') continue
      if (pending.sentAt >= latest) return
      this.#pending.delete(id)
      pending.reject(lostError(pending, new StoreUnavailable('the SQLite worker does not respond')))
    }
  }

  #scheduleRestart(reason: Error) {
    const delays = this.#options.restartDelaysMs
    const delayMs = delays[Math.min(this.#failedStarts, delays.length - 1)] ?? 0
    this.#failedStarts += 1
    this.#options.logger.error({ err: reason, delayMs }, 'the SQLite worker died; starting another')
    this.#restart = after(delayMs, () => {
      this.start().catch((error) => {
        if (!this.#isClosed) this.#scheduleRestart(error)
      })
    })
  }
}

function lostError({ kind }: PendingRequest, reason: Error): StoreUnavailable {
  const mayHaveCommitted = kind === 'commit' || kind === 'call' || kind === 'script'
  return new StoreUnavailable(reason.message, { cause: reason, mayHaveCommitted })
}
