import { expect, test } from 'vitest'
import type { ErrorCode } from '../../src/contract/errors.ts'
import { publicOperations } from '../../src/contract/operations.ts'
import { pricingDocument } from '../../src/contract/prices.ts'
import { openapiDocument } from '../../src/documents/openapi.ts'
import { eachRow } from '../../testkit/each-row.ts'
import { providerNames } from '../../testkit/providers/provider-names.ts'

// The specification's own tables, repeated by hand: its 24 public operations, nine of them billable. Everything else derives from
// the contract, so this is the only test that fails when the contract gains or loses an operation.

const paths: Readonly<Record<string, string>> = {
  'auth.send_code': 'POST /v1/auth/send-code',
  'auth.register': 'POST /v1/auth/register',
  'auth.login': 'POST /v1/auth/login',
  'auth.logout': 'POST /v1/auth/logout',
  'pricing.get': 'GET /v1/pricing',
  'plans.get': 'GET /v1/plans',
  'account.get': 'GET /v1/me',
  'keys.list': 'GET /v1/keys',
  'keys.create': 'POST /v1/keys',
  'keys.revoke': 'POST /v1/keys/{keyId}/revoke',
  'orders.create': 'POST /v1/orders',
  'orders.confirm': 'POST /v1/orders/{orderId}/confirm',
  'docs.openapi': 'GET /openapi.json',
  'docs.llms': 'GET /llms.txt',
  'docs.page': 'GET /docs',
  'model.chat': 'POST /v1/models/chat',
  'shopping.search': 'POST /v1/shopping/search',
  'pick.search': 'POST /v1/pick/search',
  'pick.filter': 'POST /v1/pick/filter',
  'pick.compare': 'POST /v1/pick/compare',
  'pick.recommend': 'POST /v1/pick/recommend',
  'pick.prepurchase_review': 'POST /v1/pick/prepurchase-review',
  'pick.links': 'POST /v1/pick/links',
  'agent.run': 'POST /v1/agent/run',
}

const credits: Readonly<Record<string, readonly [scope: string, credits: number]>> = {
  'agent.run': ['agent:run', 5],
  'model.chat': ['models:invoke', 3],
  'shopping.search': ['shopping:search', 2],
  'pick.compare': ['pick:read', 3],
  'pick.filter': ['pick:read', 2],
  'pick.links': ['pick:link', 1],
  'pick.prepurchase_review': ['pick:read', 1],
  'pick.recommend': ['pick:read', 3],
  'pick.search': ['pick:read', 2],
}

const transport = 'REQUEST_TARGET_INVALID HOST_NOT_ALLOWED INTERNAL_ERROR'
const body = `${transport} TRANSFER_ENCODING_UNSUPPORTED CONTENT_LENGTH_INVALID REQUEST_BODY_INCOMPLETE INVALID_JSON
  UNKNOWN_FIELDS REQUEST_TIMEOUT PAYLOAD_TOO_LARGE RATE_LIMITED`
const identity = `${body} ORIGIN_INVALID`
const sessionWrite = `${identity} GATEWAY_AUTH_REQUIRED CSRF_INVALID`
const business = `${body} IDEMPOTENCY_KEY_REQUIRED UNAUTHORIZED KEY_EXPIRED INSUFFICIENT_PAID_CREDITS FORBIDDEN
  IDEMPOTENCY_CONFLICT ADAPTER_FAILURE`
const provider = `PROVIDER_CONTRACT_INVALID PROVIDER_REQUEST_REJECTED PROVIDER_UNAVAILABLE PROVIDER_DISABLED
  PROVIDER_AUTH_REQUIRED PROVIDER_RATE_LIMITED PROVIDER_CAPACITY_EXHAUSTED`
const shop = `${provider} PROVIDER_REDIRECT_FORBIDDEN`
const search = 'INVALID_QUERY PROVIDER_NOT_ALLOWED INVALID_LIMIT INVALID_SORT INVALID_FILTERS'
const itemRefs = 'INVALID_ITEM_REFS INVALID_ITEM_REF'
const snapshot = 'PROVIDER_CAPABILITY_UNSUPPORTED'

/** The codes that the specification lists for each operation. */
const codes: Readonly<Record<string, string>> = {
  'auth.send_code': `${identity} PHONE_INVALID SMS_DELIVERY_UNAVAILABLE`,
  'auth.register': `${identity} VERIFICATION_FAILED PHONE_INVALID EMAIL_INVALID PASSWORD_INVALID NEXT_PATH_INVALID
    ACCOUNT_ALREADY_EXISTS ACCOUNT_UNAVAILABLE VERIFICATION_CONFLICT`,
  'auth.login': `${identity} IDENTIFIER_INVALID PASSWORD_INVALID NEXT_PATH_INVALID AUTHENTICATION_FAILED
    PASSWORD_STATE_INVALID`,
  'auth.logout': sessionWrite,
  'pricing.get': transport,
  'plans.get': transport,
  'account.get': `${transport} GATEWAY_AUTH_REQUIRED`,
  'keys.list': `${transport} GATEWAY_AUTH_REQUIRED`,
  'keys.create': `${sessionWrite} INVALID_SCOPE`,
  'keys.revoke': `${sessionWrite} KEY_NOT_FOUND`,
  'orders.create': `${sessionWrite} RECHARGE_AMOUNT_INVALID IDEMPOTENCY_KEY_REQUIRED SIMULATED_PAYMENT_DISABLED
    IDEMPOTENCY_CONFLICT`,
  'orders.confirm': `${sessionWrite} SIMULATED_PAYMENT_DISABLED ORDER_NOT_FOUND ORDER_NOT_PAYABLE ORDER_CONFIRM_CONFLICT
    ORDER_CREDIT_CONFLICT`,
  'docs.openapi': transport,
  'docs.llms': transport,
  'docs.page': transport,
  'model.chat': `${business} PROVIDER_NOT_ALLOWED INVALID_MODEL INVALID_PROMPT MODEL_NOT_ALLOWED PROMPT_TOO_LARGE
    ${provider} PROVIDER_CIRCUIT_OPEN`,
  'shopping.search': `${business} ${search} ${shop}`,
  'pick.search': `${business} ${search} ${shop}`,
  'pick.filter': `${business} ${itemRefs} INVALID_FILTERS ${snapshot}`,
  'pick.compare': `${business} ${itemRefs} ${snapshot}`,
  'pick.recommend': `${business} ${itemRefs} INVALID_PREFERENCES ${snapshot}`,
  'pick.prepurchase_review': `${business} INVALID_ITEM_REF INVALID_REQUIREMENTS ${snapshot}`,
  'pick.links': `${business} ${itemRefs} PROVIDER_LINK_FORBIDDEN ${shop}`,
  'agent.run': `${business} TOOL_NOT_ALLOWED TOOL_OPERATION_NOT_ALLOWED INVALID_ARGUMENTS ${search} ${itemRefs}
    INVALID_PREFERENCES INVALID_REQUIREMENTS ${snapshot} ${shop}`,
}

/** Beyond the specification: faults of the transport, refusals of an overloaded gateway, and accounts with a second factor. */
const additions = new Set<ErrorCode>([
  'SECOND_FACTOR_REQUIRED',
  'STEP_UP_REQUIRED',
  'REQUEST_HEADERS_INVALID',
  'REQUEST_HEADERS_TOO_LARGE',
  'HTTP_VERSION_UNSUPPORTED',
  'TRANSFER_ENCODING_UNSUPPORTED',
  'CONTENT_LENGTH_INVALID',
  'REQUEST_TIMEOUT',
  'RATE_LIMITED',
  'PROVIDER_CAPACITY_EXHAUSTED',
])

const operations = publicOperations(providerNames)
const { paths: published } = openapiDocument({ operations, origin: 'https://gateway.example' })
const listed = Object.entries(published).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId }]) => [operationId, `${method.toUpperCase()} ${path}`] as const),
)

test('the public document has the 24 operations of the specification and no other', () => {
  expect(listed).toHaveLength(24)
  expect(Object.fromEntries(listed)).toEqual(paths)
})

test('the price list has the nine billable operations of the specification, with their scopes and prices', () => {
  const { operations: priced } = pricingDocument('local-simulated')
  expect(priced).toHaveLength(9)
  expect(Object.fromEntries(priced.map((row) => [row.operation, [row.scope, row.credits]]))).toEqual(credits)
})

test('each operation has the error codes that the specification gives it', () =>
  eachRow(
    operations.filter(({ id }) => id in paths),
    ({ id }) => id,
    ({ id, errors: actual }) => {
      const expected = codes[id]!.split(/\s+/)
      expect(actual).toEqual(expect.arrayContaining(expected))
      const extra = actual.filter((code) => !expected.includes(code) && !additions.has(code))
      expect(extra).toEqual(id === 'pick.links' ? [snapshot] : [])
      expect(new Set(actual).size).toBe(actual.length)
    },
  ))
