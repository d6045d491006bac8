import { Type } from '../../../base/schema.ts'
import type { ErrorRow } from '../../../contract/error-codes/row.ts'
import { type ErrorCode, errors } from '../../../contract/errors.ts'
import { Choice, chargeIdPattern, closed, ErrorEnvelope } from '../../../contract/field.ts'
import { headCodes } from '../../../contract/operations/access.ts'
import { withRetryHints } from '../../../http/retry-hints.ts'
import type { Call, RouteResponse } from '../../../http/route.ts'
import type { PresentRefusal } from '../../../relay/call.ts'

export const errorTypes = [
  'invalid_request_error',
  'authentication_error',
  'permission_error',
  'insufficient_quota',
  'rate_limit_error',
  'server_error',
] as const

/** The protocol responds with 404 for a model that does not exist; the native path with 400. */
export const completionErrors: Readonly<Record<ErrorCode, ErrorRow>> = {
  ...errors,
  MODEL_NOT_ALLOWED: { ...errors.MODEL_NOT_ALLOWED, status: 404 },
}

function typeOf(code: ErrorCode): (typeof errorTypes)[number] {
  const { status } = completionErrors[code]
  if (code === 'MANUAL_REVIEW' || status >= 500) return 'server_error'
  switch (status) {
    case 401:
      return 'authentication_error'
    case 402:
      return 'insufficient_quota'
    case 403:
      return 'permission_error'
    case 429:
      return 'rate_limit_error'
    default:
      return 'invalid_request_error'
  }
}

export interface ErrorFacts {
  readonly code: ErrorCode
  readonly message?: string | undefined
  readonly param?: string | null | undefined
  /** The provider refused the request with 400: the fault is the caller's, and the code the provider's if it has one. */
  readonly refusedWith?: string | null | undefined
}

/** An error as clients of the protocol expect it. */
export const errorOf = ({ code, message = errors[code].meaning, param = null, refusedWith }: ErrorFacts) =>
  refusedWith === undefined
    ? { message, type: typeOf(code), param, code }
    : { message, type: 'invalid_request_error', param, code: refusedWith ?? code }

export const errorResponse = (facts: ErrorFacts, more: Partial<RouteResponse> = {}): RouteResponse => ({
  ...more,
  status: facts.refusedWith === undefined ? completionErrors[facts.code].status : 400,
  code: facts.code,
  body: { error: errorOf(facts) },
})

/** The last part of a stream that failed. No `[DONE]` follows. */
export const errorChunk = (facts: ErrorFacts, chargeId: string | null): string =>
  `data: ${JSON.stringify({ error: { ...errorOf(facts), charge_id: chargeId } })}\n\n`

/** Completes every response of these paths: hints for a repeat, and errors in the words of the protocol. */
export function finishResponse(response: RouteResponse, call: Call | null): RouteResponse {
  const finished = withRetryHints(response, call)
  const { code, status, body } = finished
  if (code === undefined || status < 400) return finished
  const plain = typeof body === 'string' ? JSON.parse(body) : body
  if (!('error' in plain) || 'type' in plain.error) return finished
  const translated = errorResponse({ code: code as ErrorCode, message: plain.error.message })
  // What is sent to many, because of overload, was serialized once.
  return {
    ...finished,
    ...translated,
    body: typeof body === 'string' ? JSON.stringify(translated.body) : translated.body,
  }
}

const ProtocolError = (codes: readonly string[]) =>
  closed({
    error: closed({
      message: Type.String({ minLength: 1 }),
      type: Choice(errorTypes),
      param: Type.Union([Type.String(), Type.Null()], { description: 'The parameter at fault.' }),
      code: Type.Union([Choice(codes), Type.String({ pattern: '^[a-z0-9_]{1,64}$' })], {
        description:
          'Rely on the code, never on the message. In lower case, it is that of the provider, which refused the request.',
      }),
    }),
  })

export const errorShape = {
  /** Where both shapes are possible, only that of the protocol has a `type`. */
  schema(codes: readonly string[]) {
    const early = codes.filter((code) => headCodes.some((head) => head === code))
    return early.length > 0 ? Type.Union([ProtocolError(codes), ErrorEnvelope(early)]) : ProtocolError(codes)
  },
  example: (code: string) => ({ error: errorOf({ code: code as ErrorCode }) }),
}

/** The error of a stream has the charge as well. */
export const StreamError = closed({
  error: closed({
    message: Type.String({ minLength: 1 }),
    type: Choice(errorTypes),
    param: Type.Null(),
    code: Type.String(),
    charge_id: Type.Union([Type.String({ pattern: chargeIdPattern }), Type.Null()]),
  }),
})

const refusedCode = 'PROVIDER_REQUEST_REJECTED'

/** How a refusal of the provider is stored: clients of the protocol repeat a 502, but not a 400. */
export const presentRefusal: PresentRefusal = ({ code, refusedWith }) =>
  code === refusedCode && refusedWith !== undefined
    ? { status: 400, body: { error: { code, message: errors[code].meaning, refusedWith } } }
    : null

/** What `presentRefusal` has stored. */
export const storedRefusal = (status: number, body: object): Pick<ErrorFacts, 'refusedWith'> =>
  status === 400 ? { refusedWith: (body as { error: ErrorFacts }).error.refusedWith } : {}
