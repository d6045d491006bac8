import type { Value } from '../engine.ts'
import { CompositeRows } from './composite-rows.ts'

/** A list becomes a PostgreSQL array, as in `= ANY($1::text[])`. */
export type Parameter = Value | readonly Value[] | CompositeRows

/** As the driver sends it: text, or binary rows. */
export type Encoded = string | Buffer | null

export function encode(value: Parameter): Encoded {
  if (value instanceof CompositeRows) return value.encode()
  if (value === null) return null
  return typeof value === 'object' ? arrayLiteral(value) : String(value)
}

/** Unlike the driver's, leaves ids, digests and numbers unquoted, which is faster. */
function arrayLiteral(values: readonly Value[]): string {
  let literal = '{'
  for (const value of values) {
    if (literal.length > 1) literal += ','
    literal += value === null ? 'NULL' : typeof value === 'number' || isPlain(value) ? value : quoted(value)
  }
  return `${literal}}`
}

const isPlain = (text: string) => /^[\w.:-]+$/.test(text) && !/^null$/i.test(text)

const quoted = (text: string) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`
