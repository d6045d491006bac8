import type { Operation, ResponseHeader } from './operations.ts'
import { csrfTokenMinLength } from './schemas/identity.ts'

export const sessionCookieName = 'gateway_session'
export const idempotencyKeyMaxLength = 128

export interface HeaderRow {
  readonly name: string
  readonly description: string
  readonly required: boolean
  readonly schema: Readonly<Record<string, unknown>>
  /** What a sample request shows. */
  readonly sample: string
}

const idempotencyKey: HeaderRow = {
  name: 'Idempotency-Key',
  description:
    'One new value for each intent, kept when the same intent is sent again: it makes a repeat safe. Use a UUID.',
  required: true,
  schema: { type: 'string', minLength: 1, maxLength: idempotencyKeyMaxLength },
  sample: 'a-new-uuid-for-each-intent',
}

const csrfToken: HeaderRow = {
  name: 'X-CSRF-Token',
  description: 'The csrfToken of the register or login answer, or of the latest GET /v1/me. Bound to the session.',
  required: true,
  schema: { type: 'string', minLength: csrfTokenMinLength },
  sample: '<csrfToken>',
}

const ifNoneMatch: HeaderRow = {
  name: 'If-None-Match',
  description: 'The ETag of the copy you have; 304 says that it is still current.',
  required: false,
  schema: { type: 'string' },
  sample: '"<etag>"',
}

/** The headers that a caller sends by themselves; the cookie and the API key are security schemes. */
export function requestHeadersOf(operation: Operation, origin: string): HeaderRow[] {
  const { access, takesIdempotencyKey, responses } = operation
  const originRow: HeaderRow = {
    name: 'Origin',
    description: 'Exactly the canonical origin. A browser sends it by itself.',
    required: true,
    schema: { type: 'string', const: origin },
    sample: origin,
  }
  return [
    ...(access === 'origin' || access === 'session-write' ? [originRow] : []),
    ...(access === 'session-write' ? [csrfToken] : []),
    ...(takesIdempotencyKey ? [idempotencyKey] : []),
    ...(responses.some(hasEtag) ? [ifNoneMatch] : []),
  ]
}

export const hasEtag = ({ headers }: Operation['responses'][number]) => headers?.includes('ETag') ?? false

/** The headers of answers that mean something to a caller. */
export const responseHeaders: Record<
  ResponseHeader | 'X-Request-Id' | 'Retry-After',
  Omit<HeaderRow, 'name' | 'sample'>
> = {
  'X-Request-Id': {
    description: 'Names this request in the log. Quote it when you ask the operator.',
    required: true,
    schema: { type: 'string', minLength: 1 },
  },
  'Set-Cookie': {
    description: `The ${sessionCookieName} cookie: HttpOnly, SameSite=Strict. Logging out clears it.`,
    required: true,
    schema: { type: 'string' },
  },
  'Idempotent-Replayed': {
    description: 'Present when a stored answer is returned; nothing was charged again.',
    required: false,
    schema: { type: 'string', const: 'true' },
  },
  'Retry-After': {
    description: 'Seconds until the window ends. Absent where waiting alone does not help.',
    required: false,
    schema: { type: 'integer', minimum: 1 },
  },
  ETag: {
    description: 'Names this content. Send it back as If-None-Match.',
    required: true,
    schema: { type: 'string' },
  },
}
