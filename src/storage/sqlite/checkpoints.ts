import { Worker } from 'node:worker_threads'
import type { Connection, LogLength } from './connection.ts'
import type { LockQueue } from './lock-queue.ts'

/** Lengths of the write-ahead log, in its pages of 4 KiB. */
export interface LogSizes {
  /** The log is copied into the database whenever it has grown by this much. */
  readonly copyPages: number
  /** From this length on it starts over as soon as all of it is copied. */
  readonly restartPages: number
  /** Growth after which the writer copies by itself, because nobody else does or not fast enough. */
  readonly limitPages: number
}

export const logSizes: LogSizes = { copyPages: 2000, restartPages: 2000, limitPages: 8000 }

export interface CheckpointOptions {
  readonly writer: Connection
  readonly turns: LockQueue
  readonly file: string
  readonly busyTimeoutMs: number
  readonly logSizes: LogSizes
  /** Whether a thread of its own does the copying; a short-lived program needs none. */
  readonly hasCheckpointer: boolean
}

/**
 * Keeps the write-ahead log short without holding up the commits. A thread of its own copies the log into the database; the
 * writer only adds what was appended meanwhile, after which the next commit starts the log over.
 */
export class Checkpoints {
  readonly #options: CheckpointOptions
  #checkpointer: Worker | undefined
  #isCopying = false
  /** Length of the log when it was last copied. */
  #copiedAt = 0

  constructor(options: CheckpointOptions) {
    this.#options = options
    if (options.hasCheckpointer) this.#start()
  }

  /** Asks for the length after every commit, which takes 2 µs. Never throws: the commit holds, whatever becomes of the log. */
  afterCommit(): void {
    try {
      this.#limitLog(this.#options.writer.checkpoint('NOOP'))
    } catch {
      // A full disk, for one: the log stays as it is, and a later commit tries again.
    }
  }

  async stop(): Promise<void> {
    await this.#checkpointer?.terminate()
  }

  #limitLog({ log }: LogLength): void {
    const { writer, logSizes } = this.#options
    if (log < this.#copiedAt) this.#copiedAt = 0
    const growth = log - this.#copiedAt
    if (growth >= logSizes.limitPages) {
      this.#copiedAt = log
      writer.checkpoint('PASSIVE')
    } else if (growth >= logSizes.copyPages && this.#checkpointer && !this.#isCopying) {
      this.#copiedAt = log
      this.#isCopying = true
      this.#checkpointer.postMessage('copy')
    }
  }

  #start(): void {
    const { file, busyTimeoutMs } = this.#options
    const workerData = { file, busyTimeoutMs }
    const checkpointer = new Worker(new URL('./checkpointer.ts', import.meta.url), { workerData })
    this.#checkpointer = checkpointer
    checkpointer.unref()
    checkpointer.on('message', ({ log }: LogLength) => {
      this.#isCopying = false
      if (log >= this.#options.logSizes.restartPages) this.#copyRest()
    })
    // Without it the writer copies in longer steps, until the next worker starts another.
    checkpointer.on('error', () => {})
    checkpointer.on('exit', () => {
      this.#checkpointer = undefined
    })
  }

  #copyRest(): void {
    const { turns, logSizes } = this.#options
    turns.take(
      ({ connection, end }) => {
        try {
          const { log, checkpointed } = connection.checkpoint('NOOP')
          // A long rest means that an open read needs it.
          if (log - checkpointed <= logSizes.copyPages) connection.checkpoint('PASSIVE')
        } catch {
          // As after a commit.
        } finally {
          end()
        }
      },
      () => {},
    )
  }
}
