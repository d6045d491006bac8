import { type TSchema, Type } from 'typebox'
import { EmptyRequest } from '../../contract/field.ts'
import type { Operation, ResponseRow } from '../../contract/operation.ts'
import { errorsOf } from '../../contract/operations/access.ts'
import { Order, orderIdPattern } from '../../contract/schemas/account.ts'
import { accountSecurityOperations } from '../accounts/contract.ts'
import { alertOperations } from '../alerts/contract.ts'
import { eventOperations } from '../events/contract.ts'
import { namedKeyOperations } from '../keys/operations.ts'
import { consoleMediaOperations } from '../media/operations.ts'
import { webhookOperations } from '../webhooks/operations.ts'
import {
  ChargePage,
  chargeIdPattern,
  DailyUsage,
  dailyParameters,
  LedgerPage,
  ledgerParameters,
  Overview,
  Receipt,
  ReviewPage,
  reviewParameters,
  usageParameters,
  view,
} from './contract.ts'
import { consoleExamples } from './examples.ts'
import { exportsOf } from './exports-contract.ts'
import {
  Catalog,
  EndedSession,
  OrderPage,
  orderParameters,
  SignedOutEverywhere,
  SignInList,
  sessionIdPattern,
  UsedKeyList,
} from './resources.ts'

const endedSession: EndedSession = { sessionId: consoleExamples.signIns.items[0]!.sessionId, state: 'logged_out' }

/** What the web console needs beyond the public operations. The document and the routes are made from this list. */
export const consoleOperations: Operation[] = [
  view({
    id: 'console.overview',
    tag: 'Overview',
    path: '/v1/console/overview',
    summary: 'See where the project stands',
    answer: ok('The overview.', Overview, consoleExamples.overview),
  }),
  view({
    id: 'console.usage.list',
    tag: 'Usage',
    path: '/v1/console/usage',
    summary: 'List the billable calls',
    description:
      'Newest first. With a filter a page can be shorter than its limit, even empty, while nextCursor says that there is more to look through.',
    queryParameters: usageParameters,
    answer: ok('A page of charges.', ChargePage, consoleExamples.charges),
  }),
  view({
    id: 'console.usage.daily',
    tag: 'Usage',
    path: '/v1/console/usage/daily',
    summary: 'See what was settled by day and operation',
    description:
      'Calls and credits by the day of the settlement. With `keyId` or `state`: of the calls that pass the filter (settled ones, where no state is named), by the day of the reservation.',
    queryParameters: dailyParameters,
    answer: ok('Calls and credits by day.', DailyUsage, consoleExamples.daily),
  }),
  view({
    id: 'console.usage.receipt',
    tag: 'Usage',
    path: '/v1/console/usage/{chargeId}',
    summary: 'Read the receipt of a call',
    pathParameters: {
      chargeId: { pattern: chargeIdPattern, code: 'NOT_FOUND', example: consoleExamples.receipt.chargeId },
    },
    answer: ok('The receipt.', Receipt, consoleExamples.receipt),
    ownErrors: ['NOT_FOUND'],
  }),
  view({
    id: 'console.reviews.list',
    tag: 'Usage',
    path: '/v1/console/reviews',
    summary: 'List the calls held for review',
    description: 'Newest first. Their credits stay reserved until an operator decides.',
    queryParameters: reviewParameters,
    answer: ok('A page of reviews.', ReviewPage, consoleExamples.reviews),
  }),
  view({
    id: 'console.ledger.list',
    tag: 'Ledger',
    path: '/v1/console/ledger',
    summary: 'List the entries of the ledger',
    description:
      'Newest first, each with the balance after it. With a filter a page can be shorter than its limit, even empty, while nextCursor says that there is more to look through.',
    queryParameters: ledgerParameters,
    answer: ok('A page of entries.', LedgerPage, consoleExamples.ledger),
  }),
  ...exportsOf(view),
  view({
    id: 'console.orders.list',
    tag: 'Resources',
    path: '/v1/console/orders',
    summary: 'List the recharge orders',
    queryParameters: orderParameters,
    answer: ok('A page of orders.', OrderPage, consoleExamples.orders),
  }),
  view({
    id: 'console.orders.read',
    tag: 'Resources',
    path: '/v1/console/orders/{orderId}',
    summary: 'Read a recharge order',
    pathParameters: {
      orderId: {
        pattern: orderIdPattern,
        code: 'ORDER_NOT_FOUND',
        example: consoleExamples.orders.items[0]!.orderId,
      },
    },
    answer: ok('The order.', Order, consoleExamples.orders.items[0]),
    ownErrors: ['ORDER_NOT_FOUND'],
  }),
  view({
    id: 'console.keys.list',
    tag: 'Resources',
    path: '/v1/console/keys',
    summary: 'List the keys and their use',
    description:
      'The metadata of GET /v1/keys, with the settings of each key and its use. The keys of a rotation chain share one budget.',
    answer: ok('The keys of the project.', UsedKeyList, consoleExamples.keys),
  }),
  ...namedKeyOperations,
  view({
    id: 'console.models.list',
    tag: 'Resources',
    path: '/v1/console/models',
    summary: 'See which providers and models can be called',
    answer: ok('The catalog.', Catalog, consoleExamples.catalog),
  }),
  ...consoleMediaOperations,
  ...eventOperations,
  view({
    id: 'console.sessions.list',
    tag: 'Sign-ins',
    path: '/v1/console/sessions',
    summary: 'List the active sign-ins',
    answer: ok('The sign-ins of the account.', SignInList, consoleExamples.signIns),
  }),
  {
    id: 'console.sessions.end_all',
    tag: 'Sign-ins',
    method: 'POST',
    path: '/v1/console/sessions/end-all',
    access: 'session-write',
    takesIdempotencyKey: false,
    summary: 'Sign out everywhere',
    description: 'Ends every sign-in of the account, the one that asks included, and clears its cookie.',
    request: EmptyRequest(),
    requestExample: {},
    responses: [
      {
        ...ok('All sign-ins are ended.', SignedOutEverywhere, { state: 'logged_out', endedSessions: 2 }),
        headers: ['Set-Cookie'],
      },
    ],
    errors: errorsOf('session-write'),
  },
  {
    id: 'console.sessions.end',
    tag: 'Sign-ins',
    method: 'POST',
    path: '/v1/console/sessions/{sessionId}/end',
    access: 'session-write',
    takesIdempotencyKey: false,
    summary: 'End one sign-in',
    description: 'Ending the sign-in that asks logs out: its cookie is cleared.',
    pathParameters: {
      sessionId: { pattern: sessionIdPattern, code: 'NOT_FOUND', example: endedSession.sessionId },
    },
    request: EmptyRequest(),
    requestExample: {},
    responses: [{ ...ok('The sign-in is ended.', EndedSession, endedSession), headers: ['Set-Cookie'] }],
    errors: errorsOf('session-write', ['NOT_FOUND']),
  },
  ...alertOperations,
  ...webhookOperations,
  ...accountSecurityOperations,
  {
    id: 'console.openapi',
    tag: 'Documentation',
    method: 'GET',
    path: '/console/openapi.json',
    access: 'public',
    takesIdempotencyKey: false,
    summary: 'Read this document',
    responses: [
      {
        ...ok('This document.', Type.Object({ openapi: Type.String({ pattern: '^3\\.1\\.' }) }), { openapi: '3.1.1' }),
        headers: ['ETag'],
      },
    ],
    errors: errorsOf('public'),
  },
]

function ok(description: string, schema: TSchema, example: unknown): ResponseRow {
  return { status: 200, description, contentType: 'application/json', schema, example }
}
