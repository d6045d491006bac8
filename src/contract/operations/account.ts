import { examples } from '../examples.ts'
import { response } from '../operation.ts'
import { ConfirmedOrder, CreatedOrder, CreateOrderRequest, Me, orderIdPattern } from '../schemas/account.ts'
import { view, write } from './access.ts'

export const accountOperations = [
  view({
    id: 'account.get',
    tag: 'Account',
    path: '/v1/me',
    summary: 'Read the current account',
    description:
      'Account, project, credits, recent orders and keys. Each read returns a new CSRF token that replaces the previous one.',
    response: response(200, 'The current account.', Me, examples.me),
  }),
]

export const orderOperations = [
  write({
    id: 'orders.create',
    tag: 'Recharge',
    path: '/v1/orders',
    summary: 'Create a recharge order',
    description:
      'Fixes the amount, the rate and the price version. The same Idempotency-Key with the same amount returns the same order.',
    takesIdempotencyKey: true,
    request: CreateOrderRequest,
    requestExample: { amountFen: examples.order.amountFen },
    responses: [response(201, 'The pending order.', CreatedOrder, { ...examples.order, idempotentReplay: false })],
    ownErrors: [
      'RECHARGE_AMOUNT_INVALID',
      'IDEMPOTENCY_KEY_REQUIRED',
      'STEP_UP_REQUIRED',
      'SIMULATED_PAYMENT_DISABLED',
      'IDEMPOTENCY_CONFLICT',
    ],
  }),
  write({
    id: 'orders.confirm',
    tag: 'Recharge',
    path: '/v1/orders/{orderId}/confirm',
    summary: 'Confirm a recharge order',
    description:
      'Simulates the payment and credits the project exactly once. For local acceptance only: it is not evidence of a real payment.',
    pathParameters: { orderId: { pattern: orderIdPattern, code: 'ORDER_NOT_FOUND', example: examples.order.orderId } },
    responses: [response(200, 'The credited order.', ConfirmedOrder, examples.confirmedOrder)],
    ownErrors: [
      'STEP_UP_REQUIRED',
      'SIMULATED_PAYMENT_DISABLED',
      'ORDER_NOT_FOUND',
      'ORDER_NOT_PAYABLE',
      'ORDER_CONFIRM_CONFLICT',
      'ORDER_CREDIT_CONFLICT',
    ],
  }),
]
