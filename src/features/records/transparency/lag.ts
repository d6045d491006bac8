import type { Reader } from '../../../storage/engine.ts'
import { currentLog } from './log-store.ts'

export interface TreeLag {
  readonly entries: number
  /** When the oldest of them was entered; null if there are none. */
  readonly oldestAt: number | null
}

/** Ledger entries that are not in the tree yet. Archived ones are in it, or were archived before it began. */
export async function readLag(tx: Reader): Promise<TreeLag> {
  const { logNumber } = await currentLog(tx)
  return (await tx.get<TreeLag>(selectLag, [logNumber]))!
}

/** Of many projects that wait, these are asked for their oldest entry. */
const projectsAsked = 1000

const selectLag = `WITH places AS (
    SELECT b.project_id, b.entries, CASE WHEN COALESCE(p.entries, 0) > COALESCE(k.entries, 0)
      THEN p.entries ELSE COALESCE(k.entries, 0) END AS done
    FROM balances b
    LEFT JOIN transparency_progress p ON p.project_id = b.project_id AND p.log_number = $1
    LEFT JOIN closing_balances k ON k.project_id = b.project_id),
  waiting AS (SELECT project_id, entries, done FROM places WHERE entries > done)
  SELECT COALESCE((SELECT SUM(entries - done) FROM waiting), 0) AS entries,
    (SELECT MIN(e.entered_at) FROM (SELECT * FROM waiting LIMIT ${projectsAsked}) w
      CROSS JOIN ledger_entries e WHERE e.project_id = w.project_id AND e.seq = w.done + 1) AS "oldestAt"`
