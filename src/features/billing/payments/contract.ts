import { type Static, Type } from '../../../base/schema.ts'
import { orderMinutes } from '../../../contract/choices.ts'
import { Choice, DateTime, failsWith, Nullable, named, paymentIdPattern, request } from '../../../contract/field.ts'
import { response } from '../../../contract/operation.ts'
import { view, write } from '../../../contract/operations/access.ts'
import { Page, pageLimit, pageParameters } from '../../../contract/paging.ts'
import { recharge } from '../../../contract/prices.ts'
import { CreateOrderRequest, Order, orderIdPattern } from '../../../contract/schemas/account.ts'

const received = {
  paidFen: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description:
      'What was received, whether it is credited or in review, in hundredths of `paidCurrency`; null if nothing was. It may differ from the amount of the order.',
  }),
  paidCurrency: Type.Union([Type.String({ minLength: 1 }), Type.Null()], {
    description: 'The currency of `paidFen`: CNY, unless it is in review because it was paid in another one.',
  }),
}

/** An order as its payer sees it: with its outcome if it was not paid. */
export const ListedOrder = named('ListedOrder', {
  ...Order.properties,
  state: Choice(['pending', 'simulated_paid', 'credited', 'cancelled', 'expired', 'in_review', 'failed'], {
    description:
      'in_review: what was paid differs, and the operator decides. failed: the provider refused the payment, or what was paid was paid back.',
  }),
  expiresAt: DateTime(
    `Until when it can be paid. An order without a payment expires after ${orderMinutes} minutes. A payment that arrives later is still credited.`,
  ),
  paymentId: Type.Union([Type.String({ pattern: paymentIdPattern }), Type.Null()], {
    description: 'The payment that pays the order; null if none was started.',
  }),
  ...received,
  paidAt: Nullable(
    DateTime('When it was paid, as the provider says. An order without a payment is paid when it is confirmed.'),
  ),
  refundedFen: Type.Integer({ minimum: 0, description: 'What was paid back of the payment.' }),
  extraPayments: Type.Array(
    named('ExtraPayment', {
      amountFen: Type.Integer({ minimum: 0, description: 'In hundredths of `currency`.' }),
      currency: Type.String({ minLength: 1 }),
      paidAt: DateTime('As the provider says.'),
      refundedFen: Type.Integer({ minimum: 0, description: 'What was paid back of it.' }),
    }),
    {
      maxItems: 100,
      description:
        'What else was received for this order, such as a second payment. It brings no credits and is paid back.',
    },
  ),
})

export type ListedOrder = Static<typeof ListedOrder>

export const OrderPage = Page('OrderPage', ListedOrder)

export const orderParameters = pageParameters('^[0-9]{1,15}[.]ord_[A-Za-z0-9]+$')

export type OrderPage = Static<typeof OrderPage>

const orderId = { pattern: orderIdPattern, code: 'ORDER_NOT_FOUND' } as const

export const orderOperations = [
  view({
    id: 'console.orders.list',
    tag: 'Resources',
    path: '/v1/console/orders',
    summary: 'List the recharge orders',
    queryParameters: orderParameters,
    response: response(200, 'A page of orders.', OrderPage),
  }),
  view({
    id: 'console.orders.read',
    tag: 'Resources',
    path: '/v1/console/orders/{orderId}',
    summary: 'Read a recharge order',
    pathParameters: { orderId },
    response: response(200, 'The order.', ListedOrder),
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
    responses: [response(200, 'The cancelled order.', ListedOrder)],
    ownErrors: ['STEP_UP_REQUIRED', 'ORDER_NOT_FOUND', 'ORDER_NOT_PAYABLE'],
  }),
]

export const paymentStates = ['created', 'waiting', 'paid', 'expired', 'cancelled', 'failed', 'review'] as const
export type PaymentState = (typeof paymentStates)[number]

const displays = ['qr', 'redirect'] as const
const text = (description: string) => Type.Union([Type.String({ minLength: 1 }), Type.Null()], { description })

export const Payment = named('Payment', {
  paymentId: Type.String({ pattern: paymentIdPattern }),
  orderId: Type.String({ pattern: orderIdPattern, description: 'The order that the payment pays.' }),
  amountFen: Type.Integer({
    minimum: recharge.minAmountFen,
    description: 'What its credits cost: the amount of the order or, once it is credited as paid, `paidFen`.',
  }),
  orderFen: Type.Integer({ minimum: recharge.minAmountFen, description: 'The amount of the order.' }),
  ...received,
  credits: Type.Integer({ minimum: 1 }),
  method: Type.String({ minLength: 1, description: 'One of the methods that this service offers.' }),
  display: Choice(displays, { description: 'How it is paid: by scanning a code, or on a page of the provider.' }),
  state: Choice(paymentStates, {
    description:
      'created, waiting, then paid; or expired, cancelled, failed, all of which a late payment still turns into paid. review: what was paid differs, and the operator decides.',
  }),
  qrText: text('The text of the QR code.'),
  redirectUrl: text('The page where it is paid.'),
  expiresAt: DateTime(),
  createdAt: DateTime(),
  paidAt: Nullable(DateTime('When it was paid, as the provider says.')),
  creditedAt: Nullable(DateTime('When its credits were added.')),
  idempotentReplay: Type.Boolean({ description: 'True when an earlier payment is returned for its Idempotency-Key.' }),
})
export type Payment = Static<typeof Payment>

const CreatePaymentRequest = request('CreatePaymentRequest', {
  amountFen: CreateOrderRequest.properties.amountFen,
  method: Type.String({ minLength: 1, maxLength: 32, examples: ['simulated'], ...failsWith('PAYMENT_METHOD_INVALID') }),
  display: Type.Optional(Choice(displays, { default: 'qr', ...failsWith('PAYMENT_METHOD_INVALID') })),
})
export type CreatePaymentRequest = Static<typeof CreatePaymentRequest>

const PaymentPage = named('PaymentPage', {
  items: Type.Array(Payment, { maxItems: pageLimit.maximum }),
  nextAfter: Type.Union([Type.String({ minLength: 1 }), Type.Null()], {
    description: 'Send it as `after` for the next page; null when there is none.',
  }),
})
export type PaymentPage = Static<typeof PaymentPage>

const PaymentMethods = named('PaymentMethods', {
  methods: Type.Array(Type.String({ minLength: 1 }), {
    description: 'Methods of payment; none if there is no payment.',
  }),
})

const pathParameters = {
  paymentId: { pattern: paymentIdPattern, code: 'PAYMENT_NOT_FOUND' },
} as const
const one = (status: number) => response(status, 'The payment.', Payment)

export const paymentOperations = [
  view({
    id: 'console.payments.methods',
    tag: 'Payments',
    path: '/v1/console/payment-methods',
    summary: 'List the methods of payment',
    response: response(200, 'The methods.', PaymentMethods),
  }),
  write({
    id: 'console.payments.create',
    tag: 'Payments',
    path: '/v1/console/payments',
    summary: 'Begin a payment',
    description:
      'A payment creates its own order. If the provider did not respond, the state is created and there is no code yet: read the payment again after a few seconds.',
    takesIdempotencyKey: true,
    request: CreatePaymentRequest,
    responses: [one(201)],
    ownErrors: [
      'STEP_UP_REQUIRED',
      'RECHARGE_AMOUNT_INVALID',
      'PAYMENT_METHOD_INVALID',
      'TOO_MANY_OPEN_PAYMENTS',
      'IDEMPOTENCY_KEY_REQUIRED',
      'IDEMPOTENCY_CONFLICT',
    ],
  }),
  view({
    id: 'console.payments.list',
    tag: 'Payments',
    path: '/v1/console/payments',
    summary: 'List the payments',
    queryParameters: {
      after: Type.String({
        pattern: paymentIdPattern,
        maxLength: 80,
        description: 'The nextAfter of the previous page.',
      }),
      limit: Type.Integer({ ...pageLimit, description: 'The maximum number of rows per page.' }),
    },
    response: response(200, 'A page of payments, the newest first.', PaymentPage),
  }),
  view({
    id: 'console.payments.read',
    tag: 'Payments',
    path: '/v1/console/payments/{paymentId}',
    summary: 'Read a payment',
    pathParameters,
    response: one(200),
    ownErrors: ['PAYMENT_NOT_FOUND'],
  }),
  write({
    id: 'console.payments.check',
    tag: 'Payments',
    path: '/v1/console/payments/{paymentId}/check',
    summary: 'Ask the provider now whether it was paid',
    pathParameters,
    responses: [one(202)],
    ownErrors: ['PAYMENT_NOT_FOUND'],
  }),
  write({
    id: 'console.payments.cancel',
    tag: 'Payments',
    path: '/v1/console/payments/{paymentId}/cancel',
    summary: 'Cancel a payment',
    description: 'If it was paid anyway, its credits are still added.',
    pathParameters,
    responses: [one(200)],
    ownErrors: ['STEP_UP_REQUIRED', 'PAYMENT_NOT_FOUND', 'PAYMENT_NOT_CANCELLABLE'],
  }),
]
