import type { Operation } from '../../contract/operation.ts'

/** An operation of any listener. */
export type AnyOperation = Operation<string, string>
