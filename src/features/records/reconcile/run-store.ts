import { createActionStore } from '../../../operator-kit/store.ts'
import type { Engine, Reader, Writer } from '../../../storage/engine.ts'
import { flag, integer, orNull, type RowOf, rowMapper, text } from '../../../storage/row-mapper.ts'

const runs = rowMapper('reconcile_runs', {
  runId: text(),
  startedBy: text(),
  startedAt: integer(),
  /** Null while it runs. */
  finishedAt: orNull(integer()),
  /** Null while it runs, and if it failed. */
  isSound: orNull(flag()),
  /** The report as JSON; null if there is none. */
  report: orNull(text()),
})

export type ReconcileRunRow = RowOf<typeof runs.columns>

const reads = (tx: Reader) => ({
  /** The newest first. */
  reconcileRuns: (limit: number) => runs.all(tx, 'ORDER BY run_id DESC LIMIT $1', [limit]),
  reconcileRun: (runId: string) => runs.get(tx, 'WHERE run_id = $1', [runId]),
})

const writes = (tx: Writer) => ({
  insertReconcileRun: (row: Pick<ReconcileRunRow, 'runId' | 'startedBy' | 'startedAt'>) => runs.insert(tx, row),
  finishReconcileRun: ({ runId, ...end }: Pick<ReconcileRunRow, 'runId' | 'finishedAt' | 'isSound' | 'report'>) =>
    runs.update(tx, end, 'run_id = $1 AND finished_at IS NULL', [runId]),
})

export const reconcileRuns = (engine: Pick<Engine, 'read' | 'write'>) => createActionStore(engine, reads, writes)
