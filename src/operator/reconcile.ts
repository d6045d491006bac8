import type { Engine } from '../storage/engine.ts'
import { type BookSize, bookSize } from '../storage/reconcile/reconcile-orders.ts'
import { reconcileCharges } from './books/charges.ts'
import { type Difference, Findings } from './books/differences.ts'
import { reconcileOrders } from './books/orders.ts'
import { reconcileProjects } from './books/projects.ts'

export interface ReconcileOptions {
  /** A charge settled or released earlier may have lost its stored answer to pruning; by default none may. */
  readonly resultsKeptSince?: number
  /** Differences that the report lists; further ones are only counted. */
  readonly maxDifferences?: number
  /** Rows held in memory at once, of each kind. */
  readonly pageRows?: number
  /** Projects whose running balances are held in memory at once: about 25 MB for as many as by default. */
  readonly replaysAtOnce?: number
  /** Told how many of the rows were read. Asking for it counts them all first. */
  readonly onProgress?: (rows: number, total: number) => void
}

export interface Report {
  readonly isSound: boolean
  /** What was read. */
  readonly size: BookSize
  readonly differenceCount: number
  /** The first of them. */
  readonly differences: readonly Difference[]
}

/** Recomputes the invariants of the books from their rows, all of them as of one moment, beside any traffic. */
export function reconcile(engine: Pick<Engine, 'read'>, options: ReconcileOptions = {}): Promise<Report> {
  const { resultsKeptSince = 0, maxDifferences = 1000, pageRows = 1000, replaysAtOnce = 100_000, onProgress } = options
  return engine.read(async (tx) => {
    const total = onProgress ? Object.values(await bookSize(tx)).reduce((sum, rows) => sum + rows, 0) : 0
    const size = { projects: 0, charges: 0, orders: 0, entries: 0 }
    let rowsRead = 0
    const count = (kind: keyof BookSize, rows: number) => {
      size[kind] += rows
      rowsRead += rows
      onProgress?.(rowsRead, total)
    }
    const findings = new Findings(maxDifferences)
    const context = { pageRows, replaysAtOnce, count, findings }
    await reconcileProjects(tx, context)
    await reconcileOrders(tx, context)
    await reconcileCharges(tx, { ...context, resultsKeptSince })
    return {
      isSound: findings.count === 0,
      size,
      differenceCount: findings.count,
      differences: findings.kept,
    }
  })
}
