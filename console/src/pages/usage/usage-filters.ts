import { chargedOperations } from '../../../../src/contract/prices.ts'
import type { DailyFilters, UsageFilters } from '../../api/queries.ts'
import type { ChargeState } from '../../api/types.ts'
import { dayPattern, matching, periodIn, present } from '../../format/address.ts'

export const chargeStates: readonly ChargeState[] = ['settled', 'reserved', 'released', 'manual_review']

/** What the page shows: the filters, and within their period the day that was chosen in the chart. */
export interface UsageView extends UsageFilters {
  day?: string
}

export const idPattern = /^(chg|req)_[A-Za-z0-9]{1,60}$/

/** The view in an address. What is not one, for instance in a mistyped link, is left out. */
export function viewOf(params: URLSearchParams): UsageView {
  const oneOf = <T extends string>(name: string, values: readonly T[]) => values.find((v) => v === params.get(name))
  return present({
    operation: oneOf('operation', chargedOperations),
    state: oneOf('state', chargeStates),
    keyId: matching(params, 'keyId', /^key_[A-Za-z0-9]+$/),
    id: matching(params, 'id', idPattern),
    ...periodIn(params),
    day: matching(params, 'day', dayPattern),
  })
}

export const paramsOf = (view: UsageView): Record<string, string> => present({ ...view })

export const isFiltered = (view: UsageView): boolean => Object.keys(view).length > 0

/** What the list and its file are narrowed by. */
export const listFilters = ({ day, ...filters }: UsageView): UsageFilters =>
  day === undefined ? filters : { ...filters, from: day, to: day }

/** What the chart is narrowed by: all but the day that was chosen in it, and an id, which leaves one call. */
export const chartFilters = ({ day: _, id: __, ...filters }: UsageView): DailyFilters => filters
