import type { Reader, Writer } from '../../../storage/engine.ts'
import type {
  AdministrationReader,
  AdministrationWriter,
  ProviderSwitch,
  ReconcileRunRow,
} from '../administration/ports.ts'

type StoredRun = Omit<ReconcileRunRow, 'isSound'> & { isSound: number | null }
type StoredSwitch = Omit<ProviderSwitch, 'isOut'> & { isOut: number }

const runColumns = `run_id AS "runId", started_by AS "startedBy", started_at AS "startedAt", finished_at AS "finishedAt",
  is_sound AS "isSound", report`

const toRun = (row: StoredRun): ReconcileRunRow => ({
  ...row,
  isSound: row.isSound === null ? null : row.isSound === 1,
})

/** Reconciliations, and the providers that are out of service: what all instances share about themselves. */
export function runReads(
  tx: Reader,
): Pick<AdministrationReader, 'reconcileRuns' | 'reconcileRun' | 'providerSwitches'> {
  return {
    reconcileRuns: async (limit) =>
      (await tx.all<StoredRun>(`SELECT ${runColumns} FROM reconcile_runs ORDER BY run_id DESC LIMIT $1`, [limit])).map(
        toRun,
      ),
    reconcileRun: async (runId) => {
      const row = await tx.get<StoredRun>(`SELECT ${runColumns} FROM reconcile_runs WHERE run_id = $1`, [runId])
      return row && toRun(row)
    },
    providerSwitches: async () =>
      (
        await tx.all<StoredSwitch>(
          `SELECT provider, is_out AS "isOut", changed_by AS "changedBy", changed_at AS "changedAt"
          FROM provider_switches ORDER BY provider LIMIT 1000`,
        )
      ).map((row) => ({ ...row, isOut: row.isOut === 1 })),
  }
}

type RunWrites = Pick<AdministrationWriter, 'insertReconcileRun' | 'finishReconcileRun' | 'switchProvider'>

export function runWrites(tx: Writer): RunWrites {
  return {
    insertReconcileRun: async ({ runId, startedBy, startedAt }) => {
      await tx.run('INSERT INTO reconcile_runs (run_id, started_by, started_at) VALUES ($1, $2, $3)', [
        runId,
        startedBy,
        startedAt,
      ])
    },
    finishReconcileRun: async ({ runId, finishedAt, isSound, report }) => {
      await tx.run(
        'UPDATE reconcile_runs SET finished_at = $2, is_sound = $3, report = $4 WHERE run_id = $1 AND finished_at IS NULL',
        [runId, finishedAt, isSound === null ? null : Number(isSound), report],
      )
    },
    switchProvider: async ({ provider, isOut, changedBy, changedAt }) => {
      await tx.run(
        `INSERT INTO provider_switches (provider, is_out, changed_by, changed_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (provider) DO UPDATE SET is_out = excluded.is_out, changed_by = excluded.changed_by,
          changed_at = excluded.changed_at`,
        [provider, isOut ? 1 : 0, changedBy, changedAt],
      )
    },
  }
}
