import type { ChargeReader, InstanceLease } from '../ledger/books.ts'
import type { BookStore } from '../ledger/ledger.ts'
import { StoreUnavailable } from './engine.ts'
import type { OpenedEngine } from './open-store.ts'
import { bookLimits, createPostgresBooks } from './postgres/books.ts'
import { isLockTimeout } from './postgres/faults.ts'
import { createPostgresLease } from './postgres/lease.ts'
import { createReservedReader } from './postgres/reserved-charges.ts'
import type { Migration } from './schema/migrations.ts'
import { createSqliteBooks, createSqliteLease } from './sqlite/book-store.ts'

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
  engine.kind === 'sqlite'
    ? createSqliteLease(instanceId)
    : createPostgresLease(engine, { instanceId, ...(migrations && { migrations }) })

/** On PostgreSQL, reserved charges are read without holding up those who write them. */
export const reservedReader = (engine: OpenedEngine, clock: () => number): Partial<Pick<ChargeReader, 'reserved'>> =>
  engine.kind === 'postgres' ? { reserved: createReservedReader(engine, { clock }) } : {}
