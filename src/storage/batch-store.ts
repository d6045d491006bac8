import { FifoBatchQueue } from '../ledger/batch-queue.ts'
import type { BatchStore } from '../ledger/ledger.ts'
import { StoreUnavailable } from './engine.ts'
import type { OpenedEngine } from './open-store.ts'
import { batchLimits, createPostgresBatchStore } from './postgres/batch.ts'
import { isLockTimeout } from './postgres/faults.ts'
import type { EmbeddedEngine } from './sqlite/sqlite-engine.ts'

/** Commits batches of ledger commands, on either engine. */
export const createBatchStore = (engine: OpenedEngine, onEvents = () => {}): BatchStore => ({
  // With connections of their own, which logins and console reads cannot use up.
  ...(engine.kind === 'sqlite'
    ? createSqliteBatchStore(engine, onEvents)
    : createPostgresBatchStore(engine.withOwnPool(batchLimits), onEvents)),
  // After a lock timeout the batch is committed in parts, so that only the locked part fails.
  isUnavailable: (error) => error instanceof StoreUnavailable && !isLockTimeout(error),
})

/** Each batch is one message to the worker and one back. `onEvents` is called after a commit that wrote events. */
const createSqliteBatchStore = (
  engine: EmbeddedEngine,
  onEvents: () => void,
): Pick<BatchStore, 'apply' | 'createQueue'> => ({
  apply: async (commands) => {
    const { results, hasEvents } = await engine.call('applyBatch', commands)
    if (hasEvents) onEvents()
    return results
  },
  // The worker runs one batch at a time. A few queued batches keep both threads busy.
  createQueue: () => new FifoBatchQueue({ fullBatch: 16, maxConcurrentBatches: 4 }),
})
