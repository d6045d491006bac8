import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { type ErrorCode, errors } from '../../src/contract/errors.ts'
import { named } from '../../src/contract/field.ts'
import { publicOperations } from '../../src/contract/operations.ts'
import { prices } from '../../src/contract/prices.ts'
import { type OpenapiOperation, openapiDocument } from '../../src/documents/openapi.ts'
import { createPublisher } from '../../src/documents/published-schema.ts'
import { eachRow } from '../../testkit/each-row.ts'
import { providerNames } from '../../testkit/providers/provider-names.ts'

const origin = 'https://gateway.example'
const operations = publicOperations(providerNames)
/** As a client gets it. */
const document = JSON.parse(JSON.stringify(openapiDocument({ operations, origin })))

const rows = operations.map((operation) => {
  const method = operation.method.toLowerCase()
  const pointer = `/paths/${operation.path.replaceAll('/', '~1')}/${method}`
  return { id: operation.id, operation, pointer, described: document.paths[operation.path]?.[method] as Described }
})

interface Described extends Omit<OpenapiOperation, 'requestBody' | 'responses'> {
  requestBody?: { content: Record<string, { schema: object; example: unknown }> }
  responses: Record<string, DescribedResponse>
}
interface DescribedResponse {
  description: string
  headers: Record<string, object>
  content?: Record<string, { schema: object; example?: unknown; examples?: Record<string, { value: unknown }> }>
}

const ajv = addFormats.default(new Ajv2020({ strict: false }))
ajv.addSchema(document, 'document')

/** The errors of a value against the schema at this pointer of the document. */
function faults(pointer: string, values: unknown[]) {
  const check = ajv.compile({ $ref: `document#${encodeURI(pointer)}` })
  return values.flatMap((value) => (check(value) ? [] : check.errors!))
}

test('an independent validator accepts the document', async () => {
  const result = await new Validator().validate(structuredClone(document))
  expect(result).toEqual({ valid: true })
})

test('it is OpenAPI 3.1 of this contract version, served at the origin', () => {
  expect(document.openapi).toMatch(/^3\.1\.\d+$/)
  expect(document.info).toMatchObject({ title: 'API Relay Gateway', version: '2026-09-03' })
  expect(document.info.description).toContain('manual_review')
  expect(document.servers).toEqual([expect.objectContaining({ url: origin })])
})

test('every tag an operation has is described', () => {
  const known = document.tags.map(({ name }: { name: string }) => name)
  expect([...new Set(rows.map(({ described }) => described.tags[0]))].sort()).toEqual([...known].sort())
})

describe('for every operation', () => {
  const each = (check: (row: (typeof rows)[number]) => void) => eachRow(rows, ({ id }) => id, check)

  test('its examples match its schemas', () =>
    each(({ pointer, described }) => {
      for (const type of Object.keys(described.requestBody?.content ?? {})) {
        const at = `${pointer}/requestBody/content/${type.replace('/', '~1')}/schema`
        expect(faults(at, [described.requestBody!.content[type]!.example])).toEqual([])
      }
      for (const [status, { content = {} }] of Object.entries(described.responses)) {
        for (const [type, { example, examples = {} }] of Object.entries(content)) {
          const values = example === undefined ? Object.values(examples).map(({ value }) => value) : [example]
          expect(values.length).toBeGreaterThan(0)
          const at = `${pointer}/responses/${status}/content/${type.replace('/', '~1')}/schema`
          expect(faults(at, values)).toEqual([])
        }
      }
      described.parameters.forEach(({ example }, index) => {
        if (example !== undefined) expect(faults(`${pointer}/parameters/${index}/schema`, [example])).toEqual([])
      })
    }))

  test('each error status lists exactly its codes, with an example and a remedy for each', () =>
    each(({ operation, described }) => {
      const byStatus = Map.groupBy(operation.errors, (code) => String(errors[code].status))
      const successes = operation.responses.map(({ status }) => String(status))
      const cached = operation.tag === 'Documentation' ? ['304'] : []
      expect(Object.keys(described.responses).sort()).toEqual([...successes, ...cached, ...byStatus.keys()].sort())
      for (const [status, codes] of byStatus) {
        const { description, content } = described.responses[status]!
        const { schema, examples } = content!['application/json']! as { schema: ErrorSchema; examples: object }
        expect(schema.properties.error.properties.code.enum).toEqual(codes)
        expect(Object.keys(examples)).toEqual(codes)
        for (const code of codes) {
          expect(examples).toHaveProperty(code, expect.objectContaining({ description: errors[code].retry }))
          expect(description).toContain(`\`${code}\`: ${errors[code].meaning} ${errors[code].retry}`)
        }
      }
    }))

  test('its headers, parameters and security match its access', () =>
    each(({ operation, described }) => {
      const { access, takesIdempotencyKey, billing, pathParameters = {} } = operation
      const isWrite = access === 'origin' || access === 'session-write'
      const required = described.parameters.filter((parameter) => parameter.required).map(({ name }) => name)
      expect(required).toEqual([
        ...Object.keys(pathParameters),
        ...(isWrite ? ['Origin'] : []),
        ...(access === 'session-write' ? ['X-CSRF-Token'] : []),
        ...(takesIdempotencyKey ? ['Idempotency-Key'] : []),
      ])
      expect(described.security).toEqual(
        {
          public: [],
          origin: [],
          session: [{ session: [] }],
          'session-write': [{ session: [], csrf: [] }],
          key: [{ key: [billing?.scope] }],
        }[access],
      )
      for (const { headers } of Object.values(described.responses)) expect(headers).toHaveProperty('X-Request-Id')
      if (described.responses['429']) expect(described.responses['429'].headers).toHaveProperty('Retry-After')
      for (const [status, { headers }] of Object.entries(described.responses))
        for (const name of ['x-should-retry', 'Retry-Hint'])
          expect(name in headers, `${name} of ${status}`).toBe(access === 'key' && Number(status) >= 400)
    }))
})

interface ErrorSchema {
  properties: { error: { properties: { code: { enum: ErrorCode[] } } } }
}

test('the limits of required headers are stated', () => {
  const { parameters } = document.paths['/v1/orders'].post as Described
  const schemaOf = (name: string) => parameters.find((parameter) => parameter.name === name)!.schema
  expect(schemaOf('Origin')).toMatchObject({ enum: [origin] })
  expect(schemaOf('X-CSRF-Token')).toMatchObject({ minLength: 10 })
  expect(schemaOf('Idempotency-Key')).toMatchObject({ minLength: 1, maxLength: 128 })
})

test('billable operations state their price and scope, and only they do', () => {
  for (const { id, described } of rows) {
    const price = prices[id as keyof typeof prices]
    expect(described['x-credits']).toBe(price?.credits)
    expect(described['x-scope']).toBe(price?.scope)
  }
})

test('sessions are set by cookie, replays are marked, documents are tagged', () => {
  const headersOf = (path: string, method: string, status: number) =>
    Object.keys(document.paths[path][method].responses[status].headers)
  expect(headersOf('/v1/auth/register', 'post', 201)).toContain('Set-Cookie')
  expect(headersOf('/v1/auth/login', 'post', 200)).toContain('Set-Cookie')
  expect(headersOf('/v1/auth/logout', 'post', 200)).toContain('Set-Cookie')
  for (const status of [200, 202, 502, 503])
    for (const name of ['Idempotent-Replayed', 'X-Charge-Id'])
      expect(headersOf('/v1/models/chat', 'post', status)).toContain(name)
  for (const status of [200, 304]) expect(headersOf('/llms.txt', 'get', status)).toContain('ETag')
})

test('it has no custom keywords except x- extensions', () => {
  const text = JSON.stringify(document)
  expect(text).not.toContain('uniqueItemRefs')
  expect(text).not.toContain('~kind')
  expect(text).toContain('"x-error-code":"INVALID_ITEM_REFS"')
})

test('resources are defined once and referenced', () => {
  const names = Object.keys(document.components.schemas)
  const text = JSON.stringify(document)
  expect(names).toEqual(
    expect.arrayContaining(['Account', 'CreatedKey', 'Credits', 'Item', 'ItemRef', 'Key', 'Me', 'Order', 'Pricing']),
  )
  for (const name of names) expect(text).toContain(`"$ref":"#/components/schemas/${name}"`)
})

test('two different schemas cannot share a name', () => {
  const { publish } = createPublisher()
  publish(named('Twin', {}))
  expect(() => publish(named('Twin', {}, { description: 'another' }))).toThrow('Two shapes are named Twin')
})

test('agent requests state which payload goes with which operation', () => {
  const { discriminator } = document.components.schemas.AgentRequest.properties.arguments
  expect(Object.keys(discriminator.mapping)).toEqual(['search', 'filter', 'compare', 'recommend', 'prepurchase_review'])
  for (const target of Object.values<string>(discriminator.mapping))
    expect(document.components.schemas).toHaveProperty(target.slice('#/components/schemas/'.length))
})
