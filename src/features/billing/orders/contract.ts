import { type Static, Type } from 'typebox'
import { minuteMs } from '../../../base/time.ts'
import { orderMinutes } from '../../../contract/choices.ts'
import { examples } from '../../../contract/examples.ts'
import { Choice, DateTime, named, paymentIdPattern } from '../../../contract/field.ts'
import { answer } from '../../../contract/operation.ts'
import { view, write } from '../../../contract/operations/access.ts'
import { Page, pageParameters } from '../../../contract/paging.ts'
import { Order, orderIdPattern } from '../../../contract/schemas/account.ts'

/** An order as its payer sees it: with what became of it if it was not paid. */
export const ListedOrder = named('ListedOrder', {
  ...Order.properties,
  state: Choice(['pending', 'simulated_paid', 'credited', 'cancelled', 'expired']),
  expiresAt: DateTime(
    `Until when it can be paid. An order without a payment expires after ${orderMinutes} minutes. A payment that arrives later is still credited.`,
  ),
  paymentId: Type.Union([Type.String({ pattern: paymentIdPattern }), Type.Null()], {
    description: 'The payment that pays the order; null if none was started.',
  }),
})

export type ListedOrder = Static<typeof ListedOrder>

export const OrderPage = Page('OrderPage', ListedOrder)

export const orderParameters = pageParameters('^[0-9]{1,15}[.]ord_[A-Za-z0-9]+$')

export type OrderPage = Static<typeof OrderPage>

export const listedOrderExample: ListedOrder = {
  ...examples.me.latestOrder!,
  expiresAt: new Date(Date.parse(examples.me.latestOrder!.createdAt) + orderMinutes * minuteMs).toISOString(),
  paymentId: null,
}
const order = listedOrderExample
const unpaid = { simulatedPaidAt: null, creditedAt: null }
const orderId = { pattern: orderIdPattern, code: 'ORDER_NOT_FOUND', example: order.orderId } as const

/** The orders of a project, for its console. */
export const orderListOperations = [
  view({
    id: 'console.orders.list',
    tag: 'Resources',
    path: '/v1/console/orders',
    summary: 'List the recharge orders',
    queryParameters: orderParameters,
    answer: answer(200, 'A page of orders.', OrderPage, { items: [order], nextCursor: null }),
  }),
  view({
    id: 'console.orders.read',
    tag: 'Resources',
    path: '/v1/console/orders/{orderId}',
    summary: 'Read a recharge order',
    pathParameters: { orderId },
    answer: answer(200, 'The order.', ListedOrder, order),
    ownErrors: ['ORDER_NOT_FOUND'],
  }),
  write({
    id: 'console.orders.cancel',
    tag: 'Resources',
    path: '/v1/console/orders/{orderId}/cancel',
    summary: 'Cancel an unpaid recharge order',
    description:
      'For orders without a payment. The order can then no longer be confirmed. Cancelling it again changes nothing.',
    pathParameters: { orderId },
    answers: [answer(200, 'The cancelled order.', ListedOrder, { ...order, ...unpaid, state: 'cancelled' })],
    ownErrors: ['STEP_UP_REQUIRED', 'ORDER_NOT_FOUND', 'ORDER_NOT_PAYABLE'],
  }),
]
