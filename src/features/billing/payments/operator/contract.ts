import { type Static, Type } from '../../../../base/schema.ts'
import { Choice, failsWith, named, paymentIdPattern, request } from '../../../../contract/field.ts'
import { response } from '../../../../contract/operation.ts'
import { Page } from '../../../../contract/paging.ts'
import {
  type CommandGiven,
  Count,
  idParameter,
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
} from '../../../../operator-kit/operation.ts'
import { Payment, paymentStates } from '../contract.ts'
import { differenceKinds } from '../differences.ts'

const refundStates = ['pending', 'refunded', 'returned', 'review'] as const
const refundIdPattern = '^rfd_[0-9A-Za-z]{20}$'

const { idempotentReplay: _, ...shown } = Payment.properties
const payment = {
  ...shown,
  projectId: Type.String({ pattern: projectIdPattern }),
  transactionId: OrNull(Text(), 'Of the provider.'),
  note: OrNull(Text(), 'Why it failed or is in review.'),
}
const uncreditedStates = ['open', 'crediting', 'credited', 'refunding', 'refunded', 'review'] as const
const UncreditedPayment = named('UncreditedPayment', {
  transactionId: Text('Of the provider.'),
  amountFen: Count('What was paid.'),
  currency: Text(),
  returnedFen: OrNull(Count(), 'Refunded at the provider by hand; null if it does not say how much.'),
  paidAt: Time(),
  state: Choice(uncreditedStates, {
    description:
      'open: an operator has to end it. crediting, refunding: the outcome is being carried out. review: only the provider knows whether the refund was carried out.',
  }),
  note: OrNull(Text(), 'What the provider said last.'),
  refundId: OrNull(Text()),
  decidedBy: OrNull(Text()),
  reason: OrNull(Text()),
})
const listed = {
  ...payment,
  uncredited: Type.Array(UncreditedPayment, {
    maxItems: 100,
    description: 'Money that was received and not credited: of a payment in review, or once more for a paid order.',
  }),
  approvalId: OrNull(Text(), 'Set while something about it waits for a second operator.'),
}
const OperatedPayment = named('OperatedPayment', listed)
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
  ...listed,
  refunds: Type.Array(PaymentRefund, { maxItems: 1000 }),
})
const OperatedPaymentPage = Page('OperatedPaymentPage', OperatedPayment)

export const RefundPaymentRequest = request('RefundPaymentRequest', {
  amountFen: Type.Integer({
    minimum: 10,
    maximum: Number.MAX_SAFE_INTEGER,
    multipleOf: 10,
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

export const EndPaymentRequest = request('EndPaymentRequest', {
  outcome: Choice(['credit', 'refund'], {
    description: 'credit: what was paid is credited. refund: it is paid back at the provider.',
    ...failsWith('PAYMENT_OUTCOME_INVALID'),
  }),
  reason: Reason(),
})
const PaymentEnded = named('PaymentEnded', {
  ...listed,
  outcome: Choice(['credit', 'refund']),
  endedFen: Count('What was paid and is ended.'),
})

const ofPayment = { paymentId: idParameter(paymentIdPattern, 'PAYMENT_NOT_FOUND') }
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
      decision: Choice(['open'], { description: 'Only those that an operator has to end: in review, or paid twice.' }),
    },
    response: response(200, 'A page of them.', OperatedPaymentPage),
  }),
  operatorView({
    id: 'operator.payments.show',
    tag: 'Payments',
    path: '/api/payments/{paymentId}',
    summary: 'Show a payment and its refunds',
    pathParameters: ofPayment,
    response: response(200, 'The payment.', PaymentWithRefunds),
    ownErrors: ['PAYMENT_NOT_FOUND'],
  }),
  operatorAction({
    id: 'operator.payments.refund',
    tag: 'Payments',
    path: '/api/payments/{paymentId}/refund',
    summary: 'Refund a payment',
    description:
      'The credits are held first, then the provider is asked. Once per payment and reference. Above `operators.approvalAboveCredits` it waits for a second operator before the provider is asked (202); so does one with which the operator, or all operators in the project, would take out more than that within 24 hours without an approval, withdrawals included.',
    permission: 'credits',
    pathParameters: ofPayment,
    request: RefundPaymentRequest,
    commands: [
      {
        usage: 'payments refund <paymentId> <amountFen>',
        says: (refund: RefundRequested) =>
          [refundText(refund), ...(refund.approvalId === null ? [] : [approvalText(refund.approvalId)])].join(' '),
        isFailure: ({ state }: RefundRequested) => state !== 'refunded' && state !== 'pending',
      },
    ],
    responses: [
      response(200, 'The refund, with its state.', RefundRequested),
      response(202, 'It waits for a second operator.', RefundRequested),
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
    id: 'operator.payments.end',
    tag: 'Payments',
    path: '/api/payments/{paymentId}/end',
    summary: 'End a payment in review, or refund a second payment',
    description:
      'Ends money that was received and not credited, together with its open differences. Above `operators.approvalAboveCredits` it waits for a second operator (202); so does one with which the operator, or all operators in the project, would move more than that in this direction within 24 hours without an approval, grants and withdrawals included.',
    permission: 'credits',
    pathParameters: ofPayment,
    request: EndPaymentRequest,
    commands: [
      {
        usage: 'payments end <paymentId>',
        flags: 'outcome',
        says: ({ paymentId, outcome, endedFen, state, approvalId }: PaymentEnded) =>
          approvalId === null
            ? `${paymentId} is ${state}: ${endedFen} fen, ${outcome}.`
            : `${paymentId} waits. ${approvalText(approvalId)}`,
      },
    ],
    responses: [
      response(200, 'The payment, with what was decided.', PaymentEnded),
      response(202, 'It waits for a second operator.', PaymentEnded),
    ],
    ownErrors: [
      'PAYMENT_NOT_FOUND',
      'PAYMENT_OUTCOME_INVALID',
      'PAYMENT_NOT_IN_REVIEW',
      'PAYMENT_NOT_CREDITABLE',
      'PAYMENT_UNAVAILABLE',
      'REASON_INVALID',
    ],
  }),
  operatorAction({
    id: 'operator.refunds.decide',
    tag: 'Payments',
    path: '/api/refunds/{refundId}/decide',
    summary: 'End a refund in review',
    description:
      'For a refund whose outcome only the provider knows: look there first. Above `operators.approvalAboveCredits` it waits for a second operator (202); so does one with which the operator, or all operators in the project, would move more than that in this direction within 24 hours without an approval, grants and withdrawals included.',
    permission: 'credits',
    pathParameters: { refundId: idParameter(refundIdPattern, 'REFUND_NOT_FOUND') },
    request: DecideRefundRequest,
    commands: [
      decide('refund-done', 'refunded', 'end a refund in review: the provider paid the money back'),
      decide('refund-failed', 'returned', 'end a refund in review: the provider did not; give the credits back'),
    ],
    responses: [
      response(200, 'The refund has ended.', RefundDecided),
      response(202, 'It waits for a second operator.', RefundDecided),
    ],
    ownErrors: ['REFUND_NOT_FOUND', 'REFUND_OUTCOME_INVALID', 'REFUND_NOT_IN_REVIEW', 'REASON_INVALID'],
  }),
]

function decide(name: string, outcome: DecideRefundRequest['outcome'], description: string) {
  return {
    usage: `payments ${name} <refundId>`,
    description,
    fixed: { outcome },
    says: (refund: Static<typeof RefundDecided>) =>
      refund.approvalId === null ? refundText(refund) : approvalText(refund.approvalId),
  }
}

type PaymentEnded = Static<typeof PaymentEnded>
type RefundRequested = Static<typeof RefundRequested>
type DifferenceSettled = Static<typeof DifferenceSettled>

const refundText = ({ refundId, paymentId, state, amountFen, credits }: Static<typeof RefundDecided>) =>
  `${refundId} of ${paymentId} is ${state}: ${amountFen} fen, ${credits} credits.`
const approvalText = (approvalId: string) => `A second operator must approve this: approvals approve ${approvalId}`

export type OperatedPayment = Static<typeof OperatedPayment>
export type PaymentRefund = Static<typeof PaymentRefund>
export type RefundPaymentRequest = Static<typeof RefundPaymentRequest>
export type EndPaymentRequest = Static<typeof EndPaymentRequest>
export type DecideRefundRequest = Static<typeof DecideRefundRequest>
export interface PaymentListParameters extends ListParameters {
  readonly state?: OperatedPayment['state']
  readonly refunds?: 'review'
  readonly decision?: 'open'
}

const datePattern = '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'
const methodPattern = '^[a-z][a-z0-9-]{0,31}$'

const comparison = {
  date: Type.String({ pattern: datePattern, description: 'A day in China.' }),
  method: Type.String({ pattern: methodPattern }),
  comparedAt: Time(),
  bill: Choice(['read', 'none'], { description: 'none: the provider has no bill of this day.' }),
  payments: Count('Payments in the bill.'),
  amountFen: Count('Their sum.'),
  differenceCount: Count(),
  openCount: Count('Differences that an operator still has to settle.'),
  settledCount: Count('Differences that an operator has settled.'),
}
const PaymentComparison = named('PaymentComparison', comparison)
const PaymentDifference = named('PaymentDifference', {
  differenceId: Text('The same in the next comparison, unless the difference has changed.'),
  kind: Choice(differenceKinds),
  paymentId: OrNull(Text()),
  transactionId: OrNull(Text()),
  amountFenHere: OrNull(Count()),
  amountFenThere: OrNull(Count()),
  outcome: Choice(['credited', 'review', 'open', 'settled']),
  settled: OrNull(named('SettledDifference', { by: Text(), at: Time(), reason: Text() })),
})
const DifferenceSettled = named('DifferenceSettled', { difference: PaymentDifference, openCount: Count() })
export const SettleDifferenceRequest = request('SettleDifferenceRequest', {
  differenceId: Type.String({ pattern: '^dif_[0-9a-f]{20}$', ...failsWith('DIFFERENCE_NOT_FOUND') }),
  reason: Reason(),
})
const PaymentComparisonPage = named('PaymentComparisonPage', {
  ...Page('', PaymentComparison).properties,
  methods: Type.Array(Text(), { description: 'Methods that can be compared.' }),
})
const PaymentDifferencePage = named('PaymentDifferencePage', {
  ...Page('', PaymentDifference).properties,
  comparison: PaymentComparison,
})

export const ComparePaymentsRequest = request('ComparePaymentsRequest', {
  date: Type.String({
    pattern: datePattern,
    description: 'A day in China up to today.',
    examples: ['2026-09-03'],
    ...failsWith('DATE_INVALID'),
  }),
  method: Type.Optional(
    Type.String({ pattern: methodPattern, examples: ['simulated'], ...failsWith('PAYMENT_METHOD_INVALID') }),
  ),
})
const ComparedPayments = named('ComparedPayments', { items: Type.Array(PaymentComparison, { maxItems: 10 }) })

const ofComparison = {
  date: idParameter(datePattern, 'COMPARISON_NOT_FOUND'),
  method: idParameter(methodPattern, 'COMPARISON_NOT_FOUND'),
}

export const comparisonOperations = [
  operatorView({
    id: 'operator.payment_comparisons.list',
    tag: 'Payments',
    path: '/api/payment-comparisons',
    summary: 'List the comparisons with the bills of the providers',
    description: 'The last one of each day and method, the newest day first.',
    queryParameters: {
      ...listParameters('^[0-9]{4}-[0-9]{2}-[0-9]{2}\\.[a-z][a-z0-9-]{0,31}$'),
      onlyOpen: Choice(['yes'], { description: 'Only those with differences that a person has to settle.' }),
    },
    response: response(200, 'A page of them.', PaymentComparisonPage),
  }),
  operatorView({
    id: 'operator.payment_comparisons.show',
    tag: 'Payments',
    path: '/api/payment-comparisons/{date}/{method}',
    summary: 'Show a comparison and its differences',
    pathParameters: ofComparison,
    queryParameters: listParameters('^[0-9]{1,9}$'),
    response: response(200, 'A page of its differences.', PaymentDifferencePage),
    ownErrors: ['COMPARISON_NOT_FOUND'],
  }),
  operatorAction({
    id: 'operator.payment_comparisons.run',
    tag: 'Payments',
    path: '/api/payment-comparisons',
    summary: 'Compare a day with the bills of the providers',
    description:
      'All methods, or the one that is named. What was paid there and not here is credited, if the provider confirms it.',
    permission: 'reconcile',
    request: ComparePaymentsRequest,
    responses: [response(200, 'The comparisons.', ComparedPayments)],
    ownErrors: ['DATE_INVALID', 'PAYMENT_METHOD_INVALID', 'BILL_UNAVAILABLE', 'RECONCILE_RUNNING'],
  }),
  operatorAction({
    id: 'operator.payment_comparisons.settle',
    tag: 'Payments',
    path: '/api/payment-comparisons/{date}/{method}/settle',
    summary: 'Mark a difference as settled',
    description:
      'For a difference that was looked into, such as a payment that was paid twice and refunded at the provider. It stays in the list, counts no longer, and stays settled when the day is compared again, unless something about it has changed.',
    permission: 'credits',
    pathParameters: ofComparison,
    request: SettleDifferenceRequest,
    commands: [
      {
        usage: 'payments settle <differenceId>',
        shows: (settled: DifferenceSettled, { params: { date, method } }: CommandGiven) => ({
          date,
          method,
          ...settled,
        }),
        says: ({ date, method, difference, openCount }: DifferenceSettled & Readonly<Record<string, unknown>>) =>
          `${difference.differenceId} is settled; ${openCount} of ${date} and ${method} are still open.`,
      },
    ],
    responses: [response(200, 'The difference, and how many are still open.', DifferenceSettled)],
    ownErrors: ['COMPARISON_NOT_FOUND', 'DIFFERENCE_NOT_FOUND', 'DIFFERENCE_NOT_OPEN', 'REASON_INVALID'],
  }),
]

export type SettleDifferenceRequest = Static<typeof SettleDifferenceRequest>
export type ComparePaymentsRequest = Static<typeof ComparePaymentsRequest>
export type PaymentComparison = Static<typeof PaymentComparison>
export type ShownDifference = Static<typeof PaymentDifference>
export interface ComparisonListParameters extends ListParameters {
  readonly onlyOpen?: 'yes'
}
