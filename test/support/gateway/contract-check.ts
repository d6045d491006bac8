import { expect } from 'vitest'
import { type ErrorCode, errors } from '../../../src/contract/errors.ts'
import { ErrorEnvelope } from '../../../src/contract/field.ts'
import type { Operation } from '../../../src/contract/operation.ts'
import { publicOperations } from '../../../src/contract/operations.ts'
import { compile } from '../../../src/contract/validate.ts'
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
  return errors[code].status === status ? null : `${code} with status ${status}`
}

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
