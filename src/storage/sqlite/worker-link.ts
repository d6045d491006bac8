import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { StoreUnavailable } from '../engine.ts'
import type { Logger } from '../logger.ts'
import { errorOf } from './faults.ts'
import type { Reply, Request, WorkerOptions } from './protocol.ts'

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never
export type PendingRequest = WithoutId<Request>

interface Pending {
  readonly kind: Request['kind']
  readonly askedAt: number
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

export interface LinkOptions {
  readonly worker: WorkerOptions
  readonly logger: Logger
  readonly restartDelaysMs: readonly number[]
  /** How long a worker may take to answer; one that hangs on its disk answers nothing. */
  readonly answerLimitMs: number
  readonly maxPending: number
}

/** The main thread's end of the line: asks the worker, and starts a new one when it dies. */
export class WorkerLink {
  readonly #options: LinkOptions
  readonly #pending = new Map<number, Pending>()
  readonly #onLost = new Map<number, (error: Error) => void>()
  #worker: Worker | undefined
  #isReady = false
  #identity: string | undefined
  #isClosed = false
  #nextId = 1
  #failedStarts = 0
  #restart: NodeJS.Timeout | undefined
  readonly #watch: NodeJS.Timeout
  /** Counted by the watch, so that it stands still while the process is paused, the worker with it. */
  #watchedMs = 0

  constructor(options: LinkOptions) {
    this.#options = options
    const everyMs = Math.min(1000, options.answerLimitMs / 4)
    this.#watch = setInterval(() => {
      this.#watchedMs += everyMs
      this.#rejectOverdue()
    }, everyMs)
    this.#watch.unref()
  }

  /** Starts the worker; rejects when it cannot open the database. */
  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      // For threads from now on: its objects are gone after a batch, so that a small young generation serves it as well as
      // a large one. Limits of the worker itself count nothing beside a flag of the process.
      setFlagsFromString('--max-semi-space-size=2')
      const worker = new Worker(new URL('./worker.ts', import.meta.url), {
        workerData: {
          ...this.#options.worker,
          ...(this.#identity && { identity: this.#identity }),
        } satisfies WorkerOptions,
      })
      this.#worker = worker
      let reason: Error = new StoreUnavailable('the SQLite worker died')
      worker.on('message', (reply: Reply) => {
        if (reply.kind === 'ready') {
          this.#isReady = true
          this.#identity = reply.identity
          this.#failedStarts = 0
          resolve()
        } else if (reply.kind === 'failed') {
          reason = errorOf(reply.fault)
          worker.terminate()
        } else this.#receive(reply)
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

  /** A number for a transaction, and a promise that rejects when the worker ends it by itself or dies. */
  openTransaction(): { tx: number; lost: Promise<never>; forget: () => void } {
    const tx = this.#nextId++
    const lost = new Promise<never>((_resolve, reject) => this.#onLost.set(tx, reject))
    lost.catch(() => {})
    return { tx, lost, forget: () => this.#onLost.delete(tx) }
  }

  ask(question: PendingRequest): Promise<unknown> {
    const worker = this.#worker
    if (!worker || !this.#isReady) {
      return Promise.reject(
        new StoreUnavailable(this.#isClosed ? 'the store is closed' : 'the SQLite worker is starting'),
      )
    }
    // What is under way may always end: refusing a commit would leave its transaction open.
    const isNew = question.kind !== 'commit' && question.kind !== 'rollback' && question.kind !== 'close'
    if (isNew && this.#pending.size >= this.#options.maxPending) {
      return Promise.reject(new StoreUnavailable(`the SQLite worker owes ${this.#pending.size} answers already`))
    }
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      worker.postMessage({ ...question, id })
      this.#pending.set(id, { kind: question.kind, askedAt: this.#watchedMs, resolve, reject })
    })
  }

  /** For what is not answered. */
  tell(message: Extract<PendingRequest, { kind: 'end' }>): void {
    if (this.#isReady) this.#worker?.postMessage({ ...message, id: 0 })
  }

  /** Ends the worker, with what it was asked before answered first. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    clearTimeout(this.#restart)
    clearInterval(this.#watch)
    const worker = this.#worker
    if (!worker) return
    const exited = new Promise((resolve) => worker.once('exit', resolve))
    if (this.#isReady) await this.ask({ kind: 'close' }).catch(() => {})
    await worker.terminate()
    await exited
  }

  #receive(reply: Exclude<Reply, { kind: 'ready' | 'failed' }>) {
    if (reply.kind === 'lost') {
      this.#onLost.get(reply.tx)?.(errorOf(reply.fault))
      return
    }
    const pending = this.#pending.get(reply.id)
    this.#pending.delete(reply.id)
    if (reply.kind === 'done') pending?.resolve(reply.value)
    else pending?.reject(errorOf(reply.fault))
  }

  #rejectPending(reason: Error) {
    for (const reject of this.#onLost.values()) reject(reason)
    this.#onLost.clear()
    for (const pending of this.#pending.values()) pending.reject(lost(pending, reason))
    this.#pending.clear()
  }

  /** The oldest come first, so the first one in time ends the search. */
  #rejectOverdue() {
    const latest = this.#watchedMs - this.#options.answerLimitMs
    for (const [id, pending] of this.#pending) {
      if (pending.kind === 'backup') continue
      if (pending.askedAt >= latest) return
      this.#pending.delete(id)
      pending.reject(lost(pending, new StoreUnavailable('the SQLite worker does not answer')))
    }
  }

  #scheduleRestart(reason: Error) {
    const delays = this.#options.restartDelaysMs
    const delayMs = delays[Math.min(this.#failedStarts, delays.length - 1)] ?? 0
    this.#failedStarts += 1
    this.#options.logger.error({ err: reason, delayMs }, 'the SQLite worker died; starting another')
    this.#restart = setTimeout(() => {
      this.start().catch((error) => {
        if (!this.#isClosed) this.#scheduleRestart(error)
      })
    }, delayMs)
  }
}

function lost({ kind }: Pending, reason: Error): StoreUnavailable {
  const mayHaveCommitted = kind === 'commit' || kind === 'call'
  return new StoreUnavailable(reason.message, { cause: reason, mayHaveCommitted })
}
