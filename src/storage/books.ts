import { FifoBatchQueue } from '../ledger/batch-queue.ts'
import type { ChargeReader, InstanceLease } from '../ledger/books.ts'
import type { BookStore } from '../ledger/ledger.ts'
import { StoreUnavailable } from './engine.ts'
import type { OpenedEngine } from './open-store.ts'
import { bookLimits, createPostgresBooks } from './postgres/books.ts'
import { isLockTimeout } from './postgres/faults.ts'
import { createSharedLease, type LeaseEngine } from './postgres/lease.ts'
import { createReservedReader } from './postgres/reserved-charges.ts'
import type { Migration } from './schema/migrations.ts'
import type { EmbeddedEngine } from './sqlite/sqlite-engine.ts'

/** The books of the ledger on whichever engine was opened. */
export const createBooks = (engine: OpenedEngine, onEvents = () => {}): BookStore => ({
  // With connections of their own, which logins and console reads cannot use up.
  ...(engine.kind === 'sqlite'
    ? createSqliteBooks(engine, onEvents)
    : createPostgresBooks(engine.withOwnPool(bookLimits), onEvents)),
  // After a lock timeout the batch is committed in parts, so that only the locked part fails.
  isUnavailable: (error) => error instanceof StoreUnavailable && !isLockTimeout(error),
})

/** The lease by which other instances know that this one is alive. */
export const createLease = (
  engine: OpenedEngine,
  instanceId: string,
  migrations?: readonly Migration[] | undefined,
): InstanceLease =>
  engine.isShared
    ? createSharedLease(engine as LeaseEngine, { instanceId, ...(migrations && { migrations }) })
    : createSqliteLease(instanceId)

/** On PostgreSQL, reserved charges are read without holding up those who write them. */
export const reservedReader = (engine: OpenedEngine, clock: () => number): Partial<Pick<ChargeReader, 'reserved'>> =>
  engine.kind === 'postgres' ? { reserved: createReservedReader(engine, { clock }) } : {}

/** Each batch is one message to the worker and one back. `onEvents` is called after a commit that wrote events. */
const createSqliteBooks = (engine: EmbeddedEngine, onEvents: () => void): Pick<BookStore, 'apply' | 'createQueue'> => ({
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
