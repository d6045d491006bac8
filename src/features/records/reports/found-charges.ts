import { sortableIdFloor, timeOfSortableId } from '../../../base/ids.ts'
import { minuteMs } from '../../../base/time.ts'
import { behindIds, type FoundSource, foundById, foundIn, type LookedUpRow } from '../../../operator-kit/found.ts'
import type { Engine } from '../../../storage/engine.ts'

const call = { label: 'operation', page: { at: '/charges', id: 'charge_id' } } as const

export const foundChargeIds: readonly FoundSource[] = [
  foundById('chg', 'charges', { ...call, kind: 'charge', id: 'charge_id' }),
]

/** One read is short; all of them together are bounded. */
const callsAtOnce = 2000
const maxCalls = 40_000
/** A call is reserved soon after its request: before that, its body arrives and it waits for its turn. */
const reservedWithinMs = minuteMs
/** Of an id that sorts by its time. */
const timeDigits = 8

const part = 'FROM charges WHERE charge_id > $1 AND charge_id < $2 ORDER BY charge_id LIMIT $3'
const partOfCalls = `(SELECT charge_id, project_id, operation, request_id ${part}) c`
const callsOfPart = foundIn(partOfCalls, { ...call, kind: 'request', id: 'request_id' })
const endOfPart = `SELECT COUNT(*) AS calls, MAX(charge_id) AS last FROM (SELECT charge_id ${part}) c`

/** No index has request ids. The charge of a request was made after it by the same process, so its id sorts behind. */
export async function foundRequests(
  engine: Pick<Engine, 'read'>,
  wanted: string,
  limit: number,
): Promise<readonly LookedUpRow[]> {
  const digits = wanted.slice('req_'.length)
  const first = digits.slice(0, timeDigits)
  const requestedAt = timeOfSortableId(`req_${first}${'0'.repeat(12)}`)
  const end = requestedAt === undefined ? `chg_${behindIds}` : sortableIdFloor('chg', requestedAt + reservedWithinMs)
  const found: LookedUpRow[] = []
  let after = `chg_${first}`
  for (let read = 0; read < maxCalls && found.length < limit; read += callsAtOnce) {
    const range = [after, end, callsAtOnce]
    const { rows, reached } = await engine.read(async (tx) => ({
      rows: await callsOfPart(tx, 'WHERE request_id >= $4 AND request_id < $5 ORDER BY charge_id LIMIT $6', [
        ...[...range, wanted, `${wanted}${behindIds}`, limit - found.length],
      ]),
      reached: (await tx.get<{ calls: number; last: string | null }>(endOfPart, range))!,
    }))
    found.push(...rows)
    if (reached.last === null || reached.calls < callsAtOnce) break
    after = reached.last
  }
  return found
}
