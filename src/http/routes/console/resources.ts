import type { PageParameters } from '../../../contract/console/paging.ts'
import type { OrderPage, UsedKeyList } from '../../../contract/console/resources.ts'
import type { Operation } from '../../../contract/operations.ts'
import { publicKey } from '../../../keys/keys.ts'
import type { KeyRow } from '../../../keys/ports.ts'
import { publicOrder } from '../../../orders/orders.ts'
import type { OrderPlace, ReportStore } from '../../../reporting/ports.ts'
import { endpoint } from '../../endpoint.ts'
import type { Guards } from '../../guards.ts'
import { queryReader } from '../../query.ts'
import type { Route } from '../../route.ts'
import { type CatalogSettings, catalogOf } from './catalog.ts'

export interface ResourceRouteDeps {
  readonly operation: (id: string) => Operation
  readonly guards: Guards
  readonly reports: ReportStore
  readonly clock: () => number
  readonly keysOf: (projectId: string) => Promise<readonly KeyRow[]>
  readonly catalog: CatalogSettings
}

/** Orders, keys and the providers that a call may name. */
export function resourceRoutes({ operation, guards, reports, clock, keysOf, catalog }: ResourceRouteDeps): Route[] {
  const orders = operation('console.orders.list')
  const readPage = queryReader<PageParameters>(orders)
  const shownCatalog = catalogOf(catalog)
  return [
    endpoint(orders, async (call) => {
      const { projectId } = await guards.session(call)
      const { cursor, limit } = readPage(call)
      const rows = await reports.orders(projectId, cursor === undefined ? null : placeOf(cursor), limit + 1)
      const last = rows.length > limit ? rows[limit - 1] : undefined
      const body: OrderPage = {
        items: rows.slice(0, limit).map(publicOrder),
        nextCursor: last ? cursorOf(last) : null,
      }
      return { status: 200, body }
    }),
    endpoint(operation('console.keys.list'), async (call) => {
      const { projectId } = await guards.session(call)
      const now = clock()
      const items = (await keysOf(projectId)).map((row) => ({
        ...publicKey(row, now),
        calls: row.calls,
        lastUsedAt: row.lastUsedAt === null ? null : new Date(row.lastUsedAt).toISOString(),
      }))
      return { status: 200, body: { items } satisfies UsedKeyList }
    }),
    endpoint(operation('console.models.list'), async (call) => {
      await guards.session(call)
      return { status: 200, body: shownCatalog }
    }),
  ]
}

/** Orders are listed by their time and, within one millisecond, by their id. */
const cursorOf = ({ createdAt, orderId }: OrderPlace): string => `${createdAt}.${orderId}`

function placeOf(cursor: string): OrderPlace {
  const [createdAt = '', orderId = ''] = cursor.split('.')
  return { createdAt: Number(createdAt), orderId }
}
