import { Worker } from 'node:worker_threads'
import type { Connection, LockQueue, LogLength } from './connection.ts'
import type { LogSizes } from './protocol.ts'

export const logSizes: LogSizes = { copyPages: 2000, restartPages: 2000, limitPages: 8000 }

export interface CheckpointOptions {
  readonly writer: Connection
  readonly writeLocks: LockQueue
  readonly file: string
  readonly busyTimeoutMs: number
  readonly logSizes: LogSizes
  /** Whether a separate thread copies the log; a short-lived program needs none. */
  readonly hasCheckpointer: boolean
}

/**
 * Keeps the write-ahead log short without delaying commits. A separate thread copies the log into the database; the writer
 * copies only what was appended in between, so that the next commit starts the log over.
 */
export class Checkpoints {
  readonly #options: CheckpointOptions
  /** Started when there is something to copy: most stores are closed before, and a thread costs as much as opening one. */
  #checkpointer: Worker | undefined
  #mayStart: boolean
  #isCopying = false
  #copiedAt = 0
  /** Rows written when the log length was last read. */
  #writtenBefore = 0

  constructor(options: CheckpointOptions) {
    this.#options = options
    this.#mayStart = options.hasCheckpointer
  }

  /** Reads the log length now and then, because that takes as long as a short statement. Never throws: the commit is already durable. */
  afterCommit(): void {
    const { writer, logSizes } = this.#options
    // A row takes a page or two, so far fewer than are copied at once. SQLite prepares a PRAGMA anew each time it runs.
    if (writer.written - this.#writtenBefore < logSizes.copyPages / 5) return
    this.#writtenBefore = writer.written
    try {
      this.#limitLog(writer.checkpoint('NOOP'))
    } catch {
      // For example a full disk. A later commit tries again.
    }
  }

  async stop(): Promise<void> {
    await this.#checkpointer?.terminate()
  }

  #limitLog({ log }: LogLength): void {
    const { writer, logSizes } = this.#options
    if (log < this.#copiedAt) {
      this.#copiedAt = 0
      // The database must have everything of the log before, which is gone.
      writer.stamp()
    }
    const growth = log - this.#copiedAt
    if (growth >= logSizes.limitPages) {
      this.#copiedAt = log
      writer.stamp()
      writer.checkpoint('PASSIVE')
    } else if (growth >= logSizes.copyPages && !this.#isCopying) {
      if (this.#mayStart) this.#start()
      if (!this.#checkpointer) return
      this.#copiedAt = log
      this.#isCopying = true
      // The log must have everything that the database will have.
      writer.stamp()
      this.#checkpointer.postMessage('copy')
    }
  }

  #start(): void {
    this.#mayStart = false
    const { file, busyTimeoutMs } = this.#options
    const workerData = { file, busyTimeoutMs }
    const checkpointer = new Worker(new URL('./checkpointer.ts', import.meta.url), { workerData })
    this.#checkpointer = checkpointer
    checkpointer.unref()
    checkpointer.on('message', ({ log }: LogLength) => {
      this.#isCopying = false
      if (log >= this.#options.logSizes.restartPages) this.#copyRest()
    })
    // Without a checkpointer the writer copies, until a restarted worker starts a new one.
    checkpointer.on('error', () => {})
    checkpointer.on('exit', () => {
      this.#checkpointer = undefined
    })
  }

  #copyRest(): void {
    const { writeLocks, logSizes } = this.#options
    writeLocks.acquire(
      ({ connection, release }) => {
        try {
          const { log, checkpointed } = connection.checkpoint('NOOP')
          // If much is left, an open read still needs it.
          if (log - checkpointed <= logSizes.copyPages) connection.checkpoint('PASSIVE')
        } catch {
          // A later commit tries again.
        } finally {
          release()
        }
      },
      () => {},
    )
  }
}
