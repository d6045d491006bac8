import type { Reader } from '../../storage/engine.ts'

/** A range of ids: `after` is excluded, `until` included. */
export interface Range {
  readonly after: string
  readonly until: string
}

/** Runs `work` on one consistent snapshot. */
export type Read = <T>(work: (tx: Reader) => Promise<T>) => Promise<T>
