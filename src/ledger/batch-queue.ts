import type { Command, CommandResult } from './commands.ts'

/** A command, and whoever waits for its result. */
export interface Submission {
  readonly command: Command
  readonly resolve: (result: CommandResult) => void
  readonly reject: (error: unknown) => void
}

export interface Batch {
  readonly submissions: readonly Submission[]
}

/** A batch never has more commands. */
export const largestBatch = 256

/** Commands that wait for a commit, and the policy of the store that picks which of them go together and when. */
export interface BatchQueue {
  /** Commands that wait. */
  readonly waiting: number
  /** Commands of batches that were taken and are not done. */
  readonly underWay: number
  add(submission: Submission): void
  /** A batch that is large enough for a commit of its own, if the store has room for one. */
  takeFull(): Batch | null
  /** Whatever waits, if the store is idle. */
  takeAny(): Batch | null
  done(batch: Batch): void
}

export interface FifoOptions {
  /** Commands that are worth a commit of their own. */
  readonly fullBatch: number
  /** Batches under way at once, so that the next is there when one is done. */
  readonly commitsAtOnce: number
}

/** First come, first served. */
export class FifoBatchQueue implements BatchQueue {
  readonly #options: FifoOptions
  #waiting: Submission[] = []
  #batches = 0
  #underWay = 0

  constructor(options: FifoOptions) {
    this.#options = options
  }

  get waiting(): number {
    return this.#waiting.length
  }

  get underWay(): number {
    return this.#underWay
  }

  add(submission: Submission): void {
    this.#waiting.push(submission)
  }

  takeFull(): Batch | null {
    const { fullBatch, commitsAtOnce } = this.#options
    return this.#waiting.length < fullBatch || this.#batches >= commitsAtOnce ? null : this.#take()
  }

  takeAny(): Batch | null {
    return this.#waiting.length === 0 || this.#batches > 0 ? null : this.#take()
  }

  done({ submissions }: Batch): void {
    this.#batches -= 1
    this.#underWay -= submissions.length
  }

  #take(): Batch {
    const submissions = this.#waiting.splice(0, largestBatch)
    this.#batches += 1
    this.#underWay += submissions.length
    return { submissions }
  }
}
