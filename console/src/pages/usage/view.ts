import { chargedOperations } from '../../../../src/contract/prices.ts'
import type { DailyFilters, UsageFilters } from '../../api/queries.ts'
import type { ChargeState } from '../../api/types.ts'
import { dayPattern, matching, periodIn, present } from '../../format/return-path.ts'

export const chargeStates: readonly ChargeState[] = ['settled', 'reserved', 'released', 'manual_review']

/** The view: the filters, and the day selected in the chart. */
export interface UsageView extends UsageFilters {
  day?: string
}

export const idPattern = /^(chg|req)_[A-Za-z0-9]{1,60}$/

export function viewOf(params: URLSearchParams): UsageView {
  const oneOf = <T extends string>(name: string, values: readonly T[]) => values.find((v) => v === params.get(name))
  return present({
    operation: oneOf('operation', chargedOperations),
    state: oneOf('state', chargeStates),
    keyId: matching(params, 'keyId', /^key_[A-Za-z0-9]+$/),
    id: matching(params, 'id', idPattern),
    reason: matching(params, 'reason', /^[A-Z_]{1,64}$/),
    ...periodIn(params),
    day: matching(params, 'day', dayPattern),
  })
}

export const paramsOf = (view: UsageView): Record<string, string> => present({ ...view })

export const isFiltered = (view: UsageView): boolean => Object.keys(view).length > 0

/** The filters of the list and its export. */
export const listFilters = ({ day, ...filters }: UsageView): UsageFilters =>
  day === undefined ? filters : { ...filters, from: day, to: day }

/** The filters of the chart: all except the selected day, the ID and the reason. */
export const chartFilters = ({ day: _, id: __, reason: ___, ...filters }: UsageView): DailyFilters => filters
