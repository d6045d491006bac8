import { chargeIdPattern } from '../../../contract/field.ts'
import { response } from '../../../contract/operation.ts'
import { view } from '../../../contract/operations/access.ts'
import {
  ChargeDetails,
  ChargePage,
  DailyParts,
  DailyUsage,
  dailyParameters,
  LedgerPage,
  ledgerParameters,
  outcomeParameters,
  partParameters,
  ReviewPage,
  reviewParameters,
  UsageOutcomes,
  usageParameters,
} from './contract.ts'
import { exportOperations } from './exports-contract.ts'
import { Catalog, Overview } from './overview-contract.ts'

export const reportOperations = [
  view({
    id: 'console.overview',
    tag: 'Overview',
    path: '/v1/console/overview',
    summary: 'See where the project stands',
    response: response(200, 'The overview.', Overview),
  }),
  view({
    id: 'console.usage.list',
    tag: 'Usage',
    path: '/v1/console/usage',
    summary: 'List the billable calls',
    description:
      'Newest first. With a filter a page can be shorter than its limit, even empty, while nextAfter says that there is more to look through.',
    queryParameters: usageParameters,
    response: response(200, 'A page of charges.', ChargePage),
  }),
  view({
    id: 'console.usage.daily',
    tag: 'Usage',
    path: '/v1/console/usage/daily',
    summary: 'See what was settled by day and operation',
    description:
      'Calls and credits by the day of the settlement. With `keyId` or `state`: of the calls that pass the filter (settled ones, where no state is named), by the day of the reservation.',
    queryParameters: dailyParameters,
    response: response(200, 'Calls and credits by day.', DailyUsage),
  }),
  view({
    id: 'console.usage.parts',
    tag: 'Usage',
    path: '/v1/console/usage/parts',
    summary: 'See calls and credits by day and key or model',
    description:
      'Of the calls that pass the filter (settled ones, where no state is named), by the day of the reservation.',
    queryParameters: partParameters,
    response: response(200, 'Calls and credits by day.', DailyParts),
  }),
  view({
    id: 'console.usage.outcomes',
    tag: 'Usage',
    path: '/v1/console/usage/outcomes',
    summary: 'See how many calls succeeded and failed',
    description: 'Of the calls that were reserved on these days in Shanghai; of today, where no day is named.',
    queryParameters: outcomeParameters,
    response: response(200, 'How the calls ended.', UsageOutcomes),
  }),
  view({
    id: 'console.usage.read',
    tag: 'Usage',
    path: '/v1/console/usage/{chargeId}',
    summary: 'Read the details of a call',
    pathParameters: {
      chargeId: { pattern: chargeIdPattern, code: 'NOT_FOUND' },
    },
    response: response(200, 'The details.', ChargeDetails),
    ownErrors: ['NOT_FOUND'],
  }),
  view({
    id: 'console.reviews.list',
    tag: 'Usage',
    path: '/v1/console/reviews',
    summary: 'List the calls held for review',
    description: 'Newest first. Their credits stay reserved until an operator decides.',
    queryParameters: reviewParameters,
    response: response(200, 'A page of reviews.', ReviewPage),
  }),
  view({
    id: 'console.ledger.list',
    tag: 'Ledger',
    path: '/v1/console/ledger',
    summary: 'List the entries of the ledger',
    description:
      'Newest first, each with the balance after it. With a filter a page can be shorter than its limit, even empty, while nextAfter says that there is more to look through.',
    queryParameters: ledgerParameters,
    response: response(200, 'A page of entries.', LedgerPage),
  }),
  ...exportOperations,
  view({
    id: 'console.models.list',
    tag: 'Resources',
    path: '/v1/console/models',
    summary: 'See which providers and models can be called',
    response: response(200, 'The catalog.', Catalog),
  }),
]
