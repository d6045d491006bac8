import { Refusal } from '../contract/errors.ts'
import type { Operation } from '../contract/operation.ts'
import { compile } from '../contract/validate.ts'
import type { Call } from './route.ts'

/** Reads the query parameters of an operation: known ones, each at most once, each as the contract says. */
export function queryReader<Q extends object>(operation: Operation): (call: Call) => Q {
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
      if (!parameter) throw wrong('A query parameter is unknown.')
      if (values.has(name)) throw wrong(`The query parameter ${name} came twice.`)
      const value = parameter.isInteger ? integerOf(text) : text
      if (!parameter.check(value).ok) throw wrong(`The query parameter ${name} is wrong.`)
      values.set(name, value)
    }
    for (const [name, { fallback }] of parameters) {
      if (fallback !== undefined && !values.has(name)) values.set(name, fallback)
    }
    return Object.fromEntries(values) as Q
  }
}

const wrong = (explain: string) => new Refusal('REQUEST_TARGET_INVALID', { explain })

const integerOf = (text: string) => (/^(0|[1-9][0-9]{0,8})$/.test(text) ? Number(text) : undefined)
