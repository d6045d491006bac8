import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { consoleOperations } from '../../src/app/features.ts'
import { publicOperations } from '../../src/contract/operations.ts'
import { consoleDocument } from '../../src/documents/console-document.ts'
import { openapiDocument } from '../../src/documents/openapi.ts'
import { providerNames } from '../../testkit/providers/provider-names.ts'

const origin = 'https://gateway.example'
const documents = {
  public: openapiDocument({ operations: publicOperations(providerNames), origin }),
  console: consoleDocument(consoleOperations, origin),
}

describe.each(Object.entries(documents))('the %s document', (_, built) => {
  /** As a client gets it. */
  const document = JSON.parse(JSON.stringify(built)) as typeof built
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))

  test('the document has an example of every shape, which conforms to it', () => {
    const ajv = addFormats.default(new Ajv2020({ strict: false }))
    ajv.addSchema(document, 'document')
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      const examples = schema.examples as unknown[]
      expect({ name, examples }).toEqual({ name, examples: [expect.any(Object)] })
      const check = ajv.compile({ $ref: `document#/components/schemas/${name}` })
      for (const example of examples) {
        check(example)
        expect({ name, errors: check.errors }).toEqual({ name, errors: null })
      }
    }
  })

  test('the document has an example of every path parameter, which fits its pattern', () => {
    const parameters = operations.flatMap((operation) => operation.parameters).filter((row) => row.in === 'path')
    expect(parameters.length).toBeGreaterThan(0)
    for (const { example, schema } of parameters) expect(example).toMatch(new RegExp(schema.pattern as string))
  })

  test('the document has no component that nothing refers to', () => {
    const text = JSON.stringify(document)
    const { securitySchemes, ...referred } = document.components
    for (const [kind, components] of Object.entries(referred))
      for (const name of Object.keys(components)) expect(text).toContain(`"#/components/${kind}/${name}"`)
    const asked = new Set(operations.flatMap(({ security }) => security.flatMap((scheme) => Object.keys(scheme))))
    expect(Object.keys(securitySchemes).sort()).toEqual([...asked].sort())
  })
})
