import type { Batch, BatchQueue, Submission } from './batch-queue.ts'
import type {
  Admit,
  AdmitResult,
  Command,
  CommandResult,
  Credit,
  CreditResult,
  End,
  EndResult,
  Refuse,
  RefuseResult,
  ResultOf,
} from './commands.ts'

/** Decides a batch of commands by the rules and makes the decisions durable, all or none. */
export interface BookStore {
  apply(commands: readonly Command[]): Promise<CommandResult[]>
  /** Whether the error of an `apply` means that the store is out of reach, rather than that it refuses these commands. */
  isUnavailable(error: unknown): boolean
  /** An empty queue with this store's batch policy. */
  createQueue(): BatchQueue
}

/** Reserve, settle, release, hold for review, credit. Each promise resolves only once its decision is on disk. */
export interface Ledger {
  readonly admit: (command: Admit) => Promise<AdmitResult>
  readonly refuse: (command: Refuse) => Promise<RefuseResult>
  readonly end: (command: End) => Promise<EndResult>
  readonly credit: (command: Credit) => Promise<CreditResult>
  /** Commands that wait for their commit or are in it. */
  readonly queued: () => number
}

export interface LedgerOptions {
  readonly books: BookStore
  readonly maxQueued?: number
}

/**
 * Commits commands in batches that grow with the load by themselves, without a timer: a full batch goes at once, also in the
 * middle of a turn of the event loop; fewer commands wait for the end of the turn and for an idle store. Only commands of
 * new calls can be turned away; whatever ends a charge is always accepted.
 */
export function createLedger({ books, maxQueued = 4096 }: LedgerOptions): Ledger {
  const queue = books.createQueue()
  let isScheduled = false

  /**
   * One command that the store can never accept must not fail its neighbours: a batch that was refused (not lost with the
   * store) is committed in halves until the culprit is alone.
   */
  async function commit(submissions: readonly Submission[]): Promise<void> {
    try {
      const results = await books.apply(submissions.map(({ command }) => command))
      for (const [index, { resolve }] of submissions.entries()) resolve(results[index]!)
    } catch (error) {
      if (submissions.length === 1 || books.isUnavailable(error)) {
        for (const { reject } of submissions) reject(error)
        return
      }
      const middle = submissions.length >> 1
      await commit(submissions.slice(0, middle))
      await commit(submissions.slice(middle))
    }
  }

  async function send(batch: Batch): Promise<void> {
    await commit(batch.submissions)
    queue.done(batch)
    commitSoon()
  }

  function commitFull(): void {
    for (let batch = queue.takeFull(); batch; batch = queue.takeFull()) void send(batch)
  }

  function commitSoon(): void {
    commitFull()
    if (isScheduled || queue.waiting === 0 || queue.underWay > 0) return
    isScheduled = true
    // One turn later, so that calls that arrived together also commit together.
    setImmediate(() => {
      isScheduled = false
      commitFull()
      const batch = queue.takeAny()
      if (batch) void send(batch)
    })
  }

  const submit = <C extends Command>(command: C): Promise<ResultOf<C>> =>
    new Promise((resolve, reject) => {
      queue.add({ command, resolve: resolve as (result: CommandResult) => void, reject })
      commitSoon()
    })

  const overloaded = { kind: 'refused', code: 'PROVIDER_CAPACITY_EXHAUSTED', retryAfterSeconds: 1 } as const
  const isFull = () => queue.waiting >= maxQueued
  return {
    admit: async (command) => (isFull() ? overloaded : submit(command)),
    refuse: async (command) => (isFull() ? overloaded : submit(command)),
    end: submit,
    credit: submit,
    queued: () => queue.waiting + queue.underWay,
  }
}
