import { expect, test } from 'vitest'
import { documents } from '../../testkit/docs/documents.ts'

type Node = Readonly<Record<string, unknown>>

/** Every schema of a document with its place; examples are none. */
function* schemasOf(node: unknown, at: string): Generator<[string, Node]> {
  if (typeof node !== 'object' || node === null) return
  yield [at, node as Node]
  for (const [key, value] of Object.entries(node))
    if (!['example', 'examples', 'enum', 'const', 'default'].includes(key)) yield* schemasOf(value, `${at}/${key}`)
}

const rows = Object.entries(documents)

test.each(rows)('the %s document has a type with every fixed value', (name, document) => {
  const isUntyped = ({ enum: values, const: value, type }: Node) =>
    (Array.isArray(values) || value !== undefined) && typeof type !== 'string'
  const untyped = [...schemasOf(document, name)].filter(([at, node]) => !at.endsWith('/properties') && isUntyped(node))
  expect(untyped.map(([at]) => at)).toEqual([])
})

test.each(rows)('the %s document has no fixed value in a header that only `const` names', (_, document) => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  const headers = [...operations.flatMap(({ parameters }) => parameters), ...Object.values(document.components.headers)]
  for (const { schema } of headers) expect(schema).not.toHaveProperty('const')
})

test.each(rows)(
  'the %s document has no pattern with classes of Unicode, which few languages know',
  (name, document) => {
    const patterns = [...schemasOf(document, name)].flatMap(([, { pattern }]) =>
      typeof pattern === 'string' ? [pattern] : [],
    )
    expect(patterns.length).toBeGreaterThan(0)
    expect(patterns.filter((pattern) => /\\[pP]\{/.test(pattern))).toEqual([])
  },
)
