import { type Changes, isMovement } from '../../ledger/batch-state.ts'
import type { Balance, BudgetState, Command, KeyState } from '../../ledger/commands.ts'
import type { EarlierMovement } from '../../ledger/movements.ts'
import { type LoadedRows, referenceValues, sameReferenceOf } from '../batch/rows.ts'
import { assignments, type ColumnType, onConflict, type TableWrite } from '../batch/table-write.ts'
import { type BatchWriteName, batchWrites, writeChanges } from '../batch/writes.ts'
import type { Value } from '../engine.ts'
import { CompositeRows } from './composite-rows.ts'
import type { Statement } from './pipelined-transaction.ts'

/** The rows on which an optimistic batch was decided. The server rejects the batch if one has changed. */
export interface ExpectedRows {
  readonly balances: ReadonlyMap<string, Balance>
  readonly keys: ReadonlyMap<string, KeyState>
  readonly budgets: ReadonlyMap<string, BudgetState>
}

/** One statement for each kind of write. With `expected` set, it also checks that the rows have not changed. */
export function statementsOf(changes: Changes, expected: ExpectedRows | null): Statement[] {
  const statements: Statement[] = []
  writeChanges(changes, (name, rows) => {
    if (rows.length === 0) return
    const { sql, checkedSql, columns, check } = writes[name]
    const values = (rows as readonly never[]).map((row) => [
      ...columns.map(({ from }) => from(row)),
      ...(check?.valuesOf(row, expected) ?? []),
    ])
    // Sorted by key, like every lock on balances, so that two batches never deadlock.
    if (check) values.sort((a, b) => (a[0]! < b[0]! ? -1 : 1))
    statements.push({ sql: expected ? checkedSql : sql, params: [new CompositeRows(rowTypes[name], values)] })
  })
  return statements
}

interface ExpectationCheck {
  readonly columns: Readonly<Record<string, ColumnType>>
  readonly valuesOf: (row: never, expected: ExpectedRows | null) => Value[]
  readonly condition: string
  /** The column whose assignment runs the check; any column that is always written. */
  readonly column: string
}

const checks: Partial<Record<BatchWriteName, ExpectationCheck>> = {
  // Every change of a project adds a ledger entry, except changes of its keys, of its threshold and of `empty_at`: on that one
  // only refusals and credits depend, which are never decided on cached rows.
  balance_change: {
    columns: {
      expected_entries: 'bigint',
      expected_last_entry_id: 'bigint',
      expected_low_balance_credits: 'bigint',
    },
    valuesOf: ({ projectId }: Balance, expected) => {
      const balance = expected?.balances.get(projectId)
      return [balance?.entries ?? null, balance?.lastEntryId ?? null, balance?.lowBalanceCredits ?? null]
    },
    condition: `t.entries = v.expected_entries AND t.last_entry_id IS NOT DISTINCT FROM v.expected_last_entry_id
      AND t.low_balance_credits IS NOT DISTINCT FROM v.expected_low_balance_credits`,
    column: 'entries',
  },
  // A cached charge may have ended since: by another gateway, or by a commit whose response was lost. The balance does not show it
  // once a loaded batch of the same project has cached it anew.
  charge_end: {
    columns: {},
    valuesOf: () => [],
    condition: "t.state = 'reserved'",
    column: 'ended_at',
  },
  key_change: {
    columns: {
      expected_window_ends_at: 'bigint',
      expected_window_used: 'int',
      expected_calls: 'bigint',
      expected_blocked_at: 'bigint',
      expected_expires_at: 'bigint',
      expected_settings_version: 'int',
    },
    valuesOf: ({ keyId }: KeyState, expected) => {
      const key = expected?.keys.get(keyId)
      return key
        ? [key.windowEndsAt, key.windowUsed, key.calls, key.blockedAt, key.expiresAt, key.settingsVersion]
        : [null, null, null, null, null, null]
    },
    condition: `t.window_ends_at = v.expected_window_ends_at AND t.window_used = v.expected_window_used
      AND t.calls = v.expected_calls AND COALESCE(t.revoked_at, t.suspended_at) IS NOT DISTINCT FROM v.expected_blocked_at
      AND t.expires_at IS NOT DISTINCT FROM v.expected_expires_at AND t.settings_version = v.expected_settings_version`,
    column: 'calls',
  },
  // Its limit is a setting of its keys, which have a version.
  budget_change: {
    columns: {
      expected_period_from: 'bigint',
      expected_spent: 'bigint',
      expected_reached_at: 'bigint',
      expected_other_counts: 'text',
    },
    valuesOf: ({ budgetId }: BudgetState, expected) => {
      const budget = expected?.budgets.get(budgetId)
      return budget ? [budget.periodFrom, budget.spent, budget.reachedAt, budget.otherCounts] : [null, null, null, null]
    },
    condition: `t.period_from = v.expected_period_from AND t.spent = v.expected_spent
      AND t.reached_at IS NOT DISTINCT FROM v.expected_reached_at AND t.other_counts = v.expected_other_counts`,
    column: 'spent',
  },
}

/** Each write has its own row type; only `writeChanges` knows it. */
const tableWrites = batchWrites as Record<BatchWriteName, TableWrite<never>>
const names = Object.keys(tableWrites) as BatchWriteName[]
const mapWrites = <T>(make: (name: BatchWriteName, write: TableWrite<never>) => T) =>
  Object.fromEntries(names.map((name) => [name, make(name, tableWrites[name])])) as Record<BatchWriteName, T>

/** The type of a write's rows. */
export const rowTypeOf = (name: BatchWriteName) => `${name}_row_v${tableWrites[name].rowVersion}`

/** PostgreSQL's types of the rows that batches write, with their columns in order. */
export const compositeTypes = mapWrites(
  (name, { columns }): Record<string, ColumnType> => ({
    ...Object.fromEntries(Object.entries(columns).map(([column, { type }]) => [column, type])),
    ...checks[name]?.columns,
  }),
)

const rowTypes = mapWrites((name) => Object.values(compositeTypes[name]))

const writes = mapWrites((name, write) => ({
  columns: Object.values(write.columns),
  check: checks[name],
  sql: sqlOf(name, write, undefined),
  checkedSql: sqlOf(name, write, checks[name]),
}))

function sqlOf(name: BatchWriteName, write: TableWrite<never>, check: ExpectationCheck | undefined): string {
  const { table, key, kind, columns } = write
  if (kind !== 'update') {
    return `INSERT INTO ${table} (${Object.keys(columns).join(', ')}) SELECT * FROM unnest($1::${rowTypeOf(name)}[]) ${onConflict(write)}`
  }
  const newValue = (column: string) =>
    check?.column === column
      ? `CASE WHEN ${check.condition} THEN v.${column} ELSE refuse_stale_row() END`
      : `v.${column}`
  const condition = key.map((column) => `t.${column} = v.${column}`).join(' AND ')
  return `UPDATE ${table} t SET ${assignments(write, newValue, (column) => `t.${column}`)}
    FROM unnest($1::${rowTypeOf(name)}[]) AS v WHERE ${condition}`
}

/** One for each movement of a batch, in its order; without an earlier one, all of its columns are null. */
export type SameReferenceRow = { readonly [Column in keyof EarlierMovement]: EarlierMovement[Column] | null }

const sameReference = sameReferenceOf({
  projectId: 'n.project_id',
  kind: 'n.kind',
  reference: 'n.reference',
  referenceKey: 'n.reference_key',
})

const sql = `SELECT s.* FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) WITH ORDINALITY
    AS n (project_id, kind, reference, reference_key, place)
  LEFT JOIN LATERAL (${sameReference}) s ON true ORDER BY n.place`

/**
 * The earlier movements with similar references; null if the batch has no movement. Sent after the lock on the audit log, as a
 * statement of its own, so that it sees what others committed before.
 */
export function selectSameReferences(commands: readonly Command[]): Statement | null {
  const rows = commands.filter(isMovement).map(referenceValues)
  const columnOf = (index: number) => rows.map((row) => row[index]!)
  return rows.length === 0 ? null : { sql, params: [0, 1, 2, 3].map(columnOf) }
}

export const sameReferencesIn = (
  commands: readonly Command[],
  rows: readonly SameReferenceRow[],
): LoadedRows['sameReferences'] =>
  commands.filter(isMovement).flatMap((command, index) => {
    const same = rows[index]!
    return same.projectId === null ? [] : { command, same: same as EarlierMovement }
  })

/** Null if no row is needed. */
export function select(sql: string, ids: Iterable<string>, ...more: string[][]): Statement | null {
  const values = [...ids]
  return values.length === 0 ? null : { sql, params: [values, ...more] }
}
