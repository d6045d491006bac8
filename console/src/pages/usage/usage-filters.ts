import { billableOperations } from '../../../../src/contract/prices.ts'
import type { UsageFilters } from '../../api/queries.ts'
import type { ChargeState } from '../../api/types.ts'

export const chargeStates: readonly ChargeState[] = ['reserved', 'settled', 'released', 'manual_review']

/** The filters in an address. What is not one, for instance in a mistyped link, is left out. */
export function filtersOf(params: URLSearchParams): UsageFilters {
  const oneOf = <T extends string>(name: string, values: readonly T[]) => values.find((v) => v === params.get(name))
  const matching = (name: string, pattern: RegExp) => {
    const value = params.get(name)
    return value && pattern.test(value) ? value : undefined
  }
  return present({
    operation: oneOf('operation', billableOperations),
    state: oneOf('state', chargeStates),
    keyId: matching('keyId', /^key_[A-Za-z0-9]+$/),
    from: matching('from', day),
    to: matching('to', day),
  })
}

export const paramsOf = (filters: UsageFilters): Record<string, string> => present({ ...filters })

export const isFiltered = (filters: UsageFilters): boolean => Object.keys(filters).length > 0

const day = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/

/** Without the fields that have no value. */
function present<T extends Record<string, string | undefined>>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value)) as ReturnType<typeof present<T>>
}
