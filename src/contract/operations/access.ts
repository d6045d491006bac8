import type { TSchema } from '../../base/schema.ts'
import { type ErrorCode, errors } from '../errors.ts'
import { EmptyRequest } from '../field.ts'
import type { Access, Operation, ResponseRow } from '../operation.ts'

/** Codes that a request can get before its path is known. */
export const headCodes: readonly ErrorCode[] = [
  'REQUEST_TARGET_INVALID',
  'REQUEST_HEADERS_INVALID',
  'REQUEST_HEADERS_TOO_LARGE',
  'HTTP_VERSION_UNSUPPORTED',
  'TRANSFER_ENCODING_UNSUPPORTED',
  'CONTENT_LENGTH_INVALID',
  'REQUEST_TIMEOUT',
]

/** Codes that any request can get before its operation runs. RATE_LIMITED also means that the gateway is overloaded. */
const transport: readonly ErrorCode[] = [...headCodes, 'HOST_NOT_ALLOWED', 'RATE_LIMITED', 'INTERNAL_ERROR']

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

type SharedRow = Pick<Operation, 'id' | 'tag' | 'path' | 'summary'> &
  Partial<Pick<Operation, 'description' | 'deprecated' | 'pathParameters'>> & {
    readonly ownErrors?: readonly ErrorCode[]
  }

export interface ViewRow extends SharedRow {
  readonly access?: 'session' | 'public'
  readonly queryParameters?: Readonly<Record<string, TSchema>>
  readonly response: ResponseRow
}

/** A read with the session alone. Its type keeps the path and the schemas, which type the console's calls. */
export function view<const R extends ViewRow>({ response, ownErrors, access = 'session', ...row }: R): ViewOf<R> {
  return {
    ...row,
    ...{ method: 'GET', access, takesIdempotencyKey: false, responses: [response] },
    errors: errorsOf(access, ownErrors),
  } as unknown as ViewOf<R>
}

export interface WriteRow extends SharedRow {
  readonly access?: 'session-write' | 'origin'
  readonly takesIdempotencyKey?: true
  /** An empty object by default. */
  readonly request?: TSchema
  readonly requestExample?: unknown
  readonly responses: readonly ResponseRow[]
}

/** A write of the console. */
export function write<const R extends WriteRow>({ responses, ownErrors, ...row }: R): WriteOf<R> {
  const access = row.access ?? 'session-write'
  return {
    ...{ access, takesIdempotencyKey: false },
    ...(!row.request && { request: EmptyRequest(), requestExample: {} }),
    ...row,
    ...{ method: 'POST', responses, errors: errorsOf(access, ownErrors) },
  } as unknown as WriteOf<R>
}

/** All of an operation but what its own type says. */
export type Stated<Op = Operation> = Omit<
  Op,
  'method' | 'path' | 'takesIdempotencyKey' | 'queryParameters' | 'request' | 'responses'
>

export type ViewOf<R extends Pick<ViewRow, 'path' | 'response'>, Base = Stated> = Base & {
  readonly method: 'GET'
  readonly path: R['path']
  readonly takesIdempotencyKey: false
  readonly responses: readonly [R['response']]
} & (R extends { readonly queryParameters: infer Query } ? { readonly queryParameters: Query } : unknown)

export type WriteOf<R extends Pick<WriteRow, 'path' | 'responses'>, Base = Stated> = Base & {
  readonly method: 'POST'
  readonly path: R['path']
  readonly takesIdempotencyKey: R extends { readonly takesIdempotencyKey: true } ? true : false
  readonly request: R extends { readonly request: infer Body } ? Body : ReturnType<typeof EmptyRequest>
  readonly responses: R['responses']
}
