import { sortableIdFloor, timeOfSortableId } from '../../../base/ids.ts'
import { hourMs, isoOf } from '../../../base/time.ts'
import { type Engine, type Reader, type ScriptStatement, type Value, writeScript } from '../../../storage/engine.ts'
import { insertScript } from '../../../storage/sql-text.ts'
import { countedHours, listedHours, listedPerKey, type RefusedCallParameters, type RefusedCalls } from './contract.ts'
import type { RefusalBatch, RefusalCount, RefusedCall } from './refusal-tally.ts'

export function createRefusalStore(engine: Engine, clock: () => number) {
  const oldestListed = () => sortableIdFloor('req', clock() - listedHours * hourMs)
  const oldestCounted = () => clock() - countedHours * hourMs

  return {
    /** One transaction for all that was collected; counts of several instances add up. */
    write: (batch: RefusalBatch): Promise<unknown> => writeScript(engine, statementsOf(batch)),
    read: (projectId: string, parameters: RefusedCallParameters): Promise<RefusedCalls> =>
      engine.read(async (tx) => {
        const rows = await listed(tx, projectId, oldestListed(), parameters)
        const items = rows.slice(0, parameters.limit)
        return {
          items: items.map((row) => ({ ...row, at: isoOf(timeOfSortableId(row.requestId)!) })),
          nextAfter: rows.length > items.length ? items.at(-1)!.requestId : null,
          hours: await hoursOf(tx, projectId, oldestCounted(), parameters),
        }
      }),
    pruneCalls: (limit: number): Promise<number> =>
      engine.write((tx) => tx.run(deleteOldCalls, [oldestListed(), limit])),
    pruneCounts: (limit: number): Promise<number> =>
      engine.write((tx) => tx.run(deleteOldCounts, [oldestCounted() - hourMs, limit])),
  }
}

function statementsOf({ counts, calls }: RefusalBatch): ScriptStatement[] {
  // Sorted, so that two instances lock the same rows in the same order.
  const sortedCounts = [...counts].sort((a, b) => compare(countId(a), countId(b)))
  const sortedCalls = [...calls].sort((a, b) => compare(callId(a), callId(b)))
  const keys = new Map(sortedCalls.map(({ projectId, keyId }) => [keyId, projectId]))
  return [
    ...insertScript(sortedCounts, insertCounts, ({ projectId, keyId, hour, code, calls }) => [
      ...[projectId, keyId, hour, code, calls],
    ]),
    ...insertScript(sortedCalls, insertCalls, ({ projectId, keyId, requestId, operation, code }) => [
      ...[projectId, keyId, requestId, operation, code],
    ]),
    ...[...keys].map(([keyId, projectId]) => ({ sql: deleteSurplus, params: [projectId, keyId, listedPerKey] })),
  ]
}

const countId = ({ keyId, hour, code }: RefusalCount) => `${keyId} ${hour} ${code}`
const callId = ({ keyId, requestId }: RefusedCall) => `${keyId} ${requestId}`
const compare = (a: string, b: string) => (a < b ? -1 : 1)

const insertCounts = (values: string) =>
  `INSERT INTO refusal_counts (project_id, key_id, hour, code, calls) VALUES ${values}
  ON CONFLICT (project_id, key_id, hour, code) DO UPDATE SET calls = refusal_counts.calls + excluded.calls`

const insertCalls = (values: string) =>
  `INSERT INTO refused_calls (project_id, key_id, request_id, operation, code) VALUES ${values}
  ON CONFLICT (project_id, key_id, request_id) DO NOTHING`

const deleteSurplus = `DELETE FROM refused_calls WHERE project_id = $1 AND key_id = $2 AND request_id <= (
  SELECT request_id FROM refused_calls WHERE project_id = $1 AND key_id = $2 ORDER BY request_id DESC LIMIT 1 OFFSET $3)`

/** Ids of requests sort by time. */
const deleteOldCalls = `DELETE FROM refused_calls WHERE request_id IN (
  SELECT request_id FROM refused_calls WHERE request_id < $1 ORDER BY request_id LIMIT $2)`

const deleteOldCounts = `DELETE FROM refusal_counts WHERE (project_id, key_id, hour, code) IN (
  SELECT project_id, key_id, hour, code FROM refusal_counts WHERE hour < $1 ORDER BY hour LIMIT $2)`

type ListedRow = Omit<RefusedCall, 'projectId'>

function listed(
  tx: Reader,
  projectId: string,
  oldest: string,
  { keyId, code, after, limit }: RefusedCallParameters,
): Promise<ListedRow[]> {
  const { sql, params } = filtered([projectId, oldest], { key_id: keyId, code })
  if (after !== undefined) params.push(after)
  return tx.all<ListedRow>(
    `SELECT key_id AS "keyId", request_id AS "requestId", operation, code FROM refused_calls
    WHERE project_id = $1 AND request_id >= $2${sql}${after === undefined ? '' : ` AND request_id < $${params.length}`}
    ORDER BY request_id DESC LIMIT ${limit + 1}`,
    params,
  )
}

async function hoursOf(
  tx: Reader,
  projectId: string,
  oldest: number,
  { keyId, code }: RefusedCallParameters,
): Promise<RefusedCalls['hours']> {
  const { sql, params } = filtered([projectId, Math.floor(oldest / hourMs) * hourMs], { key_id: keyId, code })
  const rows = await tx.all<{ hour: number; code: string; count: number }>(
    `SELECT hour, code, SUM(calls) AS count FROM refusal_counts
    WHERE project_id = $1 AND hour >= $2${sql} GROUP BY hour, code ORDER BY hour DESC, code`,
    params,
  )
  return rows.map((row) => ({ ...row, hour: isoOf(row.hour) }))
}

function filtered(first: readonly Value[], columns: Readonly<Record<string, string | undefined>>) {
  const params = [...first]
  let sql = ''
  for (const [column, value] of Object.entries(columns)) {
    if (value === undefined) continue
    params.push(value)
    sql += ` AND ${column} = $${params.length}`
  }
  return { sql, params }
}
