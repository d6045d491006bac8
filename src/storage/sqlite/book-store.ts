import { FifoBatchQueue } from '../../ledger/batch-queue.ts'
import type { BookStore } from '../../ledger/ledger.ts'
import type { SqliteEngine } from './sqlite-engine.ts'

/** The books behind the worker: one message there and one back for each batch. */
export const createSqliteBooks = (engine: SqliteEngine): Pick<BookStore, 'apply' | 'createQueue'> => ({
  apply: (commands) => engine.call('applyBooks', commands),
  // The worker takes one batch after the other. With a few short ones before it, neither thread waits for the other.
  createQueue: () => new FifoBatchQueue({ fullBatch: 16, commitsAtOnce: 4 }),
})
