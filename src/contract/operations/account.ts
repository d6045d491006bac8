import { examples } from '../examples.ts'
import { EmptyRequest } from '../field.ts'
import type { Operation } from '../operation.ts'
import { ConfirmedOrder, CreatedOrder, CreateOrderRequest, Me, orderIdPattern } from '../schemas/account.ts'
import { errorsOf } from './access.ts'

export const accountOperations: Operation[] = [
  {
    id: 'account.get',
    tag: 'Account',
    method: 'GET',
    path: '/v1/me',
    access: 'session',
    summary: 'Read the current account',
    description:
      'Account, project, credits, recent orders and keys. Each read returns a new CSRF token that replaces the previous one.',
    takesIdempotencyKey: false,
    responses: [
      {
        status: 200,
        description: 'The current account.',
        contentType: 'application/json',
        schema: Me,
        example: examples.me,
      },
    ],
    errors: errorsOf('session'),
  },
]

const shared = { tag: 'Recharge', method: 'POST', access: 'session-write' } as const
const json = 'application/json' as const

export const orderOperations: Operation[] = [
  {
    ...shared,
    id: 'orders.create',
    path: '/v1/orders',
    summary: 'Create a recharge order',
    description:
      'Fixes the amount, the rate and the price version. The same Idempotency-Key with the same amount returns the same order.',
    takesIdempotencyKey: true,
    request: CreateOrderRequest,
    requestExample: { amountFen: examples.order.amountFen },
    responses: [
      {
        status: 201,
        description: 'The pending order.',
        contentType: json,
        schema: CreatedOrder,
        example: { ...examples.order, idempotentReplay: false },
      },
    ],
    errors: errorsOf('session-write', [
      'RECHARGE_AMOUNT_INVALID',
      'IDEMPOTENCY_KEY_REQUIRED',
      'SIMULATED_PAYMENT_DISABLED',
      'IDEMPOTENCY_CONFLICT',
    ]),
  },
  {
    ...shared,
    id: 'orders.confirm',
    path: '/v1/orders/{orderId}/confirm',
    summary: 'Confirm a recharge order',
    description:
      'Simulates the payment and credits the project exactly once. For local acceptance only: it is not evidence of a real payment.',
    takesIdempotencyKey: false,
    pathParameters: { orderId: { pattern: orderIdPattern, code: 'ORDER_NOT_FOUND', example: examples.order.orderId } },
    request: EmptyRequest(),
    requestExample: {},
    responses: [
      {
        status: 200,
        description: 'The credited order.',
        contentType: json,
        schema: ConfirmedOrder,
        example: examples.confirmedOrder,
      },
    ],
    errors: errorsOf('session-write', [
      'SIMULATED_PAYMENT_DISABLED',
      'ORDER_NOT_FOUND',
      'ORDER_NOT_PAYABLE',
      'ORDER_CONFIRM_CONFLICT',
      'ORDER_CREDIT_CONFLICT',
    ]),
  },
]
