import { expect } from 'vitest'
import { type ErrorCode, errors } from '../../src/contract/errors.ts'
import { ErrorEnvelope } from '../../src/contract/field.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { publicOperations } from '../../src/contract/operations.ts'
import { compile } from '../../src/contract/validate.ts'
import { providerNames } from '../providers/provider-names.ts'
import type { HttpResponse } from './gateway.ts'

/** The operations as the contract of an unconfigured gateway states them. */
export const contractOf = new Map(publicOperations(providerNames).map((operation) => [operation.id, operation]))

const checks = new Map([...contractOf].map(([id, operation]) => [id, checksOf(operation)]))

/** How a response breaks the contract of its operation: a status, code or field that is not in it. */
export function breachOf(operationId: string, { status, headers, body }: HttpResponse): string | null {
  const { responses, envelope } = checks.get(operationId)!
  if (!String(headers['content-type']).startsWith('application/json')) return `content type ${headers['content-type']}`
  if (!headers['x-request-id']) return 'no X-Request-Id'
  const check = responses.get(status)
  if (check) return check(body).ok ? null : `the body of ${status} does not conform: ${JSON.stringify(body)}`
  if (!envelope(body).ok) return `${status} with ${JSON.stringify(body)} is not in the contract`
  const code = body.error.code as ErrorCode
  if (errors[code].status !== status) return `${code} with status ${status}`
  return contractOf.get(operationId)!.access === 'key' ? hintBreach(code, headers) : null
}

/** How the hints of an error break the table. Whether the key is used up only the test of a case knows. */
function hintBreach(code: ErrorCode, headers: HttpResponse['headers']): string | null {
  const { 'x-should-retry': should, 'retry-hint': hint, 'retry-after': after } = headers
  if (should === undefined && hint === undefined && ofTransport.has(code)) return null
  const { repeat } = errors[code]
  const hints = { wait: ['same-key', 'new-key'], fix: ['new-key', 'never'], never: ['never'] }[repeat]
  const isRight =
    hints.includes(String(hint)) &&
    should === String(repeat === 'wait') &&
    (after !== undefined) === (repeat === 'wait')
  return isRight ? null : `${code} with x-should-retry ${should}, Retry-Hint ${hint}, Retry-After ${after}`
}

/** Refused before a handler runs, which gives no hints. */
const ofTransport = new Set<ErrorCode>([
  'REQUEST_TARGET_INVALID',
  'REQUEST_HEADERS_INVALID',
  'REQUEST_HEADERS_TOO_LARGE',
  'HTTP_VERSION_UNSUPPORTED',
  'TRANSFER_ENCODING_UNSUPPORTED',
  'CONTENT_LENGTH_INVALID',
  'HOST_NOT_ALLOWED',
  'PAYLOAD_TOO_LARGE',
  'REQUEST_TIMEOUT',
])

export function expectInContract(operationId: string, response: HttpResponse): void {
  expect(breachOf(operationId, response)).toBeNull()
}

export function expectRefusal(operationId: string, response: HttpResponse, code: ErrorCode): void {
  expect({ status: response.status, code: response.body?.error?.code }).toEqual({ status: errors[code].status, code })
  expectInContract(operationId, response)
}

function checksOf({ responses, errors: codes }: Operation) {
  return {
    responses: new Map(responses.map(({ status, schema }) => [status, compile(schema, { acceptsNul: true })])),
    envelope: compile(ErrorEnvelope(codes)),
  }
}
