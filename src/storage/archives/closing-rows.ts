import type { ClosingBalance } from '../../archives/closing-balance.ts'
import type { Reader } from '../engine.ts'
import { archivesMigration } from '../schema/migrations.ts'

/** Where a query finds what was archived: the tables, or empty ones while the schema does not have them. */
export interface ArchiveTables {
  readonly closingBalances: string
  readonly archivedSpending: string
}

export const hasArchives = async (tx: Reader): Promise<boolean> =>
  (await tx.get('SELECT 1 AS found FROM schema_migrations WHERE name = $1', [archivesMigration])) !== undefined

export const archiveTables = async (tx: Reader): Promise<ArchiveTables> =>
  (await hasArchives(tx))
    ? { closingBalances: 'closing_balances', archivedSpending: 'archived_spending' }
    : {
        closingBalances: emptyTable(closingColumnNames),
        archivedSpending: emptyTable(['budget_period', 'credits'], ['budget_id']),
      }

export interface ProjectClosing extends ClosingBalance {
  readonly projectId: string
  readonly entryId: number
}

const closingColumnNames = [
  'last_entry_id',
  'entries',
  'available',
  'reserved',
  'settled',
  'credited',
  'granted',
  'withdrawn',
  'charges',
  'lots',
  'archived_until',
]

/** The columns of a row of `closing_balances k`. */
export const closingColumns = `k.project_id AS "projectId", k.last_entry_id AS "entryId", k.entries AS seq, k.available, k.reserved,
  k.settled, k.credited, k.granted, k.withdrawn, k.charges, k.lots, k.archived_until AS "archivedUntil"`

/** The closing balance of one project; undefined if nothing of it was archived. */
export async function closingOf(tx: Reader, projectId: string): Promise<ProjectClosing | undefined> {
  if (!(await hasArchives(tx))) return undefined
  return tx.get<ProjectClosing>(`SELECT ${closingColumns} FROM closing_balances k WHERE k.project_id = $1`, [projectId])
}

const emptyTable = (numbers: readonly string[], texts = ['project_id']) =>
  `(SELECT ${[
    ...texts.map((name) => `CAST('' AS TEXT) AS ${name}`),
    ...numbers.map((name) => `CAST(0 AS BIGINT) AS ${name}`),
  ].join(', ')} WHERE 1 = 0)`
