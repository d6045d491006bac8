import type { Type as TypeBox } from 'typebox'

export type { Static, TObject, TObjectOptions, TProperties, TSchema, TSchemaOptions, TUnsafe } from 'typebox'

/**
 * The builders of TypeBox that are used here, as it writes them: loading the package itself, some 370 files, would take a
 * seventh of the start.
 */
export const Type = {
  String: (options?: object) => ({ type: 'string', ...options }),
  Integer: (options?: object) => ({ type: 'integer', ...options }),
  Number: (options?: object) => ({ type: 'number', ...options }),
  Boolean: (options?: object) => ({ type: 'boolean', ...options }),
  Null: (options?: object) => ({ type: 'null', ...options }),
  Unknown: (options?: object) => ({ ...options }),
  Literal: (value: unknown, options?: object) => ({ type: typeof value, const: value, ...options }),
  Enum: (values: unknown, options?: object) => ({ enum: values, ...options }),
  Array: (items: object, options?: object) => ({ type: 'array', items, ...options }),
  Union: (anyOf: object[], options?: object) => ({ anyOf, ...options }),
  Record: (key: { pattern?: string }, value: object, options?: object) => ({
    type: 'object',
    patternProperties: { [key.pattern ?? '^.*$']: value },
    ...options,
  }),
  Object: (properties: Record<string, object>, options?: object) => {
    const required = Object.keys(properties).filter((name) => !(optional in properties[name]!))
    return { type: 'object', ...(required.length > 0 && { required }), properties, ...options }
  },
  Optional: (schema: object) => Object.defineProperty({ ...schema }, optional, { value: true }),
  Unsafe: (schema: object) => schema,
} as unknown as Pick<typeof TypeBox, Builder>

type Builder =
  | ('String' | 'Integer' | 'Number' | 'Boolean' | 'Null' | 'Unknown' | 'Literal' | 'Enum')
  | ('Array' | 'Union' | 'Record' | 'Object' | 'Optional' | 'Unsafe')

/** Not enumerable, so that it is in no document. */
const optional = '~optional'
