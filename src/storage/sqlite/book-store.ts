import type { BookStore } from '../../ledger/ledger.ts'
import { packCommands, unpackResults } from './packed-commands.ts'
import type { SqliteEngine } from './sqlite-engine.ts'

/** The books behind the worker: one message there and one back for each batch. */
export const createSqliteBooks = (engine: SqliteEngine): Pick<BookStore, 'apply' | 'rhythm'> => ({
  apply: async (commands) => unpackResults(await engine.call('applyBooks', packCommands(commands))),
  // The worker takes one batch after the other. With a few short ones before it, neither thread waits for the other.
  rhythm: { fullBatch: 16, commitsAtOnce: 4, isSorted: false },
})
