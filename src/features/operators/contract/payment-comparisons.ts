import { type Static, Type } from 'typebox'
import { Choice, failsWith, named, request } from '../../../contract/field.ts'
import { response } from '../../../contract/operation.ts'
import {
  Count,
  idParameter,
  ListPage,
  type ListParameters,
  listParameters,
  OrNull,
  operatorAction,
  operatorView,
  Reason,
  Text,
  Time,
} from '../../../operator-kit/operation.ts'
import { differenceKinds } from '../../billing/payments/differences.ts'

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

const comparisonExample: Static<typeof PaymentComparison> = {
  date: '2026-09-03',
  method: 'wechat',
  comparedAt: '2026-09-04T02:00:00.000Z',
  bill: 'read',
  payments: 120,
  amountFen: 240_000,
  differenceCount: 1,
  openCount: 0,
  settledCount: 0,
}
const differenceExample: Static<typeof PaymentDifference> = {
  differenceId: 'dif_2c26b46b68ffc68ff99b',
  kind: 'not_here',
  paymentId: 'pay_0VVm8xQ2001aK4tRw9Zb',
  transactionId: '4200002468202609031234567890',
  amountFenHere: 2000,
  amountFenThere: 2000,
  outcome: 'credited',
  settled: null,
}
const ofComparison = {
  date: idParameter(datePattern, 'COMPARISON_NOT_FOUND', comparisonExample.date),
  method: idParameter(methodPattern, 'COMPARISON_NOT_FOUND', comparisonExample.method),
}

/** The comparison with the bills of the payment providers. */
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
    response: response(200, 'A page of them.', PaymentComparisonPage, {
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
    response: response(200, 'A page of its differences.', PaymentDifferencePage, {
      items: [differenceExample],
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
      'All methods, or the one that is named. What was paid there and not here is credited, if the provider confirms it.',
    permission: 'reconcile',
    request: ComparePaymentsRequest,
    requestExample: { date: '2026-09-03' },
    responses: [response(200, 'The comparisons.', ComparedPayments, { items: [comparisonExample] })],
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
    requestExample: { differenceId: differenceExample.differenceId, reason: 'Refunded in the merchant platform.' },
    responses: [
      response(200, 'The difference, and how many are still open.', DifferenceSettled, {
        difference: {
          ...differenceExample,
          kind: 'paid_twice',
          outcome: 'settled',
          settled: { by: 'mei', at: '2026-09-04T03:00:00.000Z', reason: 'Refunded in the merchant platform.' },
        },
        openCount: 0,
      }),
    ],
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
