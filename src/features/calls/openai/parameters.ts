import { type TSchema, Type } from '../../../base/schema.ts'
import { Choice } from '../../../contract/field.ts'

type FaultCode = 'INVALID_PARAMETER' | 'UNSUPPORTED_PARAMETER'

/** What is wrong with a request, and where. */
export class ParameterFault extends Error {
  readonly code: FaultCode
  readonly param: string

  constructor(code: FaultCode, param: string, message: string) {
    super(message)
    this.name = 'ParameterFault'
    this.code = code
    this.param = param
  }
}

/** One kind of value: how the documents describe it, and how it is read. Reading returns a copy with only known fields. */
export interface RequestParameter<T = unknown> {
  readonly schema: TSchema
  readonly read: (value: unknown, path: string) => T
}

/** A value that a closed list of choices or a range accepts. */
function checked<T>(schema: TSchema, accepts: (value: unknown) => boolean, must: string): RequestParameter<T> {
  return {
    schema,
    read(value, path) {
      if (!accepts(value)) throw new ParameterFault('INVALID_PARAMETER', path, `${path} ${must}.`)
      return value as T
    },
  }
}

export const text = ({ minLength = 0, maxLength }: { minLength?: number; maxLength?: number } = {}) =>
  checked<string>(
    Type.String({ ...(minLength > 0 && { minLength }), ...(maxLength !== undefined && { maxLength }) }),
    (value) =>
      typeof value === 'string' && value.length >= minLength && (maxLength === undefined || value.length <= maxLength),
    `must be a string${minLength > 0 ? `, not an empty one` : ''}${maxLength === undefined ? '' : `, of at most ${maxLength} characters`}`,
  )

export const flag = () => checked<boolean>(Type.Boolean(), (value) => typeof value === 'boolean', 'must be a boolean')

const maxScalarLength = 256

/** A value that holds no others. */
export const scalar = () =>
  checked<boolean | number | string>(
    Type.Union([Type.Boolean(), Type.Number(), Type.String({ maxLength: maxScalarLength })]),
    (value) =>
      typeof value === 'string' ? value.length <= maxScalarLength : ['boolean', 'number'].includes(typeof value),
    `must be a boolean, a number or a string of at most ${maxScalarLength} characters`,
  )

export const number = (minimum: number, maximum: number) =>
  checked<number>(
    Type.Number({ minimum, maximum }),
    (value) => typeof value === 'number' && value >= minimum && value <= maximum,
    `must be a number from ${minimum} to ${maximum}`,
  )

export const integer = (minimum: number, maximum = Number.MAX_SAFE_INTEGER) =>
  checked<number>(
    Type.Integer({ minimum, maximum }),
    (value) => Number.isSafeInteger(value) && (value as number) >= minimum && (value as number) <= maximum,
    maximum === Number.MAX_SAFE_INTEGER
      ? `must be an integer of ${minimum} or more`
      : `must be an integer from ${minimum} to ${maximum}`,
  )

export const choice = <V extends string>(...values: V[]) =>
  checked<V>(
    Choice(values),
    (value) => values.includes(value as V),
    `must be ${values.length === 1 ? '' : 'one of '}${values.join(', ')}`,
  )

/** An object that is passed on as it is, such as a JSON Schema. */
export const anyObject = () =>
  checked<Record<string, unknown>>(Type.Object({}, { additionalProperties: true }), isObject, 'must be an object')

export function list<T>(
  item: RequestParameter<T>,
  minItems: number,
  maxItems = Number.MAX_SAFE_INTEGER,
): RequestParameter<T[]> {
  const whole = checked<unknown[]>(
    Type.Array(item.schema, { minItems, ...(maxItems < Number.MAX_SAFE_INTEGER && { maxItems }) }),
    (value) => Array.isArray(value) && value.length >= minItems && value.length <= maxItems,
    `must be a list${minItems > 0 ? ', not an empty one' : ''}${maxItems < Number.MAX_SAFE_INTEGER ? `, of at most ${maxItems}` : ''}`,
  )
  return {
    schema: whole.schema,
    read: (value, path) => whole.read(value, path).map((entry, index) => item.read(entry, `${path}[${index}]`)),
  }
}

interface ObjectField<T = unknown> extends RequestParameter<T> {
  readonly isRequired?: true
}

export const required = <T>(parameter: RequestParameter<T>): ObjectField<T> & { readonly isRequired: true } => ({
  ...parameter,
  isRequired: true,
})

type Fields = Readonly<Record<string, ObjectField>>
type ReadFields<F extends Fields> = {
  [Name in keyof F as F[Name] extends { isRequired: true } ? Name : never]: ReturnType<F[Name]['read']>
} & { [Name in keyof F as F[Name] extends { isRequired: true } ? never : Name]?: ReturnType<F[Name]['read']> }

/** A parameter that is not supported, except for values that ask for nothing: those are dropped. */
export const off = (schema: TSchema, isOff: (value: unknown) => boolean): RequestParameter<undefined> => ({
  schema,
  read(value, path) {
    if (!isOff(value)) throw unsupported(path)
  },
})

/** An empty list counts as absent. */
export const emptyOr = <T>(parameter: RequestParameter<T>): RequestParameter<T | undefined> => ({
  schema: Type.Union([parameter.schema, Type.Array(Type.Unknown(), { maxItems: 0 })]),
  read: (value, path) => (Array.isArray(value) && value.length === 0 ? undefined : parameter.read(value, path)),
})

/** An object. Other fields are refused unless they are `dropped`; null counts as absent, also in those. */
export function object<F extends Fields>(
  title: string | null,
  fields: F,
  others: 'refused' | 'dropped' = 'refused',
): RequestParameter<ReadFields<F>> {
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, { schema, isRequired }]) => [
      name,
      isRequired ? schema : Type.Optional(Type.Union([schema, Type.Null()])),
    ]),
  )
  return {
    schema: Type.Object(properties, { ...(title !== null && { title }), additionalProperties: others === 'dropped' }),
    read(value, path) {
      if (!isObject(value)) throw new ParameterFault('INVALID_PARAMETER', path, `${path} must be an object.`)
      const at = (name: string) => (path === '' ? name : `${path}.${name}`)
      if (others === 'refused') {
        const unknown = Object.keys(value).find((name) => value[name] !== null && !Object.hasOwn(fields, name))
        if (unknown !== undefined) throw unsupported(at(unknown))
      }
      const read: Record<string, unknown> = {}
      for (const [name, { isRequired, read: readField }] of Object.entries(fields)) {
        const given = value[name]
        if (given !== undefined && given !== null) {
          const field = readField(given, at(name))
          if (field !== undefined) read[name] = field
        } else if (isRequired) throw new ParameterFault('INVALID_PARAMETER', at(name), `${at(name)} is missing.`)
      }
      return read as ReadFields<F>
    },
  }
}

/** One of several kinds of value, distinguished by a test. */
export const either = <A, B>(
  isFirst: (value: unknown) => boolean,
  first: RequestParameter<A>,
  second: RequestParameter<B>,
): RequestParameter<A | B> => ({
  schema: Type.Union([first.schema, second.schema]),
  read: (value, path) => (isFirst(value) ? first.read(value, path) : second.read(value, path)),
})

/** Objects distinguished by the value of one field. */
export function variants<T>(tag: string, kinds: Readonly<Record<string, RequestParameter<T>>>): RequestParameter<T> {
  const tagged = choice(...Object.keys(kinds))
  return {
    schema: Type.Union(Object.values(kinds).map(({ schema }) => schema)),
    read(value, path) {
      if (!isObject(value)) throw new ParameterFault('INVALID_PARAMETER', path, `${path} must be an object.`)
      const kind = tagged.read(value[tag], `${path}.${tag}`)
      return kinds[kind]!.read(value, path)
    },
  }
}

export const unsupported = (path: string, message = `${path} is not supported here.`) =>
  new ParameterFault('UNSUPPORTED_PARAMETER', path, message)

export const isText = (value: unknown): value is string => typeof value === 'string'

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
