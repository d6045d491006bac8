import type { LedgerRange } from '../../reporting/ports.ts'
import type { Reader, Value } from '../engine.ts'

/**
 * Entries of a project's ledger from the number $2 on, up to but without $3, found by following the chain from the first
 * entry at or past its end that is indexed (every 32nd), or else from the last entry of all: no more than
 * 31 steps from there.
 */
const wantedEntries = `WITH RECURSIVE chain AS (
    SELECT e.* FROM ledger_entries e WHERE e.entry_id = COALESCE(
      (SELECT i.entry_id FROM ledger_entries i WHERE i.project_id = $1 AND i.seq % 32 = 0 AND i.seq >= CAST($3 AS BIGINT) - 1
        ORDER BY i.seq LIMIT 1),
      (SELECT b.last_entry_id FROM balances b WHERE b.project_id = $1))
    UNION ALL
    SELECT e.* FROM chain c CROSS JOIN ledger_entries e WHERE c.seq > $2 AND e.entry_id = c.previous_id
  ), wanted AS (SELECT * FROM chain WHERE seq >= $2 AND seq < $3)`

/** Runs a query over the rows of `wanted`, whose own parameters begin with $4. */
export const readRange = <R extends object>(
  tx: Reader,
  query: string,
  { projectId, from, before }: LedgerRange,
  params: readonly Value[] = [],
): Promise<R[]> => tx.all<R>(`${wantedEntries} ${query}`, [projectId, from, before, ...params])

/** The external reference of an entry. Only grants and withdrawals have one, so that no other entry costs a look-up. */
export const referenceOf = (entry: string) =>
  `CASE WHEN ${entry}.kind IN ('grant', 'withdraw') THEN
    (SELECT m.reference FROM operator_movements m WHERE m.entry_id = ${entry}.entry_id) END`
