import type { Reader } from '../../../storage/engine.ts'

export interface Difference {
  /** The broken invariant; docs/architecture.md lists them. */
  readonly invariant: 'I1' | 'I2' | 'I3' | 'I5' | 'I6' | 'I7' | 'I8' | 'I9' | 'I10'
  /** `none` for the audit log and the tree. */
  readonly projectId: string
  /** The row that differs: `balance`, `entry 7`, `closing balance`, the name of an archive file, or the ID of a charge, order, lot or budget. */
  readonly at: string
  readonly what: string
  readonly expected: string | number
  readonly found: string | number
}

/** Keeps the first differences and counts the rest, so that a badly damaged store cannot fill the memory. */
export class Differences {
  readonly kept: Difference[] = []
  readonly #max: number
  #count = 0

  constructor(max: number) {
    this.#max = max
  }

  get count(): number {
    return this.#count
  }

  add(differences: Iterable<Difference>): void {
    for (const difference of differences) {
      this.#count += 1
      if (this.kept.length < this.#max) this.kept.push(difference)
    }
  }
}

export interface ReconcileContext {
  readonly pageRows: number
  /** Projects whose ledgers are replayed together, in one read of the ledger. */
  readonly replaysAtOnce: number
  readonly count: (kind: keyof RowCounts, rows: number) => void
  readonly differences: Differences
}

export interface RowCounts {
  readonly projects: number
  readonly charges: number
  readonly orders: number
  readonly entries: number
}

/** A range of ids: `after` is excluded, `until` included. */
export interface Range {
  readonly after: string
  readonly until: string
}

/** Runs `work` on one consistent snapshot. */
export type Read = <T>(work: (tx: Reader) => Promise<T>) => Promise<T>
