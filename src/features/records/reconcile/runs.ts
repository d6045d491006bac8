import { newSortableId } from '../../../base/ids.ts'
import { dayMs, isoOf, isoOrNull } from '../../../base/time.ts'
import { operatorRefusal } from '../../../contract/error-codes/operators.ts'
import { type Actor, noteOf } from '../../../operator-kit/actor.ts'
import { ownReasons } from '../../../operator-kit/own-reasons.ts'
import type { Engine } from '../../../storage/engine.ts'
import type { ArchiveFiles } from '../archives/page.ts'
import type { ReconcileResult, ReconcileRun } from './contract.ts'
import type { Report } from './reconcile.ts'
import { type ReconcileRunRow, reconcileRuns } from './run-store.ts'

export interface ReconcileRunsDeps {
  readonly engine: Pick<Engine, 'read' | 'write'>
  /** A separate connection, so that a long read delays no call. */
  readonly openEngine: () => Promise<Engine>
  readonly clock: () => number
  readonly resultDays: number
  readonly archives: () => ArchiveFiles
  readonly onFailure: (error: unknown) => void
}

/** A run that takes longer belongs to a dead instance. */
export const runLimitMs = 3_600_000
const listed = 20

export type ReconcileRuns = ReturnType<typeof createReconcileRuns>

/** Reconciles in the background, one run at a time on all instances, and stores the results. */
export function createReconcileRuns({ clock, ...deps }: ReconcileRunsDeps) {
  const store = reconcileRuns(deps.engine)
  let own: { readonly runId: string; rows: number; total: number } | null = null
  let running: Promise<void> = Promise.resolve()
  let engine: Engine | null = null

  async function run(runId: string): Promise<void> {
    const progress = { runId, rows: 0, total: 0 }
    own = progress
    let report: Report | null = null
    try {
      engine = await deps.openEngine()
      try {
        report = await (await import('./reconcile.ts')).reconcile(engine, {
          resultsKeptSince: clock() - deps.resultDays * dayMs,
          archives: deps.archives(),
          onProgress: (rows, total) => Object.assign(progress, { rows, total }),
        })
      } finally {
        await engine.close()
        engine = null
      }
    } catch (error) {
      deps.onFailure(error)
    }
    const finished = {
      runId,
      finishedAt: clock(),
      isSound: report?.isSound ?? null,
      report: report && JSON.stringify(report),
    }
    await store.write((tx) => tx.finishReconcileRun(finished)).catch(deps.onFailure)
    own = null
  }

  const publicRun = (row: ReconcileRunRow): ReconcileRun => ({
    runId: row.runId,
    startedBy: row.startedBy,
    startedAt: isoOf(row.startedAt),
    finishedAt: isoOrNull(row.finishedAt),
    state: stateOf(row, clock()),
    progress: own?.runId === row.runId ? { rows: own.rows, total: Math.max(own.rows, own.total) } : null,
    differenceCount: reportOf(row)?.differenceCount ?? null,
  })

  return {
    async start(actor: Actor): Promise<ReconcileRun> {
      const at = clock()
      const runId = newSortableId('run', at)
      const note = noteOf(actor, { action: 'reconcile.start', object: runId, reason: ownReasons.fromConsole }, at)
      const row = await store.write(async (tx) => {
        // First, because it locks the audit log: no other run can start before the commit.
        await tx.audit({ ...note, at, before: null, after: { state: 'running' } })
        const [last] = await tx.reconcileRuns(1)
        if (last && stateOf(last, at) === 'running') throw operatorRefusal('RECONCILE_RUNNING')
        await tx.insertReconcileRun({ runId, startedBy: actor.name, startedAt: at })
        return (await tx.reconcileRun(runId))!
      })
      running = run(runId)
      return publicRun(row)
    },
    list: async (limit = listed): Promise<ReconcileRun[]> =>
      (await store.read((tx) => tx.reconcileRuns(limit))).map(publicRun),
    async show(runId: string): Promise<ReconcileResult> {
      const row = await store.read((tx) => tx.reconcileRun(runId))
      if (!row) throw operatorRefusal('RECONCILE_RUN_NOT_FOUND')
      const report = reportOf(row)
      return {
        ...publicRun(row),
        size: report?.size ?? null,
        differences: (report?.differences ?? []).map((difference) => ({ ...difference })),
      }
    },
    /** Ends a run of this instance as failed, before the store closes. */
    async stop(): Promise<void> {
      if (own) await engine?.close()
      await running
    },
  }
}

function stateOf({ startedAt, finishedAt, isSound }: ReconcileRunRow, now: number): ReconcileRun['state'] {
  if (finishedAt === null) return now - startedAt < runLimitMs ? 'running' : 'failed'
  if (isSound === null) return 'failed'
  return isSound ? 'sound' : 'different'
}

const reportOf = ({ report }: ReconcileRunRow): Report | null => (report === null ? null : JSON.parse(report))
