import type { Balance, KeyState } from '../../ledger/commands.ts'
import type { Changes } from '../../ledger/rules.ts'
import type { Value } from '../engine.ts'
import type { Statement } from './flights.ts'
import type { Guess } from './kept-books.ts'

/** The state of keys and balances after a batch that has them locked. */
export const stateWrites = ({ balances, keys }: Changes): Statement[] =>
  [write(updateBalances, [...balances], balanceAfter), write(updateKeys, [...keys], keyAfter)].filter(
    (statement) => statement !== null,
  )

/**
 * The same for a batch that has only guessed what they were: nothing of it is written unless they still are so. Nothing of
 * a project changes without an entry, but for its keys. Balances come in sorted order, as they are locked elsewhere.
 */
export function sureStateWrites(changes: Changes, guess: Guess): Statement[] {
  const balances = [...changes.balances].sort((a, b) => (a.projectId < b.projectId ? -1 : 1))
  return [
    sureWrite(updateSureBalances, balances, (row) => [
      ...balanceAfter(row),
      guess.balances.get(row.projectId)!.entries,
    ]),
    sureWrite(updateSureKeys, [...changes.keys], (row) => {
      const before = guess.keys.get(row.keyId)!
      return [
        ...keyAfter(row),
        before.windowEndsAt,
        before.windowUsed,
        before.calls,
        before.revokedAt,
        before.expiresAt,
      ]
    }),
  ].filter((statement) => statement !== null)
}

/** One list a column, all of one length; null when there are no rows. */
export function write<T>(sql: string, rows: readonly T[], columnsOf: (row: T) => Value[]): Statement | null {
  if (rows.length === 0) return null
  const tuples = rows.map(columnsOf)
  return { sql, params: tuples[0]!.map((_, column) => tuples.map((tuple) => tuple[column]!)) }
}

/** The number of the rows comes last: as many must have been as they were. */
function sureWrite<T>(sql: string, rows: readonly T[], columnsOf: (row: T) => Value[]): Statement | null {
  const statement = write(sql, rows, columnsOf)
  return statement && { sql, params: [...statement.params!, rows.length] }
}

const balanceAfter = (row: Balance): Value[] => [
  row.projectId,
  row.available,
  row.reserved,
  row.settled,
  row.credited,
  row.entries,
  row.lastEntryId,
]

const keyAfter = (row: KeyState): Value[] => [row.keyId, row.windowEndsAt, row.windowUsed, row.calls, row.lastUsedAt]

const setBalances = `UPDATE balances b SET available = v.available, reserved = v.reserved, settled = v.settled,
    credited = v.credited, entries = v.entries, last_entry_id = v.last_entry_id`

const updateBalances = `${setBalances}
  FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])
    AS v (project_id, available, reserved, settled, credited, entries, last_entry_id)
  WHERE b.project_id = v.project_id`

const setKeys = `UPDATE api_keys k SET window_ends_at = v.window_ends_at, window_used = v.window_used, calls = v.calls,
    last_used_at = v.last_used_at`

const updateKeys = `${setKeys}
  FROM unnest($1::text[], $2::bigint[], $3::int[], $4::bigint[], $5::bigint[])
    AS v (key_id, window_ends_at, window_used, calls, last_used_at)
  WHERE k.key_id = v.key_id`

const surely = (update: string, wanted: string) =>
  `WITH changed AS (${update} RETURNING 1) SELECT refuse_stale((SELECT count(*) FROM changed), ${wanted})`

const updateSureBalances = surely(
  `${setBalances}
  FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[])
    AS v (project_id, available, reserved, settled, credited, entries, last_entry_id, entries_before)
  WHERE b.project_id = v.project_id AND b.entries = v.entries_before`,
  '$9',
)

const updateSureKeys = surely(
  `${setKeys}
  FROM unnest($1::text[], $2::bigint[], $3::int[], $4::bigint[], $5::bigint[], $6::bigint[], $7::int[], $8::bigint[],
      $9::bigint[], $10::bigint[])
    AS v (key_id, window_ends_at, window_used, calls, last_used_at, ends_before, used_before, calls_before, revoked_at,
      expires_at)
  WHERE k.key_id = v.key_id AND k.window_ends_at = v.ends_before AND k.window_used = v.used_before
    AND k.calls = v.calls_before AND k.revoked_at IS NOT DISTINCT FROM v.revoked_at
    AND k.expires_at IS NOT DISTINCT FROM v.expires_at`,
  '$11',
)
