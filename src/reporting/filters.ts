import type { EntryParameters } from '../contract/console/ledger.ts'
import type { ChargeParameters } from '../contract/console/usage.ts'
import { timesOf } from './ledger-range.ts'
import type { ChargeFilter, EntryFilter } from './ports.ts'

export const chargeFilterOf = ({ operation, state, keyId, id, ...days }: ChargeParameters): ChargeFilter => ({
  operation: operation ?? null,
  state: state ?? null,
  keyId: keyId ?? null,
  id: id ?? null,
  ...timesOf(days),
})

export const entryFilterOf = ({ kind, ...days }: EntryParameters): EntryFilter => ({
  kind: kind ?? null,
  ...timesOf(days),
})
