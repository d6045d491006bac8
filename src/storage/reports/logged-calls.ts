import { sortableIdFloor, timeOfSortableId } from '../../contract/ids.ts'
import type { Engine } from '../engine.ts'

/** A charge is created while its request is being served, which takes minutes at most. */
const servedWithinMs = 600_000

/** The requests that no charge belongs to, in their order. */
export async function requestsWithoutCharge(
  engine: Pick<Engine, 'read'>,
  requestIds: readonly string[],
): Promise<string[]> {
  const missing: string[] = []
  for (const requestId of requestIds) {
    // Both ids begin with a time, so that the primary key limits the look.
    const at = timeOfSortableId(requestId)
    if (at === undefined) continue
    const range = [sortableIdFloor('chg', at - clockToleranceMs), sortableIdFloor('chg', at + servedWithinMs)]
    const row = await engine.read((tx) => tx.get(selectCharge, [requestId, ...range]))
    if (row === undefined) missing.push(requestId)
  }
  return missing
}

/** Ids of one process never step back further. */
const clockToleranceMs = 10_000

const selectCharge =
  'SELECT 1 AS found FROM charges WHERE request_id = $1 AND charge_id >= $2 AND charge_id < $3 LIMIT 1'
