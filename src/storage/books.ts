import type { BookStore } from '../ledger/ledger.ts'
import { StoreUnavailable } from './engine.ts'
import type { OpenedEngine } from './open-store.ts'
import { bookLimits, createPostgresBooks } from './postgres/books.ts'
import { isLockTimeout } from './postgres/faults.ts'
import { createSqliteBooks } from './sqlite/book-store.ts'

/** Only the books, for programs that are not a gateway instance. */
export const createBooks = (engine: OpenedEngine, onEvents = () => {}): BookStore => ({
  // With connections of their own, which logins and console reads cannot use up.
  ...(engine.kind === 'sqlite'
    ? createSqliteBooks(engine, onEvents)
    : createPostgresBooks(engine.withOwnPool(bookLimits), onEvents)),
  // After a lock timeout the batch is committed in parts, so that only the locked part fails.
  isUnavailable: (error) => error instanceof StoreUnavailable && !isLockTimeout(error),
})
