import type { Reader } from '../engine.ts'
import type { Range } from './range.ts'

export interface WrongBudget {
  readonly projectId: string
  readonly budgetId: string
  readonly spent: number
  /** Credits of the charges that count against its period. */
  readonly taken: number
}

/** Budgets whose count differs from the charges that were reserved in their period and not released, archived ones included. */
export const wrongBudgets = (tx: Reader, { after, until }: Range, limit: number): Promise<WrongBudget[]> =>
  tx.all<WrongBudget>(
    `SELECT b.project_id AS "projectId", b.budget_id AS "budgetId", b.spent,
      COALESCE(c.taken, 0) + COALESCE(a.credits, 0) AS taken
    FROM key_budgets b
    LEFT JOIN (
      SELECT budget_id, budget_period, SUM(credits) AS taken FROM charges
      WHERE project_id > $1 AND project_id <= $2 AND budget_id IS NOT NULL AND state <> 'released'
      GROUP BY budget_id, budget_period
    ) c ON c.budget_id = b.budget_id AND c.budget_period = b.period_from
    LEFT JOIN archived_spending a ON a.budget_id = b.budget_id AND a.budget_period = b.period_from
    WHERE b.project_id > $1 AND b.project_id <= $2 AND b.spent <> COALESCE(c.taken, 0) + COALESCE(a.credits, 0)
    ORDER BY b.project_id, b.budget_id LIMIT $3`,
    [after, until, limit],
  )
