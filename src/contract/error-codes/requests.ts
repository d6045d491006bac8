export interface ErrorRow {
  readonly status: number
  readonly meaning: string
  readonly retry: string
}

export function row(status: number, meaning: string, retry: string): ErrorRow {
  return { status, meaning, retry }
}

/** Errors of any request. */
export const requestErrors = {
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
} as const
