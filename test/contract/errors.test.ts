import { expect, test } from 'vitest'
import { operatorErrors } from '../../src/contract/error-codes/operators.ts'
import { type ErrorCode, errorBody, errors, Refusal } from '../../src/contract/errors.ts'

/** The specification's tables, repeated here on purpose. */
const specified: Record<number, string> = {
  400: `REQUEST_TARGET_INVALID TRANSFER_ENCODING_UNSUPPORTED CONTENT_LENGTH_INVALID REQUEST_BODY_INCOMPLETE INVALID_JSON
    UNKNOWN_FIELDS PHONE_INVALID EMAIL_INVALID PASSWORD_INVALID NEXT_PATH_INVALID VERIFICATION_FAILED IDENTIFIER_INVALID
    INVALID_SCOPE RECHARGE_AMOUNT_INVALID IDEMPOTENCY_KEY_REQUIRED PROVIDER_NOT_ALLOWED INVALID_MODEL INVALID_PROMPT
    MODEL_NOT_ALLOWED INVALID_QUERY INVALID_LIMIT INVALID_SORT INVALID_FILTERS INVALID_ITEM_REFS INVALID_ITEM_REF
    INVALID_PREFERENCES INVALID_REQUIREMENTS INVALID_ARGUMENTS`,
  401: 'GATEWAY_AUTH_REQUIRED AUTHENTICATION_FAILED UNAUTHORIZED KEY_EXPIRED',
  402: 'INSUFFICIENT_PAID_CREDITS',
  403: 'ORIGIN_INVALID CSRF_INVALID FORBIDDEN TOOL_NOT_ALLOWED TOOL_OPERATION_NOT_ALLOWED',
  404: 'KEY_NOT_FOUND ORDER_NOT_FOUND SIMULATED_PAYMENT_DISABLED',
  408: 'REQUEST_TIMEOUT',
  409: `ACCOUNT_ALREADY_EXISTS ACCOUNT_UNAVAILABLE VERIFICATION_CONFLICT IDEMPOTENCY_CONFLICT ORDER_NOT_PAYABLE
    ORDER_CONFIRM_CONFLICT ORDER_CREDIT_CONFLICT PROVIDER_CAPABILITY_UNSUPPORTED`,
  413: 'PAYLOAD_TOO_LARGE PROMPT_TOO_LARGE',
  421: 'HOST_NOT_ALLOWED',
  429: 'RATE_LIMITED',
  500: 'INTERNAL_ERROR PASSWORD_STATE_INVALID',
  502: `ADAPTER_FAILURE PROVIDER_CONTRACT_INVALID PROVIDER_REQUEST_REJECTED PROVIDER_REDIRECT_FORBIDDEN
    PROVIDER_LINK_FORBIDDEN`,
  503: `SMS_DELIVERY_UNAVAILABLE PROVIDER_UNAVAILABLE PROVIDER_DISABLED PROVIDER_AUTH_REQUIRED PROVIDER_CIRCUIT_OPEN
    PROVIDER_RATE_LIMITED PROVIDER_CAPACITY_EXHAUSTED`,
}

/** Codes that the specification does not name. */
const own: Partial<Record<ErrorCode, number>> = {
  SECOND_FACTOR_REQUIRED: 401,
  SIGN_IN_EXPIRED: 401,
  SECOND_FACTOR_FAILED: 400,
  STEP_UP_REQUIRED: 403,
  SECOND_FACTOR_EXISTS: 409,
  PASSKEY_FAILED: 400,
  PASSKEY_NOT_FOUND: 404,
  PASSKEY_LIMIT_REACHED: 409,
  SECOND_FACTOR_NOT_SET_UP: 409,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_HEADERS_INVALID: 400,
  REQUEST_HEADERS_TOO_LARGE: 431,
  HTTP_VERSION_UNSUPPORTED: 505,
  EMAIL_DELIVERY_UNAVAILABLE: 503,
  INVALID_PARAMETER: 400,
  UNSUPPORTED_PARAMETER: 400,
  MANUAL_REVIEW: 403,
  INVALID_SECONDS: 400,
  INVALID_SIZE: 400,
  CHARGE_NOT_FOUND: 404,
  ENTRY_NOT_FOUND: 404,
  STATEMENT_NOT_FOUND: 404,
  SINCE_INVALID: 400,
  JOB_NOT_FOUND: 404,
  JOB_NOT_CANCELLABLE: 409,
  JOB_NOT_FINISHED: 409,
  CONTENT_EXPIRED: 410,
  RANGE_NOT_SATISFIABLE: 416,
  INVALID_NAME: 400,
  INVALID_EXPIRY: 400,
  INVALID_BUDGET: 400,
  INVALID_ADDRESSES: 400,
  INVALID_GRACE: 400,
  INVALID_THRESHOLD: 400,
  INVALID_ALERT_TYPES: 400,
  INVALID_URL: 400,
  INVALID_EVENT_TYPES: 400,
  INVALID_STATE: 400,
  WEBHOOK_LIMIT_REACHED: 409,
  WEBHOOK_NOT_FOUND: 404,
  WEBHOOK_DISABLED: 409,
  WEBHOOK_TESTS_WAITING: 409,
  DELIVERY_NOT_FOUND: 404,
  PAYMENT_METHOD_INVALID: 400,
  TOO_MANY_OPEN_PAYMENTS: 409,
  PAYMENT_NOT_FOUND: 404,
  PAYMENT_NOT_CANCELLABLE: 409,
}

const words = (text: string) => text.split(/\s+/)

test('every specified code exists with its status, and nothing else does', () => {
  const expected = {
    ...own,
    ...Object.fromEntries(
      Object.entries(specified).flatMap(([status, codes]) => words(codes).map((code) => [code, Number(status)])),
    ),
  }
  const actual = Object.fromEntries(Object.entries(errors).map(([code, { status }]) => [code, status]))
  expect(actual).toEqual(expected)
})

test.each(Object.entries(errors))(
  '%s has a meaning, a remedy and a sentence of the console in both languages',
  (_, row) => {
    for (const english of [row.meaning, row.retry, row.console.en]) expect(english).toMatch(/^[A-Z][^|]*\.$/)
    for (const chinese of [row.zh.meaning, row.zh.retry, row.console.zh])
      expect(chinese).toMatch(/^[^|]*[\u4e00-\u9fff][^|]*。$/)
  },
)

test.each(Object.entries(operatorErrors))(
  '%s of the operator has a meaning, a remedy and a sentence of the console',
  (_, row) => {
    expect(row.status).toBeGreaterThanOrEqual(400)
    for (const english of [row.meaning, row.retry, row.console.en]) expect(english).toMatch(/^[A-Z][^|]*\.$/)
    expect(row.console.zh).toMatch(/^[^|]*[\u4e00-\u9fff][^|]*。$/)
  },
)

test('waiting helps with exactly the codes of a passing state, and each says how long', () => {
  const rows = Object.entries({ ...errors, ...operatorErrors })
  for (const [code, { repeat, waitSeconds }] of rows) {
    expect(['wait', 'fix', 'never'], code).toContain(repeat)
    expect(waitSeconds > 0, code).toBe(repeat === 'wait')
  }
  const waiting = rows.filter(([, { repeat }]) => repeat === 'wait').map(([code]) => code)
  // The first is for operators only.
  expect(waiting.sort()).toEqual(
    words(`BILL_UNAVAILABLE INTERNAL_ERROR PAYMENT_UNAVAILABLE PROVIDER_CAPACITY_EXHAUSTED PROVIDER_CIRCUIT_OPEN PROVIDER_RATE_LIMITED PROVIDER_UNAVAILABLE
      RATE_LIMITED REQUEST_TIMEOUT`),
  )
  for (const code of ['PROVIDER_DISABLED', 'PROVIDER_AUTH_REQUIRED'] as const) expect(errors[code].repeat).toBe('never')
})

test('a refusal has the text of its code, and more only where it explains itself', () => {
  expect(new Refusal('FORBIDDEN').message).toBe(errors.FORBIDDEN.meaning)
  expect(new Refusal('FORBIDDEN', { explain: 'It has none.' }).message).toBe(`${errors.FORBIDDEN.meaning} It has none.`)
  expect(errorBody('FORBIDDEN')).toEqual({ error: { code: 'FORBIDDEN', message: errors.FORBIDDEN.meaning } })
})
