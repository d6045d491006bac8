import { type Static, Type } from 'typebox'
import { Choice, failsWith, named, paymentIdPattern, request } from '../../../contract/field.ts'
import { response } from '../../../contract/operation.ts'
import {
  idParameter,
  ListPage,
  type ListParameters,
  listParameters,
  OrNull,
  operatorAction,
  operatorView,
  projectIdPattern,
  Reason,
  Reference,
  Text,
} from '../../../operator-kit/operation.ts'
import { Payment, paymentStates } from '../../billing/payments/contract.ts'

const refundStates = ['pending', 'refunded', 'returned', 'review'] as const
const refundIdPattern = '^rfd_[0-9A-Za-z]{20}$'

const { idempotentReplay: _, ...shown } = Payment.properties
const payment = {
  ...shown,
  projectId: Type.String({ pattern: projectIdPattern }),
  transactionId: OrNull(Text(), 'Of the provider.'),
  note: OrNull(Text(), 'Why it failed or is in review.'),
}
const OperatedPayment = named('OperatedPayment', payment)
const PaymentRefund = named('PaymentRefund', {
  refundId: Text(),
  amountFen: Type.Integer({ minimum: 1 }),
  credits: Type.Integer({ minimum: 1 }),
  reference: Text(),
  state: Choice(refundStates, {
    description:
      'pending: it waits for an approval or the provider. returned: the credits are available again. review: only the provider knows what happened.',
  }),
  note: OrNull(Text(), 'What the provider said.'),
})
const PaymentWithRefunds = named('PaymentWithRefunds', {
  ...payment,
  refunds: Type.Array(PaymentRefund, { maxItems: 1000 }),
})
const OperatedPaymentPage = ListPage('OperatedPaymentPage', OperatedPayment)

export const RefundPaymentRequest = request('RefundPaymentRequest', {
  amountFen: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'A multiple of 10.',
    ...failsWith('REFUND_AMOUNT_INVALID'),
  }),
  reference: Reference(),
  reason: Reason(),
})
const RefundRequested = named('RefundRequested', {
  ...PaymentRefund.properties,
  paymentId: Type.String({ pattern: paymentIdPattern }),
  replayed: Type.Boolean({ description: 'True if this reference was used before; nothing was refunded again.' }),
  approvalId: OrNull(Text(), 'Set while it waits for a second operator.'),
})

export const DecideRefundRequest = request('DecideRefundRequest', {
  outcome: Choice(['refunded', 'returned'], {
    description:
      'refunded: the provider paid the money back, and the credits are gone. returned: it did not, and the credits are available again.',
    ...failsWith('REFUND_OUTCOME_INVALID'),
  }),
  reason: Reason(),
})
const RefundDecided = named('RefundDecided', {
  ...PaymentRefund.properties,
  paymentId: Type.String({ pattern: paymentIdPattern }),
  approvalId: OrNull(Text(), 'Set while it waits for a second operator.'),
})

const paymentExample: Static<typeof OperatedPayment> = {
  paymentId: 'pay_0VVm8xQ2001aK4tRw9Zb',
  orderId: 'ord_9kD4nV6tHs1B',
  amountFen: 2000,
  credits: 200,
  method: 'wechat',
  display: 'qr',
  state: 'paid',
  qrText: 'weixin://wxpay/bizpayurl?pr=p4lpSuKzz',
  redirectUrl: null,
  expiresAt: '2026-09-03T08:20:00.000Z',
  createdAt: '2026-09-03T08:05:00.000Z',
  paidAt: '2026-09-03T08:06:10.000Z',
  creditedAt: '2026-09-03T08:06:11.000Z',
  projectId: 'prj_2kL6nP0qS3tU7vY9aC1dG5',
  transactionId: '4200002468202609031234567890',
  note: null,
}
const refundExample: Static<typeof PaymentRefund> = {
  refundId: 'rfd_0VVm9aB2001cD4eFg5Hi',
  amountFen: 500,
  credits: 50,
  reference: 'ticket 118',
  state: 'refunded',
  note: null,
}
const ofPayment = { paymentId: idParameter(paymentIdPattern, 'PAYMENT_NOT_FOUND', paymentExample.paymentId) }
export const operatedPaymentOperations = [
  operatorView({
    id: 'operator.payments.list',
    tag: 'Payments',
    path: '/api/payments',
    summary: 'List payments',
    description: 'The newest first.',
    queryParameters: {
      ...listParameters(paymentIdPattern),
      state: Choice(paymentStates),
      refunds: Choice(['review'], { description: 'Only those with a refund in review.' }),
    },
    response: response(200, 'A page of them.', OperatedPaymentPage, { items: [paymentExample], nextAfter: null }),
  }),
  operatorView({
    id: 'operator.payments.show',
    tag: 'Payments',
    path: '/api/payments/{paymentId}',
    summary: 'Show a payment and its refunds',
    pathParameters: ofPayment,
    response: response(200, 'The payment.', PaymentWithRefunds, { ...paymentExample, refunds: [refundExample] }),
    ownErrors: ['PAYMENT_NOT_FOUND'],
  }),
  operatorAction({
    id: 'operator.payments.refund',
    tag: 'Payments',
    path: '/api/payments/{paymentId}/refund',
    summary: 'Refund a payment',
    description:
      'The credits are held first, then the provider is asked. Once per payment and reference. Above `operators.approvalAboveCredits` it waits for a second operator before the provider is asked (202); so does one with which the operator would refund, or in the project would be refunded, more than that within 24 hours without an approval.',
    permission: 'credits',
    pathParameters: ofPayment,
    request: RefundPaymentRequest,
    requestExample: { amountFen: 500, reference: 'ticket 118', reason: 'The payer asked for it.' },
    responses: [
      response(200, 'The refund, with its state.', RefundRequested, {
        ...refundExample,
        paymentId: paymentExample.paymentId,
        replayed: false,
        approvalId: null,
      }),
      response(202, 'It waits for a second operator.', RefundRequested, {
        ...refundExample,
        state: 'pending',
        paymentId: paymentExample.paymentId,
        replayed: false,
        approvalId: 'apv_0M1n2O3p4Q5r6S7t8U9v',
      }),
    ],
    ownErrors: [
      'PAYMENT_NOT_FOUND',
      'REFUND_AMOUNT_INVALID',
      'INSUFFICIENT_CREDITS',
      'REASON_INVALID',
      'REFERENCE_INVALID',
      'REFERENCE_ALREADY_USED',
    ],
  }),
  operatorAction({
    id: 'operator.refunds.decide',
    tag: 'Payments',
    path: '/api/refunds/{refundId}/decide',
    summary: 'End a refund in review',
    description:
      'For a refund whose outcome only the provider knows: look there first. Above `operators.approvalAboveCredits` it waits for a second operator (202); so does one with which the operator would decide, or in the project would be decided, about more than that within 24 hours without an approval.',
    permission: 'credits',
    pathParameters: { refundId: idParameter(refundIdPattern, 'REFUND_NOT_FOUND', refundExample.refundId) },
    request: DecideRefundRequest,
    requestExample: { outcome: 'refunded', reason: 'The merchant platform shows it as paid back.' },
    responses: [
      response(200, 'The refund has ended.', RefundDecided, {
        ...refundExample,
        paymentId: paymentExample.paymentId,
        approvalId: null,
      }),
      response(202, 'It waits for a second operator.', RefundDecided, {
        ...refundExample,
        state: 'review',
        paymentId: paymentExample.paymentId,
        approvalId: 'apv_0M1n2O3p4Q5r6S7t8U9v',
      }),
    ],
    ownErrors: ['REFUND_NOT_FOUND', 'REFUND_OUTCOME_INVALID', 'REFUND_NOT_IN_REVIEW', 'REASON_INVALID'],
  }),
]

export type OperatedPayment = Static<typeof OperatedPayment>
export type PaymentRefund = Static<typeof PaymentRefund>
export type RefundPaymentRequest = Static<typeof RefundPaymentRequest>
export type DecideRefundRequest = Static<typeof DecideRefundRequest>
export interface PaymentListParameters extends ListParameters {
  readonly state?: OperatedPayment['state']
  readonly refunds?: 'review'
}
