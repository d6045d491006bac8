import type { ErrorRow } from '../../contract/errors.ts'
import { hasEtag, responseHeaders } from '../../contract/headers.ts'
import type { ResponseRow } from '../../contract/operation.ts'
import { ErrorEnvelope } from '../../contract/schemas/envelope.ts'
import type { Publisher } from '../published-schema.ts'
import type { AnyOperation } from './any-operation.ts'

type HeaderName = keyof typeof responseHeaders

export interface Response {
  readonly description: string
  readonly headers: Record<string, { $ref: string }>
  readonly content?: Record<string, object>
}

/** Every answer of an operation, by status: its successes, and one response for each status of its errors. */
export function responsesOf(
  operation: AnyOperation,
  publisher: Publisher,
  errors: ErrorRows,
): Record<string, Response> {
  const statuses = Map.groupBy(operation.errors, (code) => errors[code]!.status)
  return Object.fromEntries([
    ...operation.responses.map((row) => [row.status, successResponse(row, publisher)]),
    ...(operation.responses.some(hasEtag) ? [[304, unchanged]] : []),
    ...[...statuses].map(([status, codes]) => [status, errorResponse({ operation, status, codes, errors }, publisher)]),
  ])
}

/** The headers of answers, to which responses refer. */
export const sharedHeaders = Object.fromEntries(
  Object.entries(responseHeaders).map(([name, { description, required, schema }]) => [
    name,
    { description, required, schema },
  ]),
)

function successResponse(
  { description, headers = [], contentType, schema, example }: ResponseRow,
  publisher: Publisher,
) {
  return {
    description,
    headers: withHeaders(...headers),
    content: { [contentType]: { schema: publisher.publish(schema), example } },
  }
}

const unchanged: Response = { description: 'Your copy is current.', headers: withHeaders('ETag') }

type ErrorRows = Readonly<Record<string, ErrorRow>>

interface ErrorStatus {
  operation: AnyOperation
  status: number
  codes: string[]
  errors: ErrorRows
}

function errorResponse({ operation, status, codes, errors }: ErrorStatus, { publish }: Publisher): Response {
  const examples = codes.map((code) => [
    code,
    {
      summary: errors[code]!.meaning,
      description: errors[code]!.retry,
      value: { error: { code, message: errors[code]!.meaning } },
    },
  ])
  return {
    description: codes.map((code) => `\`${code}\`: ${errors[code]!.meaning} ${errors[code]!.retry}`).join('\n\n'),
    headers: withHeaders(...errorHeaders(operation, status)),
    content: {
      'application/json': { schema: publish(ErrorEnvelope(codes)), examples: Object.fromEntries(examples) },
    },
  }
}

/** The outcome of a forwarded call is stored, failures too. */
function errorHeaders({ billing }: AnyOperation, status: number): HeaderName[] {
  if (status === 429) return ['Retry-After']
  return billing && status >= 502 && status <= 503 ? ['Idempotent-Replayed'] : []
}

function withHeaders(...names: HeaderName[]): Response['headers'] {
  return Object.fromEntries(['X-Request-Id', ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
