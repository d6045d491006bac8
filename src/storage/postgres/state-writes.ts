import type { Balance, KeyState } from '../../ledger/commands.ts'
import type { Changes } from '../../ledger/rules.ts'
import type { Value } from '../engine.ts'
import type { Statement } from './flights.ts'
import type { Guess } from './kept-books.ts'
import { RowList } from './row-list.ts'
import type { RowTypeName } from './row-types.ts'

/** The state of keys and balances after a batch that has them locked. */
export const stateWrites = ({ balances, keys }: Changes): Statement[] =>
  [
    write(updateBalances, 'balance_written', [...balances], (row) => balanceRow(row, null)),
    write(updateKeys, 'key_written', [...keys], (row) => keyRow(row, null)),
  ].filter((statement) => statement !== null)

/**
 * The same for a batch that has only guessed what they were: nothing of it is written unless they still are so. Nothing of
 * a project changes without an entry, but for its keys. Balances come in sorted order, as they are locked elsewhere.
 */
export function sureStateWrites({ balances, keys }: Changes, guess: Guess): Statement[] {
  const sorted = [...balances].sort((a, b) => (a.projectId < b.projectId ? -1 : 1))
  return [
    write(updateSureBalances, 'balance_written', sorted, (row) => balanceRow(row, guess.balances.get(row.projectId)!)),
    write(updateSureKeys, 'key_written', [...keys], (row) => keyRow(row, guess.keys.get(row.keyId)!)),
  ].filter((statement) => statement !== null)
}

/** Null when there are no rows. */
export function write<T>(
  sql: string,
  type: RowTypeName,
  rows: readonly T[],
  rowOf: (row: T) => Value[],
): Statement | null {
  return rows.length === 0 ? null : { sql, params: [new RowList(type, rows.map(rowOf))] }
}

const balanceRow = (row: Balance, before: Balance | null): Value[] => [
  row.projectId,
  row.available,
  row.reserved,
  row.settled,
  row.credited,
  row.entries,
  row.lastEntryId,
  before?.entries ?? null,
]

const keyRow = (row: KeyState, before: KeyState | null): Value[] => [
  row.keyId,
  row.windowEndsAt,
  row.windowUsed,
  row.calls,
  row.lastUsedAt,
  before?.windowEndsAt ?? null,
  before?.windowUsed ?? null,
  before?.calls ?? null,
  before?.revokedAt ?? null,
  before?.expiresAt ?? null,
]

const setBalances = (entries: string) => `UPDATE balances b SET available = v.available, reserved = v.reserved,
    settled = v.settled, credited = v.credited, entries = ${entries}, last_entry_id = v.last_entry_id
  FROM unnest($1::balance_written[]) AS v WHERE b.project_id = v.project_id`

const setKeys = (calls: string) => `UPDATE api_keys k SET window_ends_at = v.window_ends_at,
    window_used = v.window_used, calls = ${calls}, last_used_at = v.last_used_at
  FROM unnest($1::key_written[]) AS v WHERE k.key_id = v.key_id`

/** A row that somebody has changed meanwhile is seen as it is then, and ends the batch. */
const surely = (condition: string, value: string) => `CASE WHEN ${condition} THEN ${value} ELSE refuse_stale_row() END`

const updateBalances = setBalances('v.entries')
const updateKeys = setKeys('v.calls')
const updateSureBalances = setBalances(surely('b.entries = v.entries_before', 'v.entries'))
const updateSureKeys = setKeys(
  surely(
    `k.window_ends_at = v.ends_before AND k.window_used = v.used_before AND k.calls = v.calls_before
      AND k.revoked_at IS NOT DISTINCT FROM v.revoked_at AND k.expires_at IS NOT DISTINCT FROM v.expires_at`,
    'v.calls',
  ),
)
