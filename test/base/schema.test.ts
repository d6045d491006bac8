import { Type as TypeBox } from 'typebox'
import { expect, test } from 'vitest'
import { Type } from '../../src/base/schema.ts'

/** One schema of each kind, with and without options. */
const build = (type: Pick<typeof TypeBox, keyof typeof Type>) => ({
  texts: [type.String(), type.String({ minLength: 1, 'x-error-code': 'A' })],
  numbers: [type.Integer({ minimum: 0 }), type.Number(), type.Boolean({ default: true }), type.Null()],
  unknown: [type.Unknown(), type.Unknown({ description: 'any' })],
  literals: [type.Literal('a', { description: 'one' }), type.Literal(1), type.Literal(true)],
  choices: [type.Enum(['a', 'b'], { type: 'string' }), type.Union([type.String(), type.Null()], { default: null })],
  lists: type.Array(type.String(), { maxItems: 3 }),
  records: [
    type.Record(type.String(), type.Null()),
    type.Record(type.String({ pattern: '^a$' }), type.Null(), { x: 1 }),
  ],
  objects: [
    type.Object({}),
    type.Object({ a: type.Optional(type.String({ minLength: 1 })) }),
    type.Object({ a: type.Optional(type.String()), b: type.Null() }, { additionalProperties: false, type: 'object' }),
  ],
  unsafe: type.Unsafe<string>({ type: ['integer', 'null'] }),
})

test('a schema is written as TypeBox writes it, field for field', () => {
  expect(JSON.stringify(build(Type))).toBe(JSON.stringify(build(TypeBox)))
})
