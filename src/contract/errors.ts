/**
 * Every error code: status, meaning and what to do next. Error messages, OpenAPI, llms.txt and the docs page are all generated
 * from these rows.
 */
export const errors = {
  // Transport
  REQUEST_TARGET_INVALID: row(
    400,
    'The request target is not a safe origin-form path.',
    'Use a clean path that starts with a single slash.',
  ),
  REQUEST_HEADERS_INVALID: row(
    400,
    'The request line or a header is malformed.',
    'Send well-formed HTTP/1.1 with printable ASCII header values.',
  ),
  REQUEST_HEADERS_TOO_LARGE: row(431, 'The headers are too many or too large.', 'Send fewer or shorter headers.'),
  HTTP_VERSION_UNSUPPORTED: row(505, 'Only HTTP/1.1 is served.', 'Send the request as HTTP/1.1.'),
  TRANSFER_ENCODING_UNSUPPORTED: row(
    400,
    'Transfer-Encoding is not accepted.',
    'Send the body with a single Content-Length.',
  ),
  CONTENT_LENGTH_INVALID: row(
    400,
    'Content-Length is missing, repeated or not a plain decimal number.',
    'Send exactly one valid Content-Length.',
  ),
  REQUEST_BODY_INCOMPLETE: row(
    400,
    'Fewer body bytes arrived than Content-Length declared.',
    'Send a new, complete request.',
  ),
  INVALID_JSON: row(
    400,
    'The body is not a JSON object in UTF-8 with Content-Type application/json.',
    'Fix the body or its Content-Type.',
  ),
  UNKNOWN_FIELDS: row(400, 'The body has fields outside the contract of this operation.', 'Remove the unknown fields.'),
  REQUEST_TIMEOUT: row(
    408,
    'The request did not arrive completely in time.',
    'Send a new request; for business operations with a new Idempotency-Key.',
  ),
  PAYLOAD_TOO_LARGE: row(
    413,
    'The body is larger than the limit.',
    'Send a smaller body; the same request will fail again.',
  ),
  HOST_NOT_ALLOWED: row(421, 'This host is not served here.', 'Use the canonical host.'),
  NOT_FOUND: row(404, 'This path does not exist.', 'Check the path against /openapi.json.'),
  METHOD_NOT_ALLOWED: row(405, 'This path does not support that method.', 'Use a method from the Allow header.'),
  INTERNAL_ERROR: row(
    500,
    'The service failed.',
    'Back off exponentially and keep the Idempotency-Key. Before repeating a write without one, check whether it took effect.',
  ),

  // Common to several resources
  ORIGIN_INVALID: row(403, 'The Origin header is not the canonical origin.', 'Start from the canonical page.'),
  CSRF_INVALID: row(
    403,
    'The CSRF token does not belong to this session.',
    'Read /v1/me for a fresh token and retry once.',
  ),
  GATEWAY_AUTH_REQUIRED: row(401, 'The session is missing, invalid, expired or ended.', 'Log in again.'),
  RATE_LIMITED: row(429, 'A rate limit or cooldown applies.', 'Wait for the number of seconds in Retry-After.'),
  IDEMPOTENCY_KEY_REQUIRED: row(
    400,
    'Idempotency-Key is missing, empty or longer than 128 characters.',
    'Send one new key for each intent.',
  ),
  IDEMPOTENCY_CONFLICT: row(
    409,
    'The Idempotency-Key is already bound to another request.',
    'Use a new key for a new intent.',
  ),

  // Identity
  PHONE_INVALID: row(
    400,
    'The phone is not a mainland-China mobile number.',
    'Send 11 digits that match ^1[3-9][0-9]{9}$.',
  ),
  EMAIL_INVALID: row(
    400,
    'The recovery email is not a valid address of at most 254 characters.',
    'Correct the address.',
  ),
  PASSWORD_INVALID: row(400, 'A password needs 12 to 128 characters.', 'Choose another password.'),
  NEXT_PATH_INVALID: row(400, 'The next path is not allowed.', 'Leave it out or send /console.'),
  IDENTIFIER_INVALID: row(
    400,
    'The identifier is neither a phone number nor an email address.',
    'Correct the identifier.',
  ),
  VERIFICATION_FAILED: row(400, 'The verification code is not valid.', 'Check the code, or request a new one.'),
  AUTHENTICATION_FAILED: row(401, 'The identifier or the password is wrong.', 'Correct them and try again.'),
  ACCOUNT_ALREADY_EXISTS: row(409, 'This phone already has an account.', 'Log in instead.'),
  ACCOUNT_UNAVAILABLE: row(
    409,
    'The request conflicts with another account.',
    'Try to log in; otherwise request a new code.',
  ),
  VERIFICATION_CONFLICT: row(
    409,
    'This verification is already complete.',
    'Try to log in before you request a new code.',
  ),
  PASSWORD_STATE_INVALID: row(500, 'The stored password digest is invalid.', 'Stop retrying and contact the operator.'),
  SMS_DELIVERY_UNAVAILABLE: row(503, 'The message could not be delivered.', 'Request a new code later.'),
  EMAIL_DELIVERY_UNAVAILABLE: row(503, 'This service does not send email.', 'Do not retry; ask the operator.'),

  // Keys
  INVALID_SCOPE: row(
    400,
    'The scopes are empty, repeated, of the wrong type or not allowed.',
    'Send a non-empty list of distinct known scopes.',
  ),
  KEY_NOT_FOUND: row(404, 'There is no such key in this project.', 'List the keys first.'),

  // Recharge
  RECHARGE_AMOUNT_INVALID: row(
    400,
    'The amount is not a multiple of 100 fen between 100 and 1000000.',
    'Correct the amount.',
  ),
  SIMULATED_PAYMENT_DISABLED: row(404, 'Simulated payment is disabled here.', 'Do not retry.'),
  ORDER_NOT_FOUND: row(404, 'There is no such order in this project.', 'Check the order id.'),
  ORDER_NOT_PAYABLE: row(409, 'The order cannot be confirmed in its current state.', 'Read /v1/me; never pay again.'),
  ORDER_CONFIRM_CONFLICT: row(409, 'Another confirmation of this order is under way.', 'Read /v1/me; never pay again.'),
  ORDER_CREDIT_CONFLICT: row(
    409,
    'The credit of this order conflicts with the recorded one.',
    'Reconcile through /v1/me; never pay again.',
  ),

  // Business calls: access and money
  UNAUTHORIZED: row(401, 'The API key is missing, invalid or revoked.', 'Use a valid key of the project.'),
  KEY_EXPIRED: row(401, 'The API key has expired.', 'Create a new key.'),
  FORBIDDEN: row(403, 'The API key lacks the scope of this operation.', 'Create a key with that scope.'),
  INSUFFICIENT_PAID_CREDITS: row(
    402,
    'The available credits do not cover the price; nothing was forwarded.',
    'Recharge, then send the same intent again.',
  ),

  // Business calls: fields
  INVALID_PROMPT: row(400, 'The prompt is missing, blank or not a string.', 'Send a non-empty prompt.'),
  INVALID_MODEL: row(400, 'The model is blank or not a string.', 'Name a model, or leave it out.'),
  MODEL_NOT_ALLOWED: row(
    400,
    'The provider does not offer this model.',
    'Name a model of the provider, or leave it out.',
  ),
  PROMPT_TOO_LARGE: row(413, 'The prompt is longer than the provider accepts.', 'Shorten the prompt.'),
  PROVIDER_NOT_ALLOWED: row(
    400,
    'The provider is not available here.',
    'Use one of the listed providers, or leave it out.',
  ),
  INVALID_QUERY: row(400, 'The query is missing, blank or not a string.', 'Send a non-empty query.'),
  INVALID_LIMIT: row(400, 'The limit is not an integer from 1 to 3.', 'Correct the limit.'),
  INVALID_SORT: row(400, 'The sort order is unknown.', 'Use price_asc or relevance.'),
  INVALID_FILTERS: row(
    400,
    'The filters or criteria are malformed.',
    'Send only maxPriceCents, an integer of 0 or more.',
  ),
  INVALID_ITEM_REFS: row(
    400,
    'The list of item references is malformed, too short, too long or repeats an item.',
    'Send distinct references within the stated count.',
  ),
  INVALID_ITEM_REF: row(
    400,
    'An item reference is malformed.',
    'Send provider and productId as a search returned them.',
  ),
  INVALID_PREFERENCES: row(400, 'The preferences are malformed.', 'Send only priority: price or balanced.'),
  INVALID_REQUIREMENTS: row(400, 'The requirements are not a list of at most 5 strings.', 'Correct the list.'),
  INVALID_ARGUMENTS: row(400, 'The tool arguments are malformed.', 'Send an object with only operation and payload.'),
  INVALID_SECONDS: row(400, 'The length of the clip is not 2, 4 or 8 seconds.', 'Send 2, 4 or 8, or leave it out.'),
  INVALID_SIZE: row(400, 'The size of the clip is unknown.', 'Send 480x270 or 854x480, or leave it out.'),
  TOOL_NOT_ALLOWED: row(403, 'The agent may not use this tool.', 'Use pick.assist.'),
  TOOL_OPERATION_NOT_ALLOWED: row(
    403,
    'The tool may not run this operation.',
    'Use search, filter, compare, recommend or prepurchase_review.',
  ),

  // Media jobs
  JOB_NOT_FOUND: row(404, 'There is no such job in this project.', 'Check the job id.'),
  JOB_NOT_CANCELLABLE: row(
    409,
    'The job can no longer be cancelled, or not yet.',
    'Read the job to see where it stands.',
  ),
  JOB_NOT_FINISHED: row(
    409,
    'The job has no content: it is not finished, or it failed.',
    'Read the job and try again once it is completed.',
  ),
  CONTENT_EXPIRED: row(410, 'The content of the job is no longer kept.', 'Create a new job.'),
  RANGE_NOT_SATISFIABLE: row(
    416,
    'The range begins after the end of the content.',
    'Ask for a range within the content.',
  ),

  // Business calls: providers
  ADAPTER_FAILURE: row(
    502,
    'The adapter failed before a confirmed success; the credits were released.',
    'Retry with a new Idempotency-Key once the cause is fixed.',
  ),
  PROVIDER_CONTRACT_INVALID: row(
    502,
    'The provider refused the call, or its response breaks the contract.',
    'Retry only if the credits were released; otherwise treat it as manual_review.',
  ),
  PROVIDER_REQUEST_REJECTED: row(
    502,
    'The provider rejected the request.',
    'Fix the request and send it with a new Idempotency-Key.',
  ),
  PROVIDER_REDIRECT_FORBIDDEN: row(
    502,
    'The provider responded with a redirect, which is never followed.',
    'Do not follow it.',
  ),
  PROVIDER_LINK_FORBIDDEN: row(502, 'The provider returned a link outside the allow-list.', 'Do not open it.'),
  PROVIDER_UNAVAILABLE: row(
    503,
    'The provider is unavailable.',
    'Back off; check that the call is not in manual_review.',
  ),
  PROVIDER_DISABLED: row(503, 'The provider is disabled in the configuration.', 'Do not retry.'),
  PROVIDER_AUTH_REQUIRED: row(
    503,
    'The credentials for the provider are not available.',
    'Wait for the operator to fix it.',
  ),
  PROVIDER_CIRCUIT_OPEN: row(
    503,
    'The provider kept failing, so calls to it are paused.',
    'Wait before the next call.',
  ),
  PROVIDER_RATE_LIMITED: row(503, 'The provider is rate limiting calls.', 'Back off and send a new request.'),
  PROVIDER_CAPACITY_EXHAUSTED: row(
    503,
    'Too many calls to the provider are under way; nothing was forwarded.',
    'Retry after a short wait.',
  ),
  PROVIDER_CAPABILITY_UNSUPPORTED: row(
    409,
    'Only items that a search returned to this project can be read.',
    'Search first in the same project.',
  ),
} as const

export type ErrorCode = keyof typeof errors

export interface ErrorRow {
  readonly status: number
  readonly meaning: string
  readonly retry: string
}

function row(status: number, meaning: string, retry: string): ErrorRow {
  return { status, meaning, retry }
}

/** Thrown to refuse a request. The code determines status and public text. */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: ErrorCode,
    options: { explain?: string; retryAfterSeconds?: number | undefined; cause?: unknown } = {},
  ) {
    super(options.explain ? `${errors[code].meaning} ${options.explain}` : errors[code].meaning, {
      cause: options.cause,
    })
    this.name = 'Refusal'
    this.code = code
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** The body of every error response. */
export const errorBody = (code: ErrorCode, message: string = errors[code].meaning) => ({ error: { code, message } })
