import { newId, newSortableId } from '../../../base/ids.ts'
import { isoOf, isoOrNull, minuteMs } from '../../../base/time.ts'
import { orderMinutes } from '../../../contract/choices.ts'
import { Refusal } from '../../../contract/errors.ts'
import type { PageParameters } from '../../../contract/paging.ts'
import {
  creditsOfFen,
  creditsPerYuan,
  currency,
  type PaymentMode,
  pricingVersion,
  yuanPerCredit,
} from '../../../contract/prices.ts'
import {
  type ConfirmedOrder,
  type CreatedOrder,
  type Order,
  recentOrdersLimit,
} from '../../../contract/schemas/account.ts'
import type { OrderState } from '../../../ledger/commands.ts'
import type { Ledger } from '../../../ledger/ledger.ts'
import { pageOf } from '../../../storage/sql-text.ts'
import type { ListedOrder, OrderPage } from './contract.ts'
import type { ListedOrderRow, OrderPosition } from './store/orders.ts'
import type { PaymentStore } from './store/store.ts'

export type Orders = ReturnType<typeof createOrders>

export function createOrders(deps: {
  store: Pick<PaymentStore, 'orders'>
  ledger: Ledger
  clock: () => number
  paymentMode: PaymentMode
}) {
  const { ledger, clock, paymentMode } = deps
  const { orders } = deps.store
  return {
    isOpen: paymentMode === 'local-simulated',
    async create(projectId: string, amountFen: number, idempotencyDigest: string): Promise<CreatedOrder> {
      const at = clock()
      const newOrder = {
        orderId: newSortableId('ord', at),
        projectId,
        amountFen,
        creditAmount: creditsOfFen(amountFen),
        pricingVersion,
        state: 'pending' as const,
        createdAt: at,
        creditedAt: null,
      }
      const order = await orders.insertOrFind({ ...newOrder, idempotencyDigest })
      if (order.amountFen !== amountFen) throw new Refusal('IDEMPOTENCY_CONFLICT')
      // A replay returns the order as it was created, even if it has been paid since.
      const asCreated = publicOrder({ ...order, state: 'pending', creditedAt: null })
      return { ...asCreated, idempotentReplay: order.orderId !== newOrder.orderId }
    },
    async confirm(projectId: string, orderId: string): Promise<ConfirmedOrder> {
      if (await orders.hasPayment(projectId, orderId)) throw new Refusal('ORDER_NOT_PAYABLE')
      const result = await ledger.credit({ type: 'credit', orderId, projectId, lotId: newId('lot'), at: clock() })
      if (result.kind === 'refused') throw new Refusal(result.code)
      return {
        ...publicOrder({ ...result.order, state: 'credited' }),
        state: 'credited',
        creditLotId: result.lotId,
        creditedAmount: result.order.creditAmount,
        creditKind: 'simulated_prepaid',
        idempotentReplay: false,
      }
    },
    recent: async (projectId: string) =>
      (await orders.recent(projectId, recentOrdersLimit, clock() - lifetimeMs)).map(publicOrder),
    /** Idempotent. */
    async cancel(projectId: string, orderId: string): Promise<ListedOrder> {
      const row = await orders.cancel(projectId, orderId, clock())
      if (!row) throw new Refusal('ORDER_NOT_FOUND')
      if (row.cancelledAt === null) throw new Refusal('ORDER_NOT_PAYABLE')
      return listedOrder(row, clock())
    },
    async read(projectId: string, orderId: string): Promise<ListedOrder> {
      const row = await orders.order(projectId, orderId)
      if (!row) throw new Refusal('ORDER_NOT_FOUND')
      return listedOrder(row, clock())
    },
    page: (projectId: string, query: PageParameters) => orderPage(deps.store, projectId, query, clock()),
  }
}

/** Payment and credit happen in one step, so both have the same time. */
function publicOrder(row: Omit<OrderState, 'state'> & { readonly state: Order['state'] }): Order {
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
    createdAt: isoOf(row.createdAt),
    simulatedPaidAt: creditedAt,
    creditedAt,
  }
}

const lifetimeMs = orderMinutes * minuteMs

/** Adds the outcome of unpaid orders, which the public contract lacks. */
function listedOrder(row: ListedOrderRow, now: number): ListedOrder {
  const { paymentId, createdAt, paymentExpiresAt } = row
  const expiresAt = paymentExpiresAt ?? createdAt + lifetimeMs
  return {
    ...publicOrder(row),
    state: row.state === 'pending' ? unpaidState(row, now >= expiresAt) : row.state,
    expiresAt: isoOf(expiresAt),
    paymentId,
  }
}

function unpaidState({ cancelledAt, paymentState }: ListedOrderRow, isLate: boolean): ListedOrder['state'] {
  if (cancelledAt !== null || paymentState === 'cancelled' || paymentState === 'failed') return 'cancelled'
  // Only the provider can say that a payment in progress has expired.
  return paymentState === 'expired' || (paymentState === null && isLate) ? 'expired' : 'pending'
}

export async function orderPage(
  { orders }: Pick<PaymentStore, 'orders'>,
  projectId: string,
  { after, limit }: PageParameters,
  now: number,
): Promise<OrderPage> {
  const before = after === undefined ? null : positionOf(after)
  const { rows, next } = pageOf(await orders.page(projectId, before, limit + 1), limit, cursorOf)
  return { items: rows.map((row) => listedOrder(row, now)), nextAfter: next }
}

const cursorOf = ({ createdAt, orderId }: OrderPosition): string => `${createdAt}.${orderId}`

function positionOf(after: string): OrderPosition {
  const [createdAt = '', orderId = ''] = after.split('.')
  return { createdAt: Number(createdAt), orderId }
}
