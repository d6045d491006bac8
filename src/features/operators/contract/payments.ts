import { type Static, Type } from 'typebox'
import { Choice, failsWith, named, paymentIdPattern, request } from '../../../contract/field.ts'
import { answer } from '../../../contract/operation.ts'
import { Payment, paymentStates } from '../../payments/contract.ts'
import { differenceKinds } from '../../payments/differences.ts'
import {
  Count,
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
  Time,
} from './operation.ts'

const refundStates = ['pending', 'refunded', 'returned', 'review'] as const
const datePattern = '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'
const methodPattern = '^[a-z][a-z0-9-]{0,31}$'

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

const comparison = {
  date: Type.String({ pattern: datePattern, description: 'A day in China.' }),
  method: Type.String({ pattern: methodPattern }),
  comparedAt: Time(),
  bill: Choice(['read', 'none'], { description: 'none: the provider has no bill of this day.' }),
  payments: Count('Payments in the bill.'),
  amountFen: Count('Their sum.'),
  differenceCount: Count(),
  openCount: Count('Differences that only a person can resolve.'),
}
const PaymentComparison = named('PaymentComparison', comparison)
const PaymentDifference = named('PaymentDifference', {
  kind: Choice(differenceKinds),
  paymentId: OrNull(Text()),
  transactionId: OrNull(Text()),
  amountFenHere: OrNull(Count()),
  amountFenThere: OrNull(Count()),
  outcome: Choice(['credited', 'review', 'open']),
})
const PaymentComparisonPage = named('PaymentComparisonPage', {
  ...ListPage('', PaymentComparison).properties,
  methods: Type.Array(Text(), { description: 'Methods that can be compared.' }),
})
const PaymentDifferencePage = named('PaymentDifferencePage', {
  ...ListPage('', PaymentDifference).properties,
  comparison: PaymentComparison,
})

export const ComparePaymentsRequest = request('ComparePaymentsRequest', {
  date: Type.String({ pattern: datePattern, description: 'A day in China up to today.', ...failsWith('DATE_INVALID') }),
  method: Type.Optional(Type.String({ pattern: methodPattern, ...failsWith('PAYMENT_METHOD_INVALID') })),
})
const ComparedPayments = named('ComparedPayments', { items: Type.Array(PaymentComparison, { maxItems: 10 }) })

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
const comparisonExample: Static<typeof PaymentComparison> = {
  date: '2026-09-03',
  method: 'wechat',
  comparedAt: '2026-09-04T02:00:00.000Z',
  bill: 'read',
  payments: 120,
  amountFen: 240_000,
  differenceCount: 1,
  openCount: 0,
}
const ofPayment = { paymentId: idParameter(paymentIdPattern, 'PAYMENT_NOT_FOUND', paymentExample.paymentId) }
const ofComparison = {
  date: idParameter(datePattern, 'COMPARISON_NOT_FOUND', comparisonExample.date),
  method: idParameter(methodPattern, 'COMPARISON_NOT_FOUND', comparisonExample.method),
}

export const operatedPaymentOperations = [
  operatorView({
    id: 'operator.payments.list',
    tag: 'Payments',
    path: '/api/payments',
    summary: 'List payments',
    description: 'Newest first.',
    queryParameters: { ...listParameters(paymentIdPattern), state: Choice(paymentStates) },
    answer: answer(200, 'A page of them.', OperatedPaymentPage, { items: [paymentExample], nextAfter: null }),
  }),
  operatorView({
    id: 'operator.payments.show',
    tag: 'Payments',
    path: '/api/payments/{paymentId}',
    summary: 'Show a payment and its refunds',
    pathParameters: ofPayment,
    answer: answer(200, 'The payment.', PaymentWithRefunds, { ...paymentExample, refunds: [refundExample] }),
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
    answers: [
      answer(200, 'The refund, with its state.', RefundRequested, {
        ...refundExample,
        paymentId: paymentExample.paymentId,
        replayed: false,
        approvalId: null,
      }),
      answer(202, 'It waits for a second operator.', RefundRequested, {
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
  operatorView({
    id: 'operator.payment_comparisons.list',
    tag: 'Payments',
    path: '/api/payment-comparisons',
    summary: 'List the comparisons with the bills of the providers',
    description: 'The last one of each day and method, newest day first.',
    queryParameters: {
      ...listParameters('^[0-9]{4}-[0-9]{2}-[0-9]{2}\\.[a-z][a-z0-9-]{0,31}$'),
      onlyOpen: Choice(['yes'], { description: 'Only those with differences that a person has to resolve.' }),
    },
    answer: answer(200, 'A page of them.', PaymentComparisonPage, {
      items: [comparisonExample],
      nextAfter: null,
      methods: ['wechat'],
    }),
  }),
  operatorView({
    id: 'operator.payment_comparisons.show',
    tag: 'Payments',
    path: '/api/payment-comparisons/{date}/{method}',
    summary: 'Show a comparison and its differences',
    pathParameters: ofComparison,
    queryParameters: listParameters('^[0-9]{1,9}$'),
    answer: answer(200, 'A page of its differences.', PaymentDifferencePage, {
      items: [
        {
          kind: 'not_here',
          paymentId: paymentExample.paymentId,
          transactionId: paymentExample.transactionId,
          amountFenHere: 2000,
          amountFenThere: 2000,
          outcome: 'credited',
        },
      ],
      nextAfter: null,
      comparison: comparisonExample,
    }),
    ownErrors: ['COMPARISON_NOT_FOUND'],
  }),
  operatorAction({
    id: 'operator.payment_comparisons.run',
    tag: 'Payments',
    path: '/api/payment-comparisons',
    summary: 'Compare a day with the bills of the providers',
    description:
      'All methods, or the one named. Payments that are only in the bill are credited if the provider confirms them.',
    permission: 'reconcile',
    request: ComparePaymentsRequest,
    requestExample: { date: '2026-09-03' },
    answers: [answer(200, 'The comparisons.', ComparedPayments, { items: [comparisonExample] })],
    ownErrors: ['DATE_INVALID', 'PAYMENT_METHOD_INVALID', 'BILL_UNAVAILABLE', 'RECONCILE_RUNNING'],
  }),
]

export type OperatedPayment = Static<typeof OperatedPayment>
export type PaymentRefund = Static<typeof PaymentRefund>
export type RefundPaymentRequest = Static<typeof RefundPaymentRequest>
export type ComparePaymentsRequest = Static<typeof ComparePaymentsRequest>
export type PaymentComparison = Static<typeof PaymentComparison>
export type ShownDifference = Static<typeof PaymentDifference>
export interface PaymentListParameters extends ListParameters {
  readonly state?: OperatedPayment['state']
}
export interface ComparisonListParameters extends ListParameters {
  readonly onlyOpen?: 'yes'
}
