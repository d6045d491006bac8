import type { PageParameters } from '../../../contract/console/paging.ts'
import type { OrderPage, UsedKeyList } from '../../../contract/console/resources.ts'
import { Refusal } from '../../../contract/errors.ts'
import { publicKey } from '../../../keys/keys.ts'
import type { KeyRow } from '../../../keys/ports.ts'
import { publicOrder } from '../../../orders/orders.ts'
import type { OrderPlace, ReportStore } from '../../../reporting/ports.ts'
import { pathParameter } from '../../endpoint.ts'
import type { Route } from '../../route.ts'
import { type CatalogSettings, catalogOf } from './catalog.ts'
import { ok, type ViewDeps, view } from './view.ts'

export interface ResourceRouteDeps extends ViewDeps {
  readonly reports: ReportStore
  readonly clock: () => number
  readonly keysOf: (projectId: string, now: number) => Promise<readonly KeyRow[]>
  readonly maxActiveKeys: number
  readonly catalog: CatalogSettings
}

/** Orders, keys and the providers that a call may name. */
export function resourceRoutes(deps: ResourceRouteDeps): Route[] {
  const { reports, clock, keysOf, maxActiveKeys } = deps
  const order = deps.operation('console.orders.read')
  const catalog = catalogOf(deps.catalog)
  return [
    view<PageParameters>(deps, 'console.orders.list', async ({ session, query }) =>
      ok(await orderPage(reports, session.projectId, query)),
    ),
    view(deps, order.id, async ({ session, call }) => {
      const row = await reports.order(session.projectId, pathParameter(order, call, 'orderId'))
      if (!row) throw new Refusal('ORDER_NOT_FOUND')
      return ok(publicOrder(row))
    }),
    view(deps, 'console.keys.list', async ({ session }) => {
      const now = clock()
      const items = (await keysOf(session.projectId, now)).map((row) => ({
        ...publicKey(row, now),
        calls: row.calls,
        lastUsedAt: row.lastUsedAt === null ? null : new Date(row.lastUsedAt).toISOString(),
      }))
      return ok({ items, maxActive: maxActiveKeys } satisfies UsedKeyList)
    }),
    view(deps, 'console.models.list', () => ok(catalog)),
  ]
}

/** A page of a project's orders, the newest first. */
export async function orderPage(
  reports: Pick<ReportStore, 'orders'>,
  projectId: string,
  { cursor, limit }: PageParameters,
): Promise<OrderPage> {
  const before = cursor === undefined ? null : placeOf(cursor)
  const rows = await reports.orders(projectId, before, limit + 1)
  return {
    items: rows.slice(0, limit).map(publicOrder),
    nextCursor: rows.length > limit ? cursorOf(rows[limit - 1]!) : null,
  }
}

/** Orders are listed by their time and, within one millisecond, by their id. */
const cursorOf = ({ createdAt, orderId }: OrderPlace): string => `${createdAt}.${orderId}`

function placeOf(cursor: string): OrderPlace {
  const [createdAt = '', orderId = ''] = cursor.split('.')
  return { createdAt: Number(createdAt), orderId }
}
