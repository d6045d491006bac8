import { sortableIdFloor, timeOfSortableId } from '../../../base/ids.ts'
import { minuteMs } from '../../../base/time.ts'
import { behindIds } from '../../../operator-kit/found.ts'
import type { Engine, Reader } from '../../../storage/engine.ts'

/** One read is short; all of them together are bounded. */
const callsAtOnce = 2000
/** A call is reserved soon after its request: before that, its body arrives and it waits for its turn. */
const reservedWithinMs = minuteMs
/** Of an id that sorts by its time. */
const timeDigits = 8

const part = 'FROM charges WHERE charge_id > $1 AND charge_id < $2 ORDER BY charge_id LIMIT $3'
/** A part of the calls of all projects, as a table. */
export const partOfCalls = `(SELECT charge_id, project_id, operation, request_id ${part}) c`
const endOfPart = `SELECT COUNT(*) AS calls, MAX(charge_id) AS last FROM (SELECT charge_id ${part}) c`

interface Searched<Row> {
  /** Looks in `partOfCalls`, whose parameters come first. */
  readonly find: (tx: Reader, part: readonly (string | number)[], limit: number) => Promise<Row[]>
  readonly limit: number
  readonly maxCalls: number
}

/**
 * No index has request ids. The charge of a request was made after it by the same process, so its id sorts behind: these calls
 * are read in parts, from the request on. Also for the beginning of an id.
 */
export async function findCallsOfRequest<Row>(
  engine: Pick<Engine, 'read'>,
  requestId: string,
  { find, limit, maxCalls }: Searched<Row>,
): Promise<readonly Row[]> {
  const first = requestId.slice('req_'.length, 'req_'.length + timeDigits)
  const requestedAt = timeOfSortableId(`req_${first}${'0'.repeat(12)}`)
  const end = requestedAt === undefined ? `chg_${behindIds}` : sortableIdFloor('chg', requestedAt + reservedWithinMs)
  const found: Row[] = []
  let after = `chg_${first}`
  for (let read = 0; read < maxCalls && found.length < limit; read += callsAtOnce) {
    const range = [after, end, callsAtOnce]
    const { rows, reached } = await engine.read(async (tx) => ({
      rows: await find(tx, range, limit - found.length),
      reached: (await tx.get<{ calls: number; last: string | null }>(endOfPart, range))!,
    }))
    found.push(...rows)
    if (reached.last === null || reached.calls < callsAtOnce) break
    after = reached.last
  }
  return found
}

/** No more than a busy gateway makes in a few seconds. */
const maxCallsForProject = 8000
const chargeInPart = `SELECT c.charge_id AS "chargeId" FROM ${partOfCalls} WHERE c.project_id = $4 AND c.request_id = $5`

/** If it was made soon after the request. */
export async function chargeOfRequest(
  engine: Pick<Engine, 'read'>,
  projectId: string,
  requestId: string,
): Promise<string | undefined> {
  const [found] = await findCallsOfRequest(engine, requestId, {
    ...{ limit: 1, maxCalls: maxCallsForProject },
    find: (tx, part) => tx.all<{ chargeId: string }>(chargeInPart, [...part, projectId, requestId]),
  })
  return found?.chargeId
}
