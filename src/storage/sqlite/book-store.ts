import { FifoBatchQueue } from '../../ledger/batch-queue.ts'
import type { InstanceLease } from '../../ledger/books.ts'
import type { BookStore } from '../../ledger/ledger.ts'
import type { SqliteEngine } from './sqlite-engine.ts'

/** Each batch is one message to the worker and one back. `onEvents` is called after a commit that wrote events. */
export const createSqliteBooks = (
  engine: SqliteEngine,
  onEvents: () => void,
): Pick<BookStore, 'apply' | 'createQueue'> => ({
  apply: async (commands) => {
    const { results, hasEvents } = await engine.call('applyBooks', commands)
    if (hasEvents) onEvents()
    return results
  },
  // The worker runs one batch at a time. A few queued batches keep both threads busy.
  createQueue: () => new FifoBatchQueue({ fullBatch: 16, maxConcurrentBatches: 4 }),
})

/** The instance lock serves as the lease: while this process runs, every other instance is dead. */
export function createSqliteLease(instanceId: string): InstanceLease {
  let isHeld = false
  return {
    instanceId,
    start: async () => {
      isHeld = true
    },
    stop: async () => {
      isHeld = false
    },
    isHeld: () => isHeld,
    canRecoverOthers: () => true,
    liveInstances: async () => [instanceId],
  }
}
