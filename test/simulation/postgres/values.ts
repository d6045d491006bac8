import { UniqueViolation, type Value } from '../../../src/storage/engine.ts'
import type { CompositeRows, Parameter } from '../../../src/storage/postgres/composite-rows.ts'
import { sqliteCode } from '../../../src/storage/sqlite/faults.ts'
import { serverError } from './locks.ts'
import type { Shape } from './shapes.ts'
import { decodeRows, listOf, type Translated } from './translate.ts'

export interface Outcome {
  readonly rows: object[]
  /** Rows returned or changed. */
  readonly count: number
}

export type KeyedRow = Record<`~${number}`, string>

export const targetsIn = (rows: readonly object[]) => JSON.stringify(rows.map((row) => (row as KeyedRow)['~0']))

/** Without the keys that were added. */
export function outcomeOf(rows: readonly object[], { keyNames }: Shape): Outcome {
  const own = rows.map((row) => {
    const copy: Record<string, unknown> = { ...row }
    for (const index of keyNames.keys()) delete copy[`~${index}`]
    return copy
  })
  return { rows: own, count: own.length }
}

/** The values of each execution. */
export function valuesOf({ eachOf, arrays }: Translated, params: readonly Parameter[]): Value[][] {
  if (eachOf === 'rows') return decodeRows((params[0] as CompositeRows).encode())
  if (eachOf === 'arrays') {
    const lists = params as readonly (readonly Value[])[]
    return lists[0]!.map((_, index) => lists.map((list) => list[index]!))
  }
  const value = (param: Parameter, index: number) => {
    if (!arrays.has(index + 1)) return param as Value
    return JSON.stringify(typeof param === 'string' ? listOf(param) : param)
  }
  return [params.map(value)]
}

/** As the driver reports it. An error of SQLite in the model itself stays what it is. */
export function toServerError(error: unknown): Error {
  if (error instanceof UniqueViolation) return serverError('23505', error.message, { constraint: error.constraint })
  const constraint = 19
  if ((sqliteCode(error) & 0xff) === constraint) return serverError('23514', (error as Error).message)
  return error as Error
}
