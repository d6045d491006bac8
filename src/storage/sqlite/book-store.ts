import { FifoBatchQueue } from '../../ledger/batch-queue.ts'
import type { BookStore } from '../../ledger/ledger.ts'
import type { SqliteEngine } from './sqlite-engine.ts'

/** Each batch is one message to the worker and one back. */
export const createSqliteBooks = (engine: SqliteEngine): Pick<BookStore, 'apply' | 'createQueue'> => ({
  apply: (commands) => engine.call('applyBooks', commands),
  // The worker runs one batch at a time. A few queued batches keep both threads busy.
  createQueue: () => new FifoBatchQueue({ fullBatch: 16, maxConcurrentBatches: 4 }),
})
