import { behindIds, type FoundSource, foundById, foundIn, type LookedUpRow } from '../../../operator-kit/found.ts'
import type { Engine } from '../../../storage/engine.ts'
import { findCallsOfRequest, partOfCalls } from './calls-of-request.ts'

const call = { label: 'operation', page: { at: '/charges', id: 'charge_id' } } as const

export const foundChargeIds: readonly FoundSource[] = [
  foundById('chg', 'charges', { ...call, kind: 'charge', id: 'charge_id' }),
]

const maxCalls = 40_000
const callsOfPart = foundIn(partOfCalls, { ...call, kind: 'request', id: 'request_id' })

export const foundRequests = (
  engine: Pick<Engine, 'read'>,
  wanted: string,
  limit: number,
): Promise<readonly LookedUpRow[]> =>
  findCallsOfRequest(engine, wanted, {
    ...{ limit, maxCalls },
    find: (tx, part, most) =>
      callsOfPart(tx, 'WHERE request_id >= $4 AND request_id < $5 ORDER BY charge_id LIMIT $6', [
        ...[...part, wanted, `${wanted}${behindIds}`, most],
      ]),
  })
