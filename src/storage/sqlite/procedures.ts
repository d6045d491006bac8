import { applyBooks } from './books.ts'
import type { Statements } from './connection.ts'

/**
 * A synchronous function that the worker runs inside one transaction, in one message each way: it loads, decides and
 * saves. Throwing rolls everything back. Input and output must survive a structured clone.
 */
export type Procedure<I, O> = (db: Statements, input: I) => O

/** What `SqliteEngine.call` can run: add a procedure here and the worker knows it. */
export const procedures = { applyBooks } satisfies Procedures

export type Procedures = Readonly<Record<string, Procedure<never, unknown>>>
