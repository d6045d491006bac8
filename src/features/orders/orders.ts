import { newId, newSortableId } from '../../base/ids.ts'
import { isoOrNull } from '../../base/time.ts'
import { Refusal } from '../../contract/errors.ts'
import type { PageParameters } from '../../contract/paging.ts'
import {
  creditsOfFen,
  creditsPerYuan,
  currency,
  type PaymentMode,
  pricingVersion,
  yuanPerCredit,
} from '../../contract/prices.ts'
import {
  type ConfirmedOrder,
  type CreatedOrder,
  type Order,
  recentOrdersLimit,
} from '../../contract/schemas/account.ts'
import type { OrderState } from '../../ledger/commands.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { OrderPage } from './contract.ts'

export type OrderRow = OrderState

export interface OrderStore {
  read<T>(work: (tx: OrderReader) => Promise<T>): Promise<T>
  write<T>(work: (tx: OrderWriter) => Promise<T>): Promise<T>
}

export interface OrderReader {
  /** Newest first. */
  recent(projectId: string, limit: number): Promise<OrderRow[]>
}

export interface OrderWriter extends OrderReader {
  /** Inserts the order, or returns the one that already has this Idempotency-Key. */
  insertOrFind(row: OrderRow & { idempotencyDigest: string }): Promise<OrderRow>
}

export interface Orders {
  readonly isOpen: boolean
  readonly create: (projectId: string, amountFen: number, idempotencyDigest: string) => Promise<CreatedOrder>
  readonly confirm: (projectId: string, orderId: string) => Promise<ConfirmedOrder>
  readonly recent: (projectId: string) => Promise<Order[]>
}

export function createOrders(deps: {
  store: OrderStore
  ledger: Ledger
  clock: () => number
  paymentMode: PaymentMode
}): Orders {
  const { store, ledger, clock, paymentMode } = deps
  return {
    isOpen: paymentMode === 'local-simulated',
    async create(projectId, amountFen, idempotencyDigest) {
      const at = clock()
      const newOrder: OrderRow = {
        orderId: newSortableId('ord', at),
        projectId,
        amountFen,
        creditAmount: creditsOfFen(amountFen),
        pricingVersion,
        state: 'pending',
        createdAt: at,
        creditedAt: null,
      }
      const order = await store.write((tx) => tx.insertOrFind({ ...newOrder, idempotencyDigest }))
      if (order.amountFen !== amountFen) throw new Refusal('IDEMPOTENCY_CONFLICT')
      // A replay returns the order as it was created, even if it has been paid since.
      const asCreated = publicOrder({ ...order, state: 'pending', creditedAt: null })
      return { ...asCreated, idempotentReplay: order.orderId !== newOrder.orderId }
    },
    async confirm(projectId, orderId) {
      const result = await ledger.credit({ type: 'credit', orderId, projectId, lotId: newId('lot'), at: clock() })
      if (result.kind === 'refused') throw new Refusal(result.code)
      return {
        ...publicOrder(result.order),
        state: 'credited',
        creditLotId: result.lotId,
        creditedAmount: result.order.creditAmount,
        creditKind: 'simulated_prepaid',
        idempotentReplay: false,
      }
    },
    async recent(projectId) {
      return (await store.read((tx) => tx.recent(projectId, recentOrdersLimit))).map(publicOrder)
    },
  }
}

/** Payment and credit happen in one step, so both have the same time. */
export function publicOrder(row: OrderRow): Order {
  const creditedAt = isoOrNull(row.creditedAt)
  return {
    orderId: row.orderId,
    amountFen: row.amountFen,
    creditAmount: row.creditAmount,
    currency,
    creditsPerYuan,
    yuanPerCredit,
    pricingVersion: row.pricingVersion as Order['pricingVersion'],
    state: row.state,
    paymentMode: 'local-simulated',
    createdAt: new Date(row.createdAt).toISOString(),
    simulatedPaidAt: creditedAt,
    creditedAt,
  }
}

export interface OrderLister {
  orders(projectId: string, before: OrderPlace | null, limit: number): Promise<ReportedOrder[]>
  order(projectId: string, orderId: string): Promise<ReportedOrder | undefined>
}

/** A page of a project's orders, the newest first. */
export async function orderPage(
  store: Pick<OrderLister, 'orders'>,
  projectId: string,
  { cursor, limit }: PageParameters,
): Promise<OrderPage> {
  const before = cursor === undefined ? null : placeOf(cursor)
  const rows = await store.orders(projectId, before, limit + 1)
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

export interface OrderPlace {
  readonly createdAt: number
  readonly orderId: string
}

export interface ReportedOrder extends OrderPlace {
  readonly projectId: string
  readonly amountFen: number
  readonly creditAmount: number
  readonly pricingVersion: string
  readonly state: 'pending' | 'simulated_paid' | 'credited'
  readonly creditedAt: number | null
}
