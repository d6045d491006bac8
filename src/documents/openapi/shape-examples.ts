import type { AnyOperation } from './any-operation.ts'

type ShapeSchema = Readonly<Record<string, unknown>>

/** An example of every named shape, found where the examples of the operations use it: nothing is written twice. */
export function shapeExamples(operations: readonly AnyOperation[]): ReadonlyMap<string, unknown> {
  const examples = new Map<string, unknown>()
  const schemas: ShapeSchema[] = []
  for (const { request, requestExample, responses } of operations) {
    if (request) collect(request as ShapeSchema, requestExample)
    for (const { schema, example } of responses) collect(schema as ShapeSchema, example)
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

const choicesOf = (schema: ShapeSchema) => (schema.oneOf ?? schema.anyOf ?? []) as ShapeSchema[]
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Choices among objects are told apart by a fixed value. */
function fits(choice: ShapeSchema, example: unknown): boolean {
  if (!isObject(example)) return false
  const fields = Object.entries((choice.properties as Record<string, ShapeSchema> | undefined) ?? {})
  return fields.every(([name, field]) => field.const === undefined || field.const === example[name])
}

function composed(schema: ShapeSchema, examples: ReadonlyMap<string, unknown>): unknown {
  if (schema.const !== undefined) return schema.const
  const known = examples.get(schema.title as string) ?? (schema.examples as unknown[] | undefined)?.[0]
  if (known !== undefined) return known
  const required = new Set(schema.required as string[] | undefined)
  const fields = Object.entries((schema.properties as Record<string, ShapeSchema> | undefined) ?? {})
  const shown = fields.filter(([name]) => required.has(name))
  return Object.fromEntries(shown.map(([name, field]) => [name, composed(field, examples)]))
}
