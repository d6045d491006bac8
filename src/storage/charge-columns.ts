import type { ChargedOperation } from '../contract/prices.ts'
import type { ChargeState } from '../ledger/commands.ts'
import { type Columns, flag, from, integer, orNull, pick, text } from './row-mapper.ts'

export const chargeColumns = {
  chargeId: text(),
  projectId: text(),
  keyId: text(),
  operation: text<ChargedOperation>(),
  credits: integer(),
  pricingVersion: text(),
  state: text<ChargeState>(),
  requestId: text(),
  model: orNull(text()),
  reservedAt: integer(),
  endedAt: orNull(integer()),
  reason: orNull(text()),
  usage: orNull(text()),
  idempotencyDigest: orNull(text()),
  fingerprint: text(),
  responseSha256: orNull(text()),
  isolationVersion: integer(),
  leavesProcess: flag(),
  instanceId: text(),
  budgetId: orNull(text()),
  budgetPeriod: orNull(integer()),
} satisfies Columns

/** What recovery needs of a reserved charge. */
export const reservedColumns = pick(
  chargeColumns,
  ...(['chargeId', 'projectId', 'operation', 'credits', 'instanceId', 'leavesProcess', 'reservedAt'] as const),
)

/** What the views of open charges (`reserved_charges`, `reviewable_charges`) have. */
const inViews = pick(
  chargeColumns,
  'projectId',
  'chargeId',
  'keyId',
  'operation',
  'credits',
  'state',
  'instanceId',
  'leavesProcess',
  'requestId',
  'reservedAt',
  'endedAt',
  'reason',
)

/** The columns of a row of one of these views; what a view lacks is looked up by id. */
export const openCharge = (alias: string): typeof chargeColumns => {
  const lookedUp = Object.entries(from('m', chargeColumns)).map(([field, column]) => [
    field,
    { ...column, sql: `(SELECT ${column.sql} FROM charges m WHERE m.charge_id = ${alias}.charge_id)` },
  ])
  return { ...Object.fromEntries(lookedUp), ...from(alias, inViews) }
}
