import type { ClosingBalance } from '../../archives/closing-balance.ts'
import type { Reader } from '../engine.ts'

export interface ProjectClosing extends ClosingBalance {
  readonly projectId: string
  readonly entryId: number
}

/** The columns of a row of `closing_balances k`. */
export const closingColumns = `k.project_id AS "projectId", k.last_entry_id AS "entryId", k.entries AS seq, k.available, k.reserved,
  k.settled, k.credited, k.granted, k.withdrawn, k.charges, k.lots, k.archived_until AS "archivedUntil"`

/** The closing balance of one project; undefined if nothing of it was archived. */
export const closingOf = (tx: Reader, projectId: string): Promise<ProjectClosing | undefined> =>
  tx.get<ProjectClosing>(`SELECT ${closingColumns} FROM closing_balances k WHERE k.project_id = $1`, [projectId])
