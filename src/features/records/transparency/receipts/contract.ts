import { Type } from '../../../../base/schema.ts'
import { chargeIdPattern, failsWith } from '../../../../contract/field.ts'
import { type ResponseRow, response } from '../../../../contract/operation.ts'
import { view } from '../../../../contract/operations/access.ts'
import { orderIdPattern } from '../../../../contract/schemas/account.ts'
import { MonthStatement, monthParameter } from './statement-contract.ts'

export type { MonthStatement } from './statement-contract.ts'

/** Three parts in base64url. The example is shortened. */
const exampleJws = 'eyJhbGciOiJFZERTQSIsInR5cCI6InJlY2VpcHQrandzIn0.eyJ0eXBlIjoiY2hhcmdlIn0.c2lnbmF0dXJl'

export const jwsResponse = (description: string): ResponseRow => ({
  status: 200,
  description: `${description} A compact JWS (EdDSA) over RFC 8785 JSON.`,
  contentType: 'application/jose',
  schema: Type.String({ pattern: '^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$' }),
  example: exampleJws,
})

export const sinceParameter = {
  since: Type.String({
    pattern: '^(0|[1-9][0-9]{0,14})$',
    description: 'The tree size of an older checkpoint: adds the proof that the tree still begins with it.',
    ...failsWith('SINCE_INVALID'),
  }),
}

export interface SinceParameters {
  readonly since?: string
}

const verify =
  'The keys are at `/.well-known/jwks.json`; `/verify/verify.mjs` verifies it offline. `pending` until its entries are in the public tree, a few seconds later.'

export const receiptOperations = [
  view({
    id: 'console.usage.receiptJws',
    tag: 'Usage',
    path: '/v1/console/usage/{chargeId}/receipt.jws',
    summary: 'Download the signed receipt of a call',
    description: verify,
    pathParameters: {
      chargeId: { pattern: chargeIdPattern, code: 'CHARGE_NOT_FOUND', example: 'chg_0VVm8yT7003cB5uSx1Jd' },
    },
    queryParameters: sinceParameter,
    response: jwsResponse('The receipt.'),
    ownErrors: ['CHARGE_NOT_FOUND', 'SINCE_INVALID'],
  }),
  view({
    id: 'console.orders.receiptJws',
    tag: 'Resources',
    path: '/v1/console/orders/{orderId}/receipt.jws',
    summary: 'Download the signed receipt of an order',
    description: verify,
    pathParameters: {
      orderId: { pattern: orderIdPattern, code: 'ORDER_NOT_FOUND', example: 'ord_01JQ8ZK4T7N2' },
    },
    queryParameters: sinceParameter,
    response: jwsResponse('The receipt.'),
    ownErrors: ['ORDER_NOT_FOUND', 'SINCE_INVALID'],
  }),
  view({
    id: 'console.ledger.receiptJws',
    tag: 'Ledger',
    path: '/v1/console/ledger/{seq}/receipt.jws',
    summary: 'Download the signed receipt of a ledger entry',
    description: `Of a grant or a withdrawal, or of the call or order that the entry belongs to. ${verify}`,
    pathParameters: { seq: { pattern: '^[1-9][0-9]{0,14}$', code: 'ENTRY_NOT_FOUND', example: '7' } },
    queryParameters: sinceParameter,
    response: jwsResponse('The receipt.'),
    ownErrors: ['ENTRY_NOT_FOUND', 'SINCE_INVALID'],
  }),
  view({
    id: 'console.statements.read',
    tag: 'Ledger',
    path: '/v1/console/statements/{month}',
    summary: 'Read the statement of a month, day by day',
    description:
      'Adds up the same entries as the signed statement of the month. Months and days are in Beijing time; the current month runs up to now. A project can read one statement at a time.',
    pathParameters: monthParameter,
    response: response(200, 'The statement.', MonthStatement),
    ownErrors: ['STATEMENT_NOT_FOUND'],
  }),
  view({
    id: 'console.statements.jws',
    tag: 'Ledger',
    path: '/v1/console/statements/{month}.jws',
    summary: 'Download the signed statement of a month',
    description:
      'Months are in Beijing time. The statement for the current month runs up to now. A project can read one statement at a time.',
    pathParameters: monthParameter,
    queryParameters: sinceParameter,
    response: jwsResponse('The statement.'),
    ownErrors: ['STATEMENT_NOT_FOUND', 'SINCE_INVALID'],
  }),
  view({
    id: 'console.statements.jsonl',
    tag: 'Ledger',
    path: '/v1/console/statements/{month}.jsonl',
    summary: 'Download the entries of a statement',
    description:
      'A line `{"entry","salt","index"}` for each, in the order of the ledger; `index` is null until it is in the tree.',
    pathParameters: monthParameter,
    response: {
      status: 200,
      description: 'The entries, as JSON lines.',
      contentType: 'text/plain',
      schema: Type.String(),
      example: '{"entry":{"seq":1},"index":0,"salt":"AAAAAAAAAAAAAAAAAAAAAA=="}\n',
    } satisfies ResponseRow,
    ownErrors: ['STATEMENT_NOT_FOUND'],
  }),
]
