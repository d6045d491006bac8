import type { Balance } from '../../../../ledger/commands.ts'
import { balanceColumns } from '../../../../storage/batch/rows.ts'
import type { Reader } from '../../../../storage/engine.ts'
import { closingColumns, type ProjectClosing } from '../../archives/store.ts'
import type { Difference, Range } from '../differences.ts'
import { paymentChecks } from './payments.ts'

export interface ProjectSums {
  readonly projectId: string
  readonly balance: Omit<Balance, 'projectId'> | null
  /** Credits of charges that are reserved or in review, and of refunds in progress. */
  readonly held: number
  readonly settled: number
  /** Settled credits according to usage_days. */
  readonly usage: number
  readonly lots: number
  /** What operators granted, withdrew and refunded, by reference. */
  readonly granted: number
  readonly withdrawn: number
  /** Null if nothing of the project was archived. */
  readonly closing: ProjectClosing | null
  /** Lots without an entry in the store. */
  readonly unentered: { readonly lots: number; readonly credits: number }
}

export async function projectPage(tx: Reader, { after, until }: Range, limit: number): Promise<ProjectSums[]> {
  const rows = await tx.all<{ projectId: string }>(
    `SELECT project_id AS "projectId" FROM projects WHERE project_id > $1 AND project_id <= $2
    ORDER BY project_id LIMIT $3`,
    [after, until, limit],
  )
  const range: Range = { after, until: rows.at(-1)?.projectId ?? after }
  const balances = await byProject<Balance>(tx, range, selectBalances)
  const charges = await byProject<{ projectId: string; held: number; settled: number }>(tx, range, sumCharges)
  const usage = await byProject<{ projectId: string; credits: number }>(tx, range, sumUsage)
  const lots = await byProject<{ projectId: string; amount: number }>(tx, range, sumLots)
  const moved = await byProject<{ projectId: string; granted: number; withdrawn: number }>(tx, range, sumMovements)
  const refunds = await byProject<{ projectId: string; held: number; refunded: number }>(tx, range, sumRefunds)
  const closings = await byProject<ProjectClosing>(tx, range, selectClosings)
  const unentered = await byProject<{ projectId: string; lots: number; credits: number }>(tx, range, sumUnentered)
  return rows.map(({ projectId }) => ({
    projectId,
    balance: balances.get(projectId) ?? null,
    held: (charges.get(projectId)?.held ?? 0) + (refunds.get(projectId)?.held ?? 0),
    settled: charges.get(projectId)?.settled ?? 0,
    usage: usage.get(projectId)?.credits ?? 0,
    lots: lots.get(projectId)?.amount ?? 0,
    granted: moved.get(projectId)?.granted ?? 0,
    withdrawn: (moved.get(projectId)?.withdrawn ?? 0) + (refunds.get(projectId)?.refunded ?? 0),
    closing: closings.get(projectId) ?? null,
    unentered: unentered.get(projectId) ?? { lots: 0, credits: 0 },
  }))
}

/** The id that ends the next range of `projects` projects; undefined if there are none left. */
export async function nextRangeEnd(tx: Reader, after: string, projects: number): Promise<string | undefined> {
  const row = await tx.get<{ until: string | null }>(
    `SELECT MAX(project_id) AS until FROM (
      SELECT project_id FROM projects WHERE project_id > $1 ORDER BY project_id LIMIT $2) next`,
    [after, projects],
  )
  return row?.until ?? undefined
}

export const closingsIn = (tx: Reader, range: Range): Promise<Map<string, ProjectClosing>> =>
  byProject<ProjectClosing>(tx, range, selectClosings)

const isEntryOfLot = `e.lot_id = l.lot_id AND e.project_id = l.project_id
  AND e.kind = CASE l.kind WHEN 'operator_grant' THEN 'grant' ELSE 'credit' END`

/** Each query selects the fields of a difference except its invariant. */
const ownChecks: readonly { readonly invariant: Difference['invariant']; readonly sql: string }[] = [
  {
    // Lots that their project's ledger does not contain exactly once and in full. Once a part of it was archived, none is allowed too.
    invariant: 'I6',
    sql: `SELECT l.project_id AS "projectId", l.lot_id AS at,
        CASE COUNT(e.entry_id) WHEN 1 THEN 'credits entered for the lot' ELSE 'entries of the lot' END AS what,
        CASE COUNT(e.entry_id) WHEN 1 THEN l.amount ELSE 1 END AS expected,
        CASE COUNT(e.entry_id) WHEN 1 THEN SUM(e.amount) ELSE COUNT(e.entry_id) END AS found
      FROM credit_lots l
      LEFT JOIN ledger_entries e ON ${isEntryOfLot}
      LEFT JOIN closing_balances k ON k.project_id = l.project_id
      WHERE l.project_id > $1 AND l.project_id <= $2
      GROUP BY l.project_id, l.lot_id, l.amount, k.project_id
      HAVING COUNT(e.entry_id) > 1 OR SUM(e.amount) <> l.amount OR (COUNT(e.entry_id) = 0 AND k.project_id IS NULL)
      ORDER BY l.project_id, l.lot_id LIMIT $3`,
  },
  {
    // Grants and withdrawals whose ledger entry is another one, or is missing and was not archived.
    invariant: 'I6',
    sql: `SELECT m.project_id AS "projectId", m.movement_id AS at, 'ledger entry of the ' || m.kind AS what,
        m.amount AS expected, e.amount AS found
      FROM operator_movements m
      LEFT JOIN ledger_entries e ON e.entry_id = m.entry_id AND e.project_id = m.project_id AND e.kind = m.kind
        AND COALESCE(e.lot_id, '') = COALESCE(m.lot_id, '')
      LEFT JOIN closing_balances k ON k.project_id = m.project_id AND k.last_entry_id >= m.entry_id
      WHERE m.project_id > $1 AND m.project_id <= $2
        AND (e.amount <> m.amount OR (e.amount IS NULL AND k.project_id IS NULL))
      ORDER BY m.project_id, m.movement_id LIMIT $3`,
  },
  {
    // Idempotency-Keys used by more than one charge of a project.
    invariant: 'I3',
    sql: `SELECT project_id AS "projectId", MIN(charge_id) AS at,
        'charges with one Idempotency-Key, up to ' || MAX(charge_id) AS what, 1 AS expected, COUNT(*) AS found
      FROM charges WHERE project_id > $1 AND project_id <= $2 AND idempotency_digest IS NOT NULL
      GROUP BY project_id, idempotency_digest HAVING COUNT(*) > 1
      ORDER BY project_id, MIN(charge_id) LIMIT $3`,
  },
  {
    // Budgets whose count differs from the charges that were reserved in their period and not released, archived ones included.
    invariant: 'I8',
    sql: `SELECT b.project_id AS "projectId", b.budget_id AS at,
        'spent credits of the budget against its charges' AS what,
        COALESCE(c.taken, 0) + COALESCE(a.credits, 0) AS expected, b.spent AS found
      FROM key_budgets b
      LEFT JOIN (
        SELECT budget_id, budget_period, SUM(credits) AS taken FROM charges
        WHERE project_id > $1 AND project_id <= $2 AND budget_id IS NOT NULL AND state <> 'released'
        GROUP BY budget_id, budget_period
      ) c ON c.budget_id = b.budget_id AND c.budget_period = b.period_from
      LEFT JOIN archived_spending a ON a.budget_id = b.budget_id AND a.budget_period = b.period_from
      WHERE b.project_id > $1 AND b.project_id <= $2 AND b.spent <> COALESCE(c.taken, 0) + COALESCE(a.credits, 0)
      ORDER BY b.project_id, b.budget_id LIMIT $3`,
  },
]

const projectChecks = [...ownChecks, ...paymentChecks]

/** Lots, movements, Idempotency-Keys and budgets of a range of projects that contradict other rows. */
export async function projectDifferences(tx: Reader, { after, until }: Range, limit: number): Promise<Difference[]> {
  const differences: Difference[] = []
  for (const { invariant, sql } of projectChecks) {
    const rows = await tx.all<Omit<Difference, 'invariant' | 'found'> & { found: number | null }>(sql, [
      after,
      until,
      limit,
    ])
    differences.push(...rows.map((row) => ({ invariant, ...row, found: row.found ?? 'none' })))
  }
  return differences
}

async function byProject<R extends { projectId: string }>(tx: Reader, { after, until }: Range, sql: string) {
  const rows = await tx.all<R>(sql, [after, until])
  return new Map(rows.map((row) => [row.projectId, row]))
}

const selectBalances = `SELECT ${balanceColumns} FROM balances WHERE project_id > $1 AND project_id <= $2`

const sumCharges = `SELECT project_id AS "projectId",
    SUM(CASE WHEN state IN ('reserved', 'manual_review') THEN credits ELSE 0 END) AS held,
    SUM(CASE WHEN state = 'settled' THEN credits ELSE 0 END) AS settled
  FROM charges WHERE project_id > $1 AND project_id <= $2 GROUP BY project_id`

const sumUsage = `SELECT project_id AS "projectId", SUM(credits) AS credits
  FROM usage_days WHERE project_id > $1 AND project_id <= $2 GROUP BY project_id`

const sumLots = `SELECT project_id AS "projectId", SUM(amount) AS amount
  FROM credit_lots WHERE project_id > $1 AND project_id <= $2 GROUP BY project_id`

const selectClosings = `SELECT ${closingColumns} FROM closing_balances k WHERE k.project_id > $1 AND k.project_id <= $2`

/** Of projects with a closing balance only. */
const sumUnentered = `SELECT l.project_id AS "projectId", COUNT(*) AS lots,
    SUM(l.amount) AS credits
  FROM credit_lots l JOIN closing_balances k ON k.project_id = l.project_id
  WHERE l.project_id > $1 AND l.project_id <= $2
    AND NOT EXISTS (SELECT 1 FROM ledger_entries e WHERE ${isEntryOfLot})
  GROUP BY l.project_id`

const sumMovements = `SELECT project_id AS "projectId", SUM(CASE WHEN kind = 'grant' THEN amount ELSE 0 END) AS granted,
    SUM(CASE WHEN kind = 'withdraw' THEN amount ELSE 0 END) AS withdrawn
  FROM operator_movements WHERE project_id > $1 AND project_id <= $2 GROUP BY project_id`

const sumRefunds = `SELECT project_id AS "projectId",
    SUM(CASE WHEN hold_entry_id IS NOT NULL AND end_entry_id IS NULL THEN credits ELSE 0 END) AS held,
    SUM(CASE WHEN state = 'refunded' THEN credits ELSE 0 END) AS refunded
  FROM payment_refunds WHERE project_id > $1 AND project_id <= $2 GROUP BY project_id`
