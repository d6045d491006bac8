import { type ErrorCode, errors } from '../errors.ts'
import type { Access, Operation, ResponseRow } from '../operation.ts'

/** Codes that any request can get before its operation runs. RATE_LIMITED also means that the gateway is overloaded. */
const transport: ErrorCode[] = [
  'REQUEST_TARGET_INVALID',
  'REQUEST_HEADERS_INVALID',
  'REQUEST_HEADERS_TOO_LARGE',
  'HTTP_VERSION_UNSUPPORTED',
  'TRANSFER_ENCODING_UNSUPPORTED',
  'CONTENT_LENGTH_INVALID',
  'REQUEST_TIMEOUT',
  'HOST_NOT_ALLOWED',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
]

const body: ErrorCode[] = ['REQUEST_BODY_INCOMPLETE', 'INVALID_JSON', 'UNKNOWN_FIELDS', 'PAYLOAD_TOO_LARGE']

const byAccess: Record<Access, ErrorCode[]> = {
  public: [],
  origin: ['ORIGIN_INVALID', ...body],
  session: ['GATEWAY_AUTH_REQUIRED'],
  'session-write': ['ORIGIN_INVALID', 'GATEWAY_AUTH_REQUIRED', 'CSRF_INVALID', ...body],
  key: ['UNAUTHORIZED', 'KEY_EXPIRED', 'FORBIDDEN', 'IDEMPOTENCY_KEY_REQUIRED', ...body],
}

/** All codes that an operation may return: those of the transport, of its access, and its own. */
export function errorsOf(access: Access, own: readonly ErrorCode[] = []): ErrorCode[] {
  return [...new Set([...transport, ...byAccess[access], ...own])]
}

/** Requests that match no operation get these. */
const unmatched: ErrorCode[] = ['NOT_FOUND', 'METHOD_NOT_ALLOWED']

/** The codes that a document of these operations explains, in the order of the contract. */
export function codesIn(operations: readonly Pick<Operation, 'errors'>[]): ErrorCode[] {
  const used = new Set([...unmatched, ...operations.flatMap((operation) => operation.errors)])
  return (Object.keys(errors) as ErrorCode[]).filter((code) => used.has(code))
}

export type View = Pick<Operation, 'id' | 'tag' | 'path' | 'summary'> &
  Partial<Pick<Operation, 'description' | 'pathParameters' | 'queryParameters'>> & {
    readonly answer: ResponseRow
    readonly ownErrors?: readonly ErrorCode[]
  }

/** Something to look at with the session alone. */
export function view({ answer, ownErrors, ...row }: View): Operation {
  return {
    ...row,
    method: 'GET',
    access: 'session',
    takesIdempotencyKey: false,
    responses: [answer],
    errors: errorsOf('session', ownErrors),
  }
}
