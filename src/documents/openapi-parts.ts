import type { TSchema } from '../base/schema.ts'
import type { ErrorRow } from '../contract/error-codes/row.ts'
import { ErrorEnvelope } from '../contract/field.ts'
import { hasEtag, limitHeaders, requestHeadersOf, responseHeaders, retryHeaders } from '../contract/headers.ts'
import type { Operation, ResponseRow } from '../contract/operation.ts'
import { pathExampleOf, requestExampleOf, responseExampleOf, sampleOf } from '../contract/sample.ts'
import type { Publisher } from './published-schema.ts'

export type AnyOperation = Operation<string, string>

export interface OpenapiParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly example?: string
}

/** Path parameters, query parameters and headers of an operation. */
export function parametersOf(operation: AnyOperation, origin: string): OpenapiParameter[] {
  const path = Object.entries(operation.pathParameters ?? {}).map(
    ([name, { pattern, code, words, ...more }]): OpenapiParameter => ({
      name,
      in: 'path',
      required: true,
      description: [words, `Anything else is answered ${code}.`].filter(Boolean).join(' '),
      schema: { type: 'string', ...(words === undefined && { pattern }), 'x-error-code': code },
      example: pathExampleOf({ pattern, ...more }),
    }),
  )
  const query = Object.entries(operation.queryParameters ?? {}).map(([name, parameter]): OpenapiParameter => {
    const { description, ...schema } = parameter as TSchema & { description?: string }
    return { name, in: 'query', required: false, ...(description !== undefined && { description }), schema }
  })
  const headers = requestHeadersOf(operation, origin).map(
    ({ sample, ...row }): OpenapiParameter => ({
      ...row,
      in: 'header',
      example: sample,
    }),
  )
  return [...path, ...query, ...headers]
}

type HeaderName = keyof typeof responseHeaders

export interface Response {
  readonly description: string
  readonly headers: Record<string, { $ref: string }>
  readonly content?: Record<string, object>
}

/** Every response of an operation, by status: its successes, and one response for each status of its errors. */
export function responsesOf(
  operation: AnyOperation,
  publisher: Publisher,
  errors: ErrorRows,
  shape: ErrorShape = plainErrors,
): Record<string, Response> {
  const statuses = Map.groupBy(operation.errors, (code) => errors[code]!.status)
  return Object.fromEntries([
    ...operation.responses.map((row) => [row.status, successResponse(row, publisher)]),
    ...(operation.responses.some(hasEtag) ? [[304, unchanged]] : []),
    ...[...statuses].map(([status, codes]) => [
      status,
      errorResponse({ operation, status, codes, errors }, shape, publisher),
    ]),
  ])
}

/** The headers that responses refer to. */
export const sharedHeaders = Object.fromEntries(
  Object.entries(responseHeaders).map(([name, { description, required, schema }]) => [
    name,
    { description, required, schema },
  ]),
)

function successResponse(
  { description, headers = [], contentType, schema, example, events }: ResponseRow,
  publisher: Publisher,
) {
  return {
    description,
    headers: withHeaders(...headers),
    content: {
      [contentType]: { schema: publisher.publish(schema), example: responseExampleOf({ schema, example }) },
      ...(events && { [eventStream]: { schema: streamOf(publisher.publish(events.schema)), example: events.example } }),
    },
  }
}

const eventStream = 'text/event-stream'

/** The body is a text; the schema is that of the JSON of each event. */
const streamOf = (contentSchema: object) => ({
  type: 'string',
  description: 'Server-sent events; `contentSchema` describes the data of each, but for the last one, `[DONE]`.',
  contentMediaType: eventStream,
  contentSchema,
})

const unchanged: Response = { description: 'Your copy is current.', headers: withHeaders('ETag') }

type ErrorRows = Readonly<Record<string, ErrorRow>>

interface ErrorStatus {
  operation: AnyOperation
  status: number
  codes: string[]
  errors: ErrorRows
}

/** What errors look like. */
export interface ErrorShape {
  readonly schema: (codes: readonly string[]) => TSchema
  readonly example: (code: string, row: ErrorRow) => object
}

const plainErrors: ErrorShape = {
  schema: ErrorEnvelope,
  example: (code, { meaning }) => ({ error: { code, message: meaning } }),
}

function errorResponse(row: ErrorStatus, shape: ErrorShape, { publish }: Publisher): Response {
  const { codes, errors } = row
  const examples = codes.map((code) => [
    code,
    {
      summary: errors[code]!.meaning,
      description: errors[code]!.retry,
      value: shape.example(code, errors[code]!),
    },
  ])
  return {
    description: codes.map((code) => `\`${code}\`: ${errors[code]!.meaning} ${errors[code]!.retry}`).join('\n\n'),
    headers: withHeaders(...errorHeaders(row)),
    content: {
      'application/json': { schema: publish(shape.schema(codes)), examples: Object.fromEntries(examples) },
    },
  }
}

function errorHeaders({ operation, codes, errors, status }: ErrorStatus): HeaderName[] {
  const { access, billing } = operation
  const isKeyCall = access === 'key'
  const hasWait = codes.some((code) => errors[code]!.repeat === 'wait')
  return [
    ...(status === 429 || (isKeyCall && hasWait) ? (['Retry-After'] as const) : []),
    // The outcome of a forwarded call is stored, failures too.
    ...(billing && status >= 502 && status <= 503 ? (['Idempotent-Replayed'] as const) : []),
    ...(billing && status >= 500 && status <= 503 ? (['X-Charge-Id'] as const) : []),
    ...(status === 402 ? limitHeaders : []),
    ...(isKeyCall ? retryHeaders : []),
  ]
}

function withHeaders(...names: HeaderName[]): Response['headers'] {
  return Object.fromEntries(['X-Request-Id', ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

type ShapeSchema = Readonly<Record<string, unknown>>

/** An example of every named shape, found where the examples of the operations use it: nothing is written twice. */
export function shapeExamples(operations: readonly AnyOperation[]): ReadonlyMap<string, unknown> {
  const examples = new Map<string, unknown>()
  const schemas: ShapeSchema[] = []
  for (const { request, requestExample, responses } of operations) {
    if (request) collect(request as ShapeSchema, requestExampleOf({ request, requestExample }))
    for (const row of responses) {
      collect(row.schema as ShapeSchema, responseExampleOf(row))
      if (row.events) collect(row.events.schema as ShapeSchema, firstEventOf(row.events.example))
    }
  }
  // What no example happens to show, such as the other tools of an agent, is made of parts that others show,
  // or says it itself.
  for (const schema of schemas) {
    const name = schema.title as string
    if (!examples.has(name)) examples.set(name, composed(schema, examples))
  }
  return examples

  function collect(schema: ShapeSchema, example: unknown): void {
    if (typeof schema.title === 'string') {
      schemas.unshift(schema)
      if (isObject(example) && !examples.has(schema.title)) examples.set(schema.title, example)
    }
    for (const [name, field] of Object.entries((schema.properties as Record<string, ShapeSchema> | undefined) ?? {}))
      collect(field, isObject(example) ? example[name] : undefined)
    if (schema.items) {
      const items = Array.isArray(example) && example.length > 0 ? example : [undefined]
      for (const item of items) collect(schema.items as ShapeSchema, item)
    }
    for (const choice of choicesOf(schema)) collect(choice, fits(choice, example) ? example : undefined)
  }
}

const firstEventOf = (stream: string): unknown => JSON.parse(/^data: (\{.*\})$/m.exec(stream)?.[1] ?? 'null')

const choicesOf = (schema: ShapeSchema) => (schema.oneOf ?? schema.anyOf ?? []) as ShapeSchema[]
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Fixed values and required fields distinguish the choices among objects. */
function fits(choice: ShapeSchema, example: unknown): boolean {
  if (!isObject(example)) return false
  const required = (choice.required as string[] | undefined) ?? []
  const fields = Object.entries((choice.properties as Record<string, ShapeSchema> | undefined) ?? {})
  return (
    required.every((name) => name in example) &&
    fields.every(([name, field]) => !(name in example) || isAllowed(field, example[name]))
  )
}

const isAllowed = ({ const: fixed, enum: allowed }: ShapeSchema, value: unknown): boolean =>
  (fixed === undefined || fixed === value) && (!Array.isArray(allowed) || allowed.includes(value))

function composed(schema: ShapeSchema, examples: ReadonlyMap<string, unknown>): unknown {
  if (schema.const !== undefined) return schema.const
  const known = examples.get(schema.title as string) ?? (schema.examples as unknown[] | undefined)?.[0]
  if (known !== undefined) return known
  const [choice] = choicesOf(schema)
  if (choice) return composed(choice, examples)
  if (schema.type === 'array') {
    const length = (schema.minItems as number | undefined) || 1
    return Array.from({ length }, () => composed(schema.items as ShapeSchema, examples))
  }
  if (schema.type !== 'object') return sampleOf(schema as TSchema)
  const required = new Set(schema.required as string[] | undefined)
  const fields = Object.entries((schema.properties as Record<string, ShapeSchema> | undefined) ?? {})
  const shown = fields.filter(([name]) => required.has(name))
  return Object.fromEntries(shown.map(([name, field]) => [name, composed(field, examples)]))
}
