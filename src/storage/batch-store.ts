import type { BatchStore } from '../ledger/ledger.ts'
import { StoreUnavailable } from './engine.ts'
import type { OpenedEngine } from './open-store.ts'
import { batchLimits, createPostgresBatchStore } from './postgres/batch.ts'
import { isLockTimeout } from './postgres/faults.ts'
import { createSqliteBatchStore } from './sqlite/sqlite-engine.ts'

/** Commits batches of ledger commands, on either engine. */
export const createBatchStore = (engine: OpenedEngine, onEvents = () => {}): BatchStore => ({
  // With connections of their own, which logins and console reads cannot use up.
  ...(engine.kind === 'sqlite'
    ? createSqliteBatchStore(engine, onEvents)
    : createPostgresBatchStore(engine.withOwnPool(batchLimits), onEvents)),
  // After a lock timeout the batch is committed in parts, so that only the locked part fails.
  isUnavailable: (error) => error instanceof StoreUnavailable && !isLockTimeout(error),
})
