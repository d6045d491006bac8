import { type Static, Type } from '../../../base/schema.ts'
import type { ErrorCode } from '../../../contract/errors.ts'
import { Choice, chargeIdPattern, DateTime, Nullable, named, pickFields } from '../../../contract/field.ts'
import { idempotencyKeyMaxLength } from '../../../contract/headers.ts'
import { documentResponse, type Operation, response } from '../../../contract/operation.ts'
import { errorsOf } from '../../../contract/operations/access.ts'
import { pageLimit } from '../../../contract/paging.ts'
import { Credits } from '../../../contract/schemas/account.ts'
import { Key } from '../../../contract/schemas/keys.ts'
import { openapiDocument } from '../../../documents/openapi.ts'
import { KeyBudget, keySettings } from '../../identity/keys/contract.ts'
import { Charge } from '../../records/reports/contract.ts'
import { jwsResponse, sinceParameter } from '../../records/transparency/receipts/contract.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })

const KeyRateLimit = named('KeyRateLimit', {
  max: Type.Integer({ minimum: 1 }),
  windowSeconds: Type.Integer({ minimum: 1 }),
  remaining: count('Billable calls that the key can still make in this window.'),
  resetsAt: DateTime('When the window ends, or would end if it began now.'),
})

const KeySpending = named('KeySpending', {
  ...KeyBudget.properties,
  spent: count('Credits reserved or settled in this period, by all keys of the rotation chain.'),
  remaining: count('What is left of the budget.'),
  resetsAt: Nullable(DateTime('Null for a budget in total.')),
})

export const OwnKey = named('OwnKey', {
  keyId: Key.properties.keyId,
  name: keySettings.name,
  maskedKey: Key.properties.displayPrefix,
  scopes: Key.properties.scopes,
  state: Key.properties.state,
  expiresAt: Key.properties.expiresAt,
  allowedAddresses: keySettings.allowedAddresses,
  rateLimit: KeyRateLimit,
  budget: Type.Union([KeySpending, Type.Null()]),
  credits: Type.Union([Credits, Type.Null()], {
    description: 'The balance of the project; null unless the payer lets this key read it.',
  }),
})

export const ownFields = [
  'chargeId',
  'keyId',
  'operation',
  'state',
  'credits',
  'requestId',
  'reservedAt',
  'endedAt',
  'reason',
] as const

export const OwnCharge = named('OwnCharge', {
  ...pickFields(Charge, ownFields),
  resolution: Type.Union([Choice(['settled', 'released']), Type.Null()], {
    description: 'What an operator decided about a charge in review.',
  }),
  replayable: Type.Boolean({ description: 'Whether repeating the Idempotency-Key returns the stored response.' }),
})

export const OwnChargePage = named('OwnChargePage', {
  items: Type.Array(OwnCharge, { maxItems: pageLimit.maximum }),
  nextCursor: Type.Union([Type.String({ minLength: 1 }), Type.Null()], {
    description: 'Send it as `after` for the next page, also after an empty one; null when there is none.',
  }),
})

export type OwnKey = Static<typeof OwnKey>
export type OwnCharge = Static<typeof OwnCharge>
export type OwnChargePage = Static<typeof OwnChargePage>

const ownChargeParameters = {
  idempotencyKey: Type.String({
    minLength: 1,
    maxLength: idempotencyKeyMaxLength,
    description: 'Only the charge of this Idempotency-Key, or none. Cannot be combined with `after`.',
  }),
  after: Type.String({
    pattern: '^[1-9][0-9]{0,14}$',
    maxLength: 15,
    description: 'The nextCursor of the previous page. Without it, the list starts with the newest.',
  }),
  limit: Type.Integer({ ...pageLimit, description: 'The maximum number of charges per page.' }),
}

export interface OwnChargeParameters {
  readonly idempotencyKey?: string
  readonly after?: string
  readonly limit: number
}

const shared = { method: 'GET', access: 'key', takesIdempotencyKey: false } as const
const keyErrors: ErrorCode[] = ['UNAUTHORIZED', 'KEY_EXPIRED', 'FORBIDDEN']

/** What a key may know about itself: outside the public operations, described by /key/openapi.json. */
export const keyReadOperations: readonly Operation[] = [
  {
    ...shared,
    id: 'key.read',
    tag: 'Keys',
    path: '/v1/key',
    summary: 'Read the key of this request',
    description: 'Its settings, what is left of its rate limit and its budget, and the balance if the payer allows it.',
    responses: [response(200, 'The key as it is now.', OwnKey)],
    errors: errorsOf('public', keyErrors),
  },
  {
    ...shared,
    id: 'charges.list',
    tag: 'Usage',
    path: '/v1/charges',
    summary: 'List the charges of the key',
    description: 'Newest first: the charges of this key and of the other keys of its rotation chain.',
    queryParameters: ownChargeParameters,
    responses: [response(200, 'A page of charges.', OwnChargePage)],
    errors: errorsOf('public', keyErrors),
  },
  {
    ...shared,
    id: 'charges.read',
    tag: 'Usage',
    path: '/v1/charges/{chargeId}',
    summary: 'Read a charge',
    description: 'Only charges of this key and of the other keys of its rotation chain can be read.',
    pathParameters: {
      chargeId: { pattern: chargeIdPattern, code: 'CHARGE_NOT_FOUND' },
    },
    responses: [response(200, 'The charge as it is now.', OwnCharge)],
    errors: errorsOf('public', [...keyErrors, 'CHARGE_NOT_FOUND']),
  },
  {
    ...shared,
    id: 'charges.receiptJws',
    tag: 'Usage',
    path: '/v1/charges/{chargeId}/receipt.jws',
    summary: 'Download the signed receipt of a charge',
    description:
      'Only charges of this key and of the other keys of its rotation chain. The keys that sign are at `/.well-known/jwks.json`; `/verify/verify.mjs` verifies it offline.',
    pathParameters: {
      chargeId: { pattern: chargeIdPattern, code: 'CHARGE_NOT_FOUND' },
    },
    queryParameters: sinceParameter,
    responses: [jwsResponse('The receipt as it is now.')],
    errors: errorsOf('public', [...keyErrors, 'CHARGE_NOT_FOUND', 'SINCE_INVALID']),
  },
]

/** Not listed in the document that it serves. */
export const keyDocumentOperation: Operation = {
  id: 'key.openapi',
  tag: 'Documentation',
  method: 'GET',
  path: '/key/openapi.json',
  access: 'public',
  takesIdempotencyKey: false,
  summary: 'Read this document',
  responses: [documentResponse],
  errors: errorsOf('public'),
}

export const keyDocument = (origin: string) =>
  openapiDocument({
    operations: keyReadOperations,
    origin,
    about: {
      title: 'API Relay Gateway: what a key may know',
      summary: 'The state of an API key and the outcome of its calls.',
      description: [
        'The other operations are in `/openapi.json`; errors and keys work as described there.',
        'Every active key can call these operations, regardless of its scopes. They are free and have their own rate limit.',
      ].join('\n\n'),
    },
  })
