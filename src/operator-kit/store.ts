import { auditWrites } from '../storage/audit-rows.ts'
import type { Engine, Reader, Writer } from '../storage/engine.ts'

type Audit = ReturnType<typeof auditWrites>

/** A store for the actions of operators: each writes its audit entry in the transaction of its effect. */
export interface ActionStore<R, W = unknown> {
  readonly read: <T>(work: (tx: R) => Promise<T>) => Promise<T>
  readonly write: <T>(work: (tx: R & W & Audit) => Promise<T>) => Promise<T>
}

export const createActionStore = <R extends object, W extends object>(
  engine: Pick<Engine, 'read' | 'write'>,
  reads: (tx: Reader) => R,
  writes: (tx: Writer) => W,
): ActionStore<R, W> => ({
  read: (work) => engine.read((tx) => work(reads(tx))),
  write: (work) => engine.write((tx) => work({ ...reads(tx), ...writes(tx), ...auditWrites(tx) })),
})
