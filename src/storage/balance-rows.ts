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
