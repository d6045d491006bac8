import type { Static } from 'typebox'
import { examples } from '../../contract/examples.ts'
import { answer } from '../../contract/operation.ts'
import { view } from '../../contract/operations/access.ts'
import { Page, pageParameters } from '../../contract/paging.ts'
import { Order, orderIdPattern } from '../../contract/schemas/account.ts'

export const OrderPage = Page('OrderPage', Order)

export const orderParameters = pageParameters('^[0-9]{1,15}[.]ord_[A-Za-z0-9]+$')

export type OrderPage = Static<typeof OrderPage>

const order = examples.me.latestOrder!

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
    pathParameters: { orderId: { pattern: orderIdPattern, code: 'ORDER_NOT_FOUND', example: order.orderId } },
    answer: answer(200, 'The order.', Order, order),
    ownErrors: ['ORDER_NOT_FOUND'],
  }),
]
