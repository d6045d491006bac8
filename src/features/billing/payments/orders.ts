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
import { type Received, receivedOf } from './received.ts'
import type { ListedOrderRow, OrderPosition } from './store/orders.ts'
import type { PaymentStore } from './store/store.ts'
import type { UncreditedRow } from './store/uncredited.ts'

export type Orders = ReturnType<typeof createOrders>

export function createOrders(deps: {
  store: Pick<PaymentStore, 'orders' | 'uncredited'>
  ledger: Ledger
  clock: () => number
  paymentMode: PaymentMode
}) {
  const { ledger, clock, paymentMode, store } = deps
  const { orders, uncredited } = store
  const listed = async (row: ListedOrderRow) => listedOrder(row, await uncredited.ofPayment(row.paymentId), clock())
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
      const row = (await orders.cancel(projectId, orderId, clock())) ?? missingOrder()
      if (row.cancelledAt === null) throw new Refusal('ORDER_NOT_PAYABLE')
      return listed(row)
    },
    async read(projectId: string, orderId: string): Promise<ListedOrder> {
      return listed((await orders.order(projectId, orderId)) ?? missingOrder())
    },
    page: (projectId: string, query: PageParameters) => orderPage(store, projectId, query, clock()),
  }
}

function missingOrder(): never {
  throw new Refusal('ORDER_NOT_FOUND')
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

/** What was received for an order. One without a payment is paid when it is confirmed. */
function receivedFor(row: ListedOrderRow, own: UncreditedRow | undefined): Received {
  const { paymentState: state, paymentFen, paymentNote: note, paidAt, amountFen, creditedAt } = row
  if (state !== null) return receivedOf({ state, amountFen: paymentFen!, paidAt, note }, own ?? null)
  const isPaid = creditedAt !== null
  return { paidFen: isPaid ? amountFen : null, paidCurrency: isPaid ? currency : null, paidAt: creditedAt }
}

/** Adds what the public contract lacks: the outcome of unpaid orders, what was received, refunds, and other payments. */
function listedOrder(row: ListedOrderRow, received: readonly UncreditedRow[], now: number): ListedOrder {
  const { paymentId, createdAt, paymentExpiresAt } = row
  const expiresAt = paymentExpiresAt ?? createdAt + lifetimeMs
  const [own, extra] = [true, false].map((isOwn) =>
    received.filter(({ transactionId }) => (transactionId === row.transactionId) === isOwn),
  )
  const { paidFen, paidCurrency, paidAt: paidAtMs } = receivedFor(row, own![0])
  const paidAt = isoOrNull(paidAtMs)
  return {
    ...publicOrder(row),
    ...{ paidFen, paidCurrency, paidAt, simulatedPaidAt: row.creditedAt === null ? null : paidAt },
    state: row.state === 'pending' ? unpaidState(row, now >= expiresAt) : row.state,
    expiresAt: isoOf(expiresAt),
    paymentId,
    refundedFen: row.refundedFen + own!.reduce((sum, one) => sum + paidBack(one), 0),
    extraPayments: extra!.map((one) => ({
      ...{ amountFen: one.amountFen, currency: one.currency, paidAt: isoOf(one.paidAt), refundedFen: paidBack(one) },
    })),
  }
}

/** By us, or at the provider by hand. */
const paidBack = ({ state, amountFen, returnedFen }: UncreditedRow) =>
  state === 'refunded' ? amountFen : (returnedFen ?? 0)

function unpaidState({ cancelledAt, paymentState }: ListedOrderRow, isLate: boolean): ListedOrder['state'] {
  if (paymentState === 'review') return 'in_review'
  if (paymentState === 'failed') return 'failed'
  if (cancelledAt !== null || paymentState === 'cancelled') return 'cancelled'
  // Only the provider can say that a payment in progress has expired.
  return paymentState === 'expired' || (paymentState === null && isLate) ? 'expired' : 'pending'
}

export async function orderPage(
  { orders, uncredited }: Pick<PaymentStore, 'orders' | 'uncredited'>,
  projectId: string,
  { after, limit }: PageParameters,
  now: number,
): Promise<OrderPage> {
  const before = after === undefined ? null : positionOf(after)
  const { rows, next } = pageOf(await orders.page(projectId, before, limit + 1), limit, cursorOf)
  const received = Map.groupBy(await uncredited.ofProject(projectId), ({ paymentId }) => paymentId)
  const items = rows.map((row) => listedOrder(row, received.get(row.paymentId ?? '') ?? [], now))
  return { items, nextAfter: next }
}

const cursorOf = ({ createdAt, orderId }: OrderPosition): string => `${createdAt}.${orderId}`

function positionOf(after: string): OrderPosition {
  const [createdAt = '', orderId = ''] = after.split('.')
  return { createdAt: Number(createdAt), orderId }
}
