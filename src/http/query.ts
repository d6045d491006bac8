import { Refusal } from '../contract/errors.ts'
import type { Operation } from '../contract/operation.ts'
import { compile } from '../contract/validate.ts'
import type { Call } from './route.ts'

/** Reads the query parameters of an operation; unknown, repeated or invalid ones are refused. */
export function queryReader<Q extends object>(operation: Pick<Operation, 'queryParameters'>): (call: Call) => Q {
  const parameters = new Map(
    Object.entries(operation.queryParameters ?? {}).map(([name, schema]) => {
      const { type, default: fallback } = schema as { type?: string; default?: unknown }
      return [name, { isInteger: type === 'integer', fallback, check: compile(schema) }]
    }),
  )
  return (call) => {
    const values = new Map<string, unknown>()
    for (const [name, text] of call.query) {
      const parameter = parameters.get(name)
      if (!parameter) throw invalidQuery('A query parameter is unknown.')
      if (values.has(name)) throw invalidQuery(`The query parameter ${name} was sent twice.`)
      const value = parameter.isInteger ? parseInteger(text) : text
      if (!parameter.check(value).ok) throw invalidQuery(`The query parameter ${name} is invalid.`)
      values.set(name, value)
    }
    for (const [name, { fallback }] of parameters) {
      if (fallback !== undefined && !values.has(name)) values.set(name, fallback)
    }
    return Object.fromEntries(values) as Q
  }
}

const invalidQuery = (explain: string) => new Refusal('REQUEST_TARGET_INVALID', { explain })

const parseInteger = (text: string) => (/^(0|[1-9][0-9]{0,8})$/.test(text) ? Number(text) : undefined)
