import { applyBooks } from './books.ts'
import type { Statements } from './connection.ts'

/**
 * A synchronous function that the worker runs in one transaction. Throwing rolls it back. Input and result must be
 * structured-cloneable.
 */
export type Procedure<I, O> = (db: Statements, input: I) => O

/** The procedures that `SqliteEngine.call` can run. */
export const procedures = { applyBooks } satisfies Procedures

export type Procedures = Readonly<Record<string, Procedure<never, unknown>>>
