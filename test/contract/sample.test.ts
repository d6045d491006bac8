import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { consoleOperations, operatorOperations } from '../../src/app/features.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { pathExampleOf, requestExampleOf, responseExampleOf, sampleOf } from '../../src/contract/sample.ts'
import { mediaOperations } from '../../src/features/calls/media/operations.ts'
import { completionOperations } from '../../src/features/calls/openai/contract.ts'
import { keyReadOperations } from '../../src/features/programs/key-api/contract.ts'

const documents: Record<string, readonly Operation<string, string>[]> = {
  console: consoleOperations,
  operator: operatorOperations,
  media: mediaOperations(['media_provider_a'], 5),
  completions: completionOperations,
  key: keyReadOperations,
}

describe.each(Object.entries(documents))('of the %s API', (_, operations) => {
  const ajv = addFormats.default(new Ajv2020({ strict: false }))

  test('every example of a request and a response conforms to its schema', () => {
    const rows = operations.flatMap((operation) => [
      ...(operation.request ? [[operation.id, operation.request, requestExampleOf(operation)] as const] : []),
      ...operation.responses.map((row) => [operation.id, row.schema, responseExampleOf(row)] as const),
    ])
    expect(rows.length).toBeGreaterThan(3)
    for (const [id, schema, example] of rows) {
      const check = ajv.compile(schema)
      check(example)
      expect({ id, example, errors: check.errors }).toEqual({ id, example, errors: null })
    }
  })

  test('every example of a path parameter matches its pattern', () => {
    for (const { id, pathParameters = {} } of operations)
      for (const row of Object.values(pathParameters))
        expect(pathExampleOf(row), id).toMatch(new RegExp(row.pattern, 'u'))
  })
})

test('a pattern that cannot be sampled asks for an example of its field', () => {
  expect(() => sampleOf({ type: 'string', pattern: '^[~]{3}$' })).toThrow('examples')
  expect(sampleOf({ type: 'string', pattern: '^[~]{3}$', examples: ['~~~'] })).toBe('~~~')
})
