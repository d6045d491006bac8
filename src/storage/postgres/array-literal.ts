import type { Value } from '../engine.ts'

/** A list stands for a PostgreSQL array, as in `unnest($1::text[])`. */
export type Parameter = Value | readonly Value[]

/** A list as PostgreSQL reads an array. Ids, digests and numbers go as they are; the driver would quote each of them. */
export function arrayLiteral(values: readonly Value[]): string {
  let literal = '{'
  for (const value of values) {
    if (literal.length > 1) literal += ','
    literal += value === null ? 'NULL' : typeof value === 'number' || isPlain(value) ? value : quoted(value)
  }
  return `${literal}}`
}

const isPlain = (text: string) => /^[\w.:-]+$/.test(text) && !/^null$/i.test(text)

const quoted = (text: string) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`
