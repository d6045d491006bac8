import type { Reader, Writer } from './engine.ts'
import { integer, type RowOf, rowMapper } from './row-mapper.ts'

const balances = rowMapper('balances', {
  available: integer(),
  reserved: integer(),
  settled: integer(),
  credited: integer(),
})

export type ProjectBalance = RowOf<typeof balances.columns>

export const readBalance = (tx: Reader, projectId: string): Promise<ProjectBalance | undefined> =>
  balances.get(tx, 'WHERE project_id = $1', [projectId])

/**
 * Reads a balance and locks it, so that no grant or withdrawal is made at the same time: an update that changes nothing locks
 * the row. Batches lock the balance first too, which rules out deadlocks.
 */
export const lockBalance = (tx: Writer, projectId: string): Promise<ProjectBalance | undefined> =>
  tx.get<ProjectBalance>(`UPDATE balances SET entries = entries WHERE project_id = $1 RETURNING ${balances.list}`, [
    projectId,
  ])

export const insertBalance = (tx: Writer, projectId: string) =>
  tx.run('INSERT INTO balances (project_id) VALUES ($1)', [projectId])

/** Below how many credits a batch raises `credits.low`; null for the default, 0 for never. */
export const readLowBalance = async (tx: Reader, projectId: string): Promise<number | null> => {
  const sql = 'SELECT low_balance_credits AS credits FROM balances WHERE project_id = $1'
  return (await tx.get<{ credits: number | null }>(sql, [projectId]))?.credits ?? null
}

export const writeLowBalance = (tx: Writer, projectId: string, credits: number) =>
  tx.run('UPDATE balances SET low_balance_credits = $2 WHERE project_id = $1', [projectId, credits])
