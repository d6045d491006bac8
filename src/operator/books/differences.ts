import type { BookSize } from '../../storage/reconcile/reconcile-orders.ts'

/** A place where the rows contradict each other. */
export interface Difference {
  /** The broken promise, as the design numbers them. */
  readonly invariant: 'I1' | 'I2' | 'I3' | 'I5' | 'I6'
  readonly projectId: string
  /** The row at which it shows: `balance`, `entry 7`, or the id of a charge, an order or a lot. */
  readonly at: string
  readonly what: string
  readonly expected: string | number
  readonly found: string | number
}

/** Keeps the first differences and counts the rest: a store that is all wrong must not fill the memory. */
export class Findings {
  readonly kept: Difference[] = []
  readonly #most: number
  #count = 0

  constructor(most: number) {
    this.#most = most
  }

  get count(): number {
    return this.#count
  }

  add(differences: Iterable<Difference>): void {
    for (const difference of differences) {
      this.#count += 1
      if (this.kept.length < this.#most) this.kept.push(difference)
    }
  }
}

/** What each part of the reconciliation is given. */
export interface ReconcileContext {
  readonly pageRows: number
  /** Projects whose ledgers are replayed side by side; the ledger is read once for each so many. */
  readonly replaysAtOnce: number
  readonly count: (kind: keyof BookSize, rows: number) => void
  readonly findings: Findings
}
