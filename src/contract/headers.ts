import type { CompletionHeader, MediaHeader, Operation, ResponseHeader, ResponseRow } from './operation.ts'
import { csrfTokenMinLength } from './schemas/identity.ts'

export const sessionCookieName = 'gateway_session'
export const idempotencyKeyMaxLength = 128

export interface HeaderRow {
  readonly name: string
  readonly description: string
  readonly required: boolean
  readonly schema: Readonly<Record<string, unknown>>
  readonly sample: string
}

const idempotencyKey: HeaderRow = {
  name: 'Idempotency-Key',
  description:
    'A new value for each new call. Keep it when you retry the same call, so that it is charged only once. Use a UUID.',
  required: true,
  schema: { type: 'string', minLength: 1, maxLength: idempotencyKeyMaxLength },
  sample: 'a-new-uuid-for-each-call',
}

const csrfToken: HeaderRow = {
  name: 'X-CSRF-Token',
  description:
    'The csrfToken from the register or login response, or from the latest GET /v1/me. Bound to the session.',
  required: true,
  schema: { type: 'string', minLength: csrfTokenMinLength },
  sample: '<csrfToken>',
}

const ifNoneMatch: HeaderRow = {
  name: 'If-None-Match',
  description: 'The ETag of your copy. 304 means that it is still current.',
  required: false,
  schema: { type: 'string' },
  sample: '"<etag>"',
}

/** Without the cookie and the API key, which are security schemes. */
export function requestHeadersOf(operation: Operation<string, string>, origin: string): HeaderRow[] {
  const { access, takesIdempotencyKey, isIdempotencyKeyOptional = false, responses } = operation
  const originRow: HeaderRow = {
    name: 'Origin',
    description: 'Must be exactly the canonical origin. Browsers send it automatically.',
    required: true,
    // Not `const`, which some generators of clients do not know in a header.
    schema: { type: 'string', enum: [origin] },
    sample: origin,
  }
  return [
    ...(access === 'origin' || access === 'session-write' ? [originRow] : []),
    ...(access === 'session-write' ? [csrfToken] : []),
    ...(takesIdempotencyKey ? [{ ...idempotencyKey, required: !isIdempotencyKeyOptional }] : []),
    ...(responses.some(hasEtag) ? [ifNoneMatch] : []),
  ]
}

export const hasEtag = ({ headers }: ResponseRow) => headers?.includes('ETag') ?? false

/** On every error of a call with an API key. */
export const retryHeaders = ['x-should-retry', 'Retry-Hint'] as const
/** On 402. */
export const limitHeaders = ['Limit-Source', 'Limit-Remaining', 'Limit-Resets-At'] as const
type ErrorHeader = (typeof retryHeaders | typeof limitHeaders)[number]

type ResponseHeaderRow = Omit<HeaderRow, 'name' | 'sample'>

/** The response headers that matter to a caller of the public operations. */
export const publicResponseHeaders: Record<
  Exclude<ResponseHeader, MediaHeader | CompletionHeader> | 'X-Request-Id' | 'Retry-After' | ErrorHeader,
  ResponseHeaderRow
> = {
  'X-Request-Id': {
    description: 'Identifies this request in the log. Include it when you contact the operator.',
    required: true,
    schema: { type: 'string', minLength: 1 },
  },
  'Set-Cookie': {
    description: `The ${sessionCookieName} cookie: HttpOnly, SameSite=Strict. Logging out clears it.`,
    required: true,
    schema: { type: 'string' },
  },
  'Idempotent-Replayed': {
    description: 'Present when a stored response is returned. Nothing was charged again.',
    required: false,
    schema: { type: 'string', enum: ['true'] },
  },
  'Retry-After': {
    description: 'Seconds to wait before the next request. Absent if waiting alone does not help.',
    required: false,
    schema: { type: 'integer', minimum: 1 },
  },
  'X-Charge-Id': {
    description: 'The charge of this call, if it has one.',
    required: false,
    schema: { type: 'string', pattern: '^chg_[A-Za-z0-9]+$' },
  },
  'Limit-Source': {
    description: 'On 402: whether the project’s credits or the key’s budget do not cover the price.',
    required: false,
    schema: { type: 'string', enum: ['credits', 'key_budget'] },
  },
  'Limit-Remaining': {
    description: 'On 402: the credits that are left. Absent if the key cannot read the balance.',
    required: false,
    schema: { type: 'integer', minimum: 0 },
  },
  'Limit-Resets-At': {
    description: 'On 402: when a daily or monthly budget resets.',
    required: false,
    schema: { type: 'string', format: 'date-time' },
  },
  'x-should-retry': {
    description: 'On errors of API key calls: whether waiting and retrying can help.',
    required: false,
    schema: { type: 'string', enum: ['true', 'false'] },
  },
  'Retry-Hint': {
    description:
      'On errors of API key calls: retry with the same Idempotency-Key, with a new one, or not until a person has acted.',
    required: false,
    schema: { type: 'string', enum: ['same-key', 'new-key', 'never'] },
  },
  ETag: {
    description: 'Version of this content. Send it back as If-None-Match.',
    required: true,
    schema: { type: 'string' },
  },
}

const textHeader = (description: string, required = true): ResponseHeaderRow => ({
  description,
  required,
  schema: { type: 'string' },
})

/** All of them, those of media jobs and chat completions included. */
export const responseHeaders: Record<ResponseHeader | 'X-Request-Id' | ErrorHeader, ResponseHeaderRow> = {
  ...publicResponseHeaders,
  Location: textHeader('The path of the job.'),
  'Accept-Ranges': textHeader('Ranges are served in bytes.'),
  'Content-Range': textHeader('Which part of the content this is.'),
  'Content-Disposition': textHeader('A file name for the content.'),
  'Idempotency-Key': textHeader(
    'The key of the call, as sent or generated. Repeating it returns the same response.',
    false,
  ),
  'X-Credits-Charged': textHeader('What the call cost: its price once it is settled, 0 if it was released.', false),
  'X-Credits-Reserved': textHeader(
    'What is reserved while a stream is in progress, its charge is in review or its outcome is not recorded yet.',
    false,
  ),
}
