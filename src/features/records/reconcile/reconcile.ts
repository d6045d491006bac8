import { verifyChain } from '../../../ledger/audit.ts'
import type { Engine } from '../../../storage/engine.ts'
import type { ArchiveDirectory } from '../archives/directory.ts'
import type { Published } from '../transparency/publisher.ts'
import { type ArchiveCheck, reconcileArchives } from './archives.ts'
import { reconcileCharges } from './charges.ts'
import { type Difference, Differences, type Read, type ReconcileContext, type RowCounts } from './differences.ts'
import { reconcileOrders, reconcileProjects } from './projects.ts'
import { auditSource, changedOperators, missingEntries } from './rows/audit.ts'
import { rowCounts } from './rows/entries.ts'
import { reconcileTransparency } from './transparency.ts'

/**
 * I7: hashes the audit log again; an entry that was changed, removed or inserted breaks the chain. If its last entries were cut
 * off and the record of its end was set back, what they recorded is still in the books. Operators have the role and state that it says.
 */
async function reconcileAudit(read: Read, { differences }: ReconcileContext): Promise<void> {
  const { faults } = await verifyChain(auditSource(read))
  differences.add(faults.map((fault): Difference => ({ invariant: 'I7', projectId: 'none', ...fault })))
  for await (const missing of missingEntries(read)) differences.add([{ invariant: 'I7', ...missing }])
  for await (const changed of changedOperators(read)) differences.add([{ invariant: 'I7', ...changed }])
}

export interface ReconcileOptions {
  /** Charges that ended before this may have lost their stored response to pruning; 0 by default. */
  readonly resultsKeptSince?: number
  /** Differences listed in the report; further ones are only counted. */
  readonly maxDifferences?: number
  readonly pageRows?: number
  /** Projects replayed together; the default of 100,000 takes about 25 MB. */
  readonly replaysAtOnce?: number
  /** Where the archive files are; without it, only their records are checked. */
  readonly archives?: Pick<ArchiveDirectory, 'stateOf' | 'lines'>
  /** The checkpoint that this machine has kept. */
  readonly kept?: Published | null
  /** Called as rows are read. Counts all rows first, for the total. */
  readonly onProgress?: (rows: number, total: number) => void
}

export interface Report {
  readonly isSound: boolean
  /** Rows read. */
  readonly size: RowCounts
  readonly archives: ArchiveCheck
  readonly differenceCount: number
  /** The first `maxDifferences` of them. */
  readonly differences: readonly Difference[]
}

/**
 * Recomputes the invariants of the books from all rows. Safe while the gateway runs. It reads in short transactions, because a
 * long one slows down busy projects: the server keeps every version of their balances for it. Each invariant concerns one
 * project, order, charge or the audit log, and each of those is judged on one snapshot.
 */
export async function reconcile(engine: Pick<Engine, 'read'>, options: ReconcileOptions = {}): Promise<Report> {
  const { resultsKeptSince = 0, maxDifferences = 1000, pageRows = 1000, replaysAtOnce = 100_000, onProgress } = options
  const read: Read = (work) => engine.read(work)
  const total = onProgress ? Object.values(await read(rowCounts)).reduce((sum, rows) => sum + rows, 0) : 0
  const size = { projects: 0, charges: 0, orders: 0, entries: 0 }
  let rowsRead = 0
  const count = (kind: keyof RowCounts, rows: number) => {
    size[kind] += rows
    rowsRead += rows
    onProgress?.(rowsRead, total)
  }
  const differences = new Differences(maxDifferences)
  const context = { pageRows, replaysAtOnce, count, differences }
  await reconcileProjects(read, context)
  await reconcileOrders(read, context)
  await reconcileCharges(read, { ...context, resultsKeptSince })
  await reconcileAudit(read, context)
  await reconcileTransparency(read, context, options.kept ?? null)
  // Last, so that it covers what was archived during the run.
  const archives = await reconcileArchives(read, context, options.archives)
  return {
    isSound: differences.count === 0,
    size,
    archives,
    differenceCount: differences.count,
    differences: differences.kept,
  }
}
