import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { consoleOperations } from '../../../src/app/features.ts'
import { responseExampleOf } from '../../../src/contract/sample.ts'
import { compile } from '../../../src/contract/validate.ts'
import { usageParameters } from '../../../src/features/records/reports/contract.ts'
import { contractOf } from '../../../testkit/gateway/contract-check.ts'
import type { Gateway } from '../../../testkit/gateway/gateway.ts'
import { sharedGateway } from '../../../testkit/gateway/shared-gateway.ts'

type Document = {
  paths: Record<string, Record<string, { operationId: string; parameters: { in: string; name: string }[] }>>
}

describe("the console's own document", () => {
  let gateway: Gateway
  beforeAll(async () => {
    gateway = await sharedGateway()
  })
  afterAll(() => gateway.stop())

  const read = async (path: string) => (await gateway.send('GET', path)).body as Document
  const operationsOf = ({ paths }: Document) =>
    Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))

  test("the console's own document is valid OpenAPI 3.1 and describes every operation of the console, and no other", async () => {
    const document = await read('/console/openapi.json')
    expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true })
    const described = ['console.openapi', ...consoleOperations.map(({ id }) => id)]
    expect(operationsOf(document).sort()).toEqual(described.sort())
  })

  test("the console's own document says which query parameters there are", async () => {
    const { paths } = await read('/console/openapi.json')
    const queries = paths['/v1/console/usage']!.get!.parameters.filter(({ in: place }) => place === 'query')
    expect(queries.map(({ name }) => name)).toEqual(Object.keys(usageParameters))
    expect(queries).toContainEqual({
      name: 'limit',
      in: 'query',
      required: false,
      description: 'The maximum number of rows per page.',
      schema: { type: 'integer', minimum: 1, maximum: 100, default: 25 },
    })
  })

  test("the console's own document leaves the public document with the public operations only", async () => {
    const names = operationsOf(await read('/openapi.json'))
    expect(names.toSorted()).toEqual([...contractOf.keys()].toSorted())
    expect(names.filter((name) => name.startsWith('console'))).toEqual([])
  })

  test("the console's own document has an ETag and is also served in the local preview", async () => {
    const { headers, text } = await gateway.send('GET', '/console/openapi.json')
    const again = await gateway.send('GET', '/console/openapi.json', { 'if-none-match': String(headers.etag) })
    expect(again).toMatchObject({ status: 304, text: '' })
    expect((await gateway.send('GET', '/gateway/console/openapi.json')).text).toBe(text)
  })

  test("the console's own document has a valid example of every response", () => {
    for (const { id, responses } of consoleOperations) {
      for (const response of responses)
        expect({ id, ...compile(response.schema)(responseExampleOf(response)) }).toEqual({ id, ok: true })
    }
  })

  test("the console's own document describes paths that are all served", async () => {
    for (const { id, method, path, access } of consoleOperations) {
      const response = await gateway.send(
        method,
        path.replace('{chargeId}', 'chg_1').replace('{orderId}', 'ord_1').replace('{sessionId}', 'ses_1'),
        {},
        method === 'POST' ? '{}' : undefined,
      )
      const expected = { public: 200, session: 401, origin: 403, 'session-write': 403 }[access as 'public']
      expect({ id, status: response.status }).toEqual({ id, status: expected })
    }
  })
})
