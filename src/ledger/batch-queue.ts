import type { Command, CommandResult } from './commands.ts'

/** A command and the promise of its result. */
export interface Submission {
  readonly command: Command
  readonly resolve: (result: CommandResult) => void
  readonly reject: (error: unknown) => void
  /** When it was submitted, by a monotonic clock. */
  readonly since: number
}

export interface Batch {
  readonly submissions: readonly Submission[]
}

/** The most commands a batch may have. */
export const largestBatch = 256

/** Commands waiting for a commit. The store's batch policy decides which of them commit together, and when. */
export interface BatchQueue {
  readonly waiting: number
  /** Number of commands in batches taken but not done. */
  readonly underWay: number
  add(submission: Submission): void
  /** A batch large enough to commit at once, if the store has capacity. */
  takeFull(): Batch | null
  /** Any waiting commands, if the store is idle. */
  takeAny(): Batch | null
  /** True if `takeAny` would return a batch. */
  readonly canTakeAny: boolean
  /** Commands of one project that another session has locked; they run alongside the other batches. */
  takeLocked(): Batch | null
  /** Ends a batch. `locked` are its commands that did not run, because another session has locked their project. */
  done(batch: Batch, locked?: readonly Submission[]): void
}

export interface FifoOptions {
  readonly fullBatch: number
  /** Batches in progress at once; more than one keeps the store busy. */
  readonly maxConcurrentBatches: number
}

export class FifoBatchQueue implements BatchQueue {
  readonly #options: FifoOptions
  #waiting: Submission[] = []
  #batchesUnderWay = 0
  #commandsUnderWay = 0

  constructor(options: FifoOptions) {
    this.#options = options
  }

  get waiting(): number {
    return this.#waiting.length
  }

  get underWay(): number {
    return this.#commandsUnderWay
  }

  add(submission: Submission): void {
    this.#waiting.push(submission)
  }

  takeFull(): Batch | null {
    const { fullBatch, maxConcurrentBatches } = this.#options
    return this.#waiting.length < fullBatch || this.#batchesUnderWay >= maxConcurrentBatches ? null : this.#take()
  }

  takeAny(): Batch | null {
    return this.canTakeAny ? this.#take() : null
  }

  get canTakeAny(): boolean {
    return this.#waiting.length > 0 && this.#batchesUnderWay === 0
  }

  /** A store of one writer locks no project. */
  takeLocked(): null {
    return null
  }

  done({ submissions }: Batch): void {
    this.#batchesUnderWay -= 1
    this.#commandsUnderWay -= submissions.length
  }

  #take(): Batch {
    const submissions = this.#waiting.splice(0, largestBatch)
    this.#batchesUnderWay += 1
    this.#commandsUnderWay += submissions.length
    return { submissions }
  }
}
