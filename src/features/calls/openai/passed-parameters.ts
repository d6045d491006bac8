import { Type } from '../../../base/schema.ts'
import type { PassedParameter } from '../../../contract/chat-parameters.ts'
import { either, integer, isObject, object, ParameterFault, type RequestParameter, scalar, text } from './parameters.ts'

const maxFields = 16

const word = text({ maxLength: 64 })

/** Providers name these fields differently; the gateway lowers `budget_tokens` to `maxOutputTokens`. */
const thinkingObject: RequestParameter<Record<string, unknown>> = {
  schema: Type.Record(Type.String(), scalar().schema, { maxProperties: maxFields }),
  read(value, path) {
    const fields = Object.entries(value as object)
    if (fields.length > maxFields)
      throw new ParameterFault('INVALID_PARAMETER', path, `${path} may have at most ${maxFields} fields.`)
    const read = (name: string) => (name === 'budget_tokens' ? integer(0) : scalar())
    return Object.fromEntries(
      fields
        .filter(([, field]) => field !== null)
        .map(([name, field]) => [name, read(name).read(field, `${path}.${name}`)]),
    )
  },
}

/**
 * What the usual parameters that go upstream may hold. A server may take any field of `chat_template_kwargs` for one of its own
 * settings, and let one request stop it for everyone (CVE-2025-62426), so only those that switch thinking are passed.
 */
const readers: Readonly<Record<PassedParameter, RequestParameter>> = {
  reasoning_effort: word,
  thinking: either(isObject, thinkingObject, scalar()),
  enable_thinking: scalar(),
  chat_template_kwargs: object(null, { enable_thinking: scalar(), thinking: scalar() }),
  verbosity: word,
}

/** The value to pass on. What an operator has added to `passes` is not read. */
export const readPassed = (name: string, value: unknown): unknown =>
  Object.hasOwn(readers, name) ? readers[name as PassedParameter].read(value, name) : value

/** For the documents. */
export const passedSchemas = Object.fromEntries(
  Object.entries(readers).map(([name, { schema }]) => [
    name,
    Type.Optional(Type.Unsafe({ ...schema, description: 'Passed on if the provider takes it, else dropped.' })),
  ]),
)
