import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { documents } from '../../testkit/docs/documents.ts'

type Node = Readonly<Record<string, unknown>>
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** Every object of a document with its JSON pointer, without those in examples. */
function* nodesOf(node: Node, pointer = ''): Generator<[string, Node]> {
  yield [pointer, node]
  for (const [key, value] of Object.entries(node)) {
    if (!isNode(value) || key === 'example' || key === 'examples') continue
    yield* nodesOf(value, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
  }
}

/** The examples of a request, a response or a parameter. */
const examplesOf = ({ example, examples }: Node): unknown[] => [
  ...(example === undefined ? [] : [example]),
  ...(isNode(examples) ? Object.values(examples).map((row) => (row as { value: unknown }).value) : []),
]

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

  // The next three are rules of Spectral and Redocly, linters that callers use.
  test('the document has examples of requests, responses and parameters that conform to their schemas', () => {
    const ajv = addFormats.default(new Ajv2020({ strict: false }))
    ajv.addSchema(document, 'document')
    const seen = new Set<string>()
    const faults: string[] = []
    for (const [pointer, node] of nodesOf(document)) {
      // Errors of one status are made alike: one of them will do.
      const key = /\/responses\/[45]\d\d\//.exec(pointer)?.[0] ?? JSON.stringify(node)
      if (!isNode(node.schema) || seen.has(key)) continue
      seen.add(key)
      const conforms = ajv.compile({ $ref: `document#${encodeURI(pointer)}/schema` })
      for (const example of examplesOf(node))
        if (!conforms(example)) faults.push(`${pointer}: ${ajv.errorsText(conforms.errors)}`)
    }
    expect(seen.size).toBeGreaterThan(5)
    expect(faults).toEqual([])
  })

  test('the document has no choice that says nothing: any value, or the same one again', () => {
    const faults = [...nodesOf(document)].flatMap(([pointer, { anyOf, oneOf }]) => {
      const choices = ((anyOf ?? oneOf ?? []) as unknown[]).map((choice) => JSON.stringify(choice))
      return choices.includes('{}') || new Set(choices).size < choices.length ? [pointer] : []
    })
    expect(faults).toEqual([])
  })

  test('the document names its license', () => {
    expect(document.info.license).toEqual({ name: expect.any(String), identifier: expect.any(String) })
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
