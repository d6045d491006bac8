import type { Engine } from '../storage/engine.ts'
import { type BookSize, bookSize } from '../storage/reconcile/reconcile-orders.ts'
import { reconcileAudit } from './books/audit.ts'
import { reconcileCharges } from './books/charges.ts'
import { type Difference, Differences } from './books/differences.ts'
import { reconcileOrders } from './books/orders.ts'
import { reconcileProjects } from './books/projects.ts'

export interface ReconcileOptions {
  /** Charges that ended before this may have lost their stored response to pruning; 0 by default. */
  readonly resultsKeptSince?: number
  /** Differences listed in the report; further ones are only counted. */
  readonly maxDifferences?: number
  /** Rows per page. */
  readonly pageRows?: number
  /** Projects replayed together; the default of 100,000 takes about 25 MB. */
  readonly replaysAtOnce?: number
  /** Called as rows are read. Counts all rows first, for the total. */
  readonly onProgress?: (rows: number, total: number) => void
}

export interface Report {
  readonly isSound: boolean
  /** Rows read. */
  readonly size: BookSize
  readonly differenceCount: number
  /** The first `maxDifferences` of them. */
  readonly differences: readonly Difference[]
}

/** Recomputes the invariants of the books from all rows, in one read transaction. Safe while the gateway runs. */
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
    const differences = new Differences(maxDifferences)
    const context = { pageRows, replaysAtOnce, count, differences }
    await reconcileProjects(tx, context)
    await reconcileOrders(tx, context)
    await reconcileCharges(tx, { ...context, resultsKeptSince })
    await reconcileAudit(tx, context)
    return {
      isSound: differences.count === 0,
      size,
      differenceCount: differences.count,
      differences: differences.kept,
    }
  })
}
