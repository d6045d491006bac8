import { type Batch, Batches, type Rhythm, type Submission } from './batches.ts'
import type { Admit, AdmitResult, Command, Credit, CreditResult, End, EndResult, Result, ResultOf } from './commands.ts'

/** More commands never come in one batch. */
export const largestBatch = 256

/** Decides a batch of commands by the rules and makes the decisions durable, all or none. */
export interface BookStore {
  apply(commands: readonly Command[]): Promise<Result[]>
  /** Whether the error of an `apply` means that the store is out of reach, rather than that it refuses these commands. */
  isUnavailable(error: unknown): boolean
  readonly rhythm: Rhythm
}

/** Reserve, settle, release, hold for review, credit. Each promise resolves only once its decision is on disk. */
export interface Ledger {
  readonly admit: (command: Admit) => Promise<AdmitResult>
  readonly end: (command: End) => Promise<EndResult>
  readonly credit: (command: Credit) => Promise<CreditResult>
  /** Commands that wait for their commit or are in it. */
  readonly queued: () => number
}

export interface LedgerOptions {
  readonly books: BookStore
  readonly maxBatch?: number
  readonly maxQueued?: number
}

/**
 * A full batch is committed at once, also in the midst of a turn of the event loop: a turn with many calls is long, and the
 * store would wait for its end. Fewer commands wait for it, and for a store that has nothing to do. So batches grow with
 * the load by themselves, with no timer. Only admissions can be turned away; whatever ends a charge is always taken in.
 */
export function createLedger({ books, maxBatch = largestBatch, maxQueued = 4096 }: LedgerOptions): Ledger {
  const batches = new Batches(books.rhythm, maxBatch)
  let isScheduled = false

  /**
   * One command that the store can never take must not fail its neighbours: a batch that was refused, and not
   * merely lost with the store, is committed in halves until the culprit stands alone.
   */
  async function commit(batch: readonly Submission[]): Promise<void> {
    try {
      const results = await books.apply(batch.map(({ command }) => command))
      for (const [index, { resolve }] of batch.entries()) resolve(results[index]!)
    } catch (error) {
      if (batch.length === 1 || books.isUnavailable(error)) {
        for (const { reject } of batch) reject(error)
        return
      }
      const middle = batch.length >> 1
      await commit(batch.slice(0, middle))
      await commit(batch.slice(middle))
    }
  }

  async function send(batch: Batch): Promise<void> {
    await commit(batch.submissions)
    batches.done(batch)
    commitSoon()
  }

  function commitFull(): void {
    for (let batch = batches.nextFull(); batch; batch = batches.nextFull()) void send(batch)
  }

  function commitSoon(): void {
    commitFull()
    if (isScheduled || !batches.mayGoOn) return
    isScheduled = true
    // One turn later, so that calls that arrived together also commit together.
    setImmediate(() => {
      isScheduled = false
      commitFull()
      const batch = batches.next()
      if (batch) void send(batch)
    })
  }

  const submit = <C extends Command>(command: C): Promise<ResultOf<C>> =>
    new Promise((resolve, reject) => {
      batches.add({ command, resolve: resolve as (result: Result) => void, reject })
      commitSoon()
    })

  return {
    async admit(command) {
      if (batches.waiting >= maxQueued) return { kind: 'refused', code: 'PROVIDER_CAPACITY_EXHAUSTED' }
      return submit(command)
    },
    end: submit,
    credit: submit,
    queued: () => batches.waiting + batches.underWay,
  }
}
