import { type DayNumber, reportingZone } from '../../../base/time.ts'
import { chargeColumns, openCharge } from '../../../storage/charge-columns.ts'
import type { Reader } from '../../../storage/engine.ts'
import { flag, from, integer, orNull, pick, type RowOf, rowMapper, sqlOf, text } from '../../../storage/row-mapper.ts'
import { equals, ifGiven, listFilter, namedStatement } from '../../../storage/sql-text.ts'
import { type LedgerRange, rangeQuery } from '../archives/store.ts'
import type { Charge, ChargeParameters } from './contract.ts'

/** Moments from `fromAt` on, up to but without `toAt`. */
export interface Times {
  readonly fromAt: number
  readonly toAt: number
}

export type ChargeFilter = Omit<ChargeParameters, 'from' | 'to'> & Times

export type ChargeRow = RowOf<typeof listed>

export type PlacedCharge = RowOf<typeof placedColumns>

export type ChargeDetailRow = RowOf<typeof detailColumns>

export interface OutcomeCount {
  readonly state: Charge['state']
  readonly reason: string | null
  readonly calls: number
}

export interface SettledDay {
  readonly day: DayNumber
  readonly operation: Charge['operation']
  readonly calls: number
  readonly credits: number
}

/** Calls of a day by key or model; the model is empty where there is none. */
export interface DayPart extends Omit<SettledDay, 'operation'> {
  readonly part: string
}

// Subqueries, because the planner could reorder a join, read a whole table and lose the order.
const keyOf = (column: string) => `(SELECT k.${column} FROM api_keys k WHERE k.key_id = c.key_id)`
const latency = `CASE WHEN c.reason IS NULL OR NOT EXISTS (SELECT 1 FROM review_decisions d WHERE d.charge_id = c.charge_id)
    THEN c.ended_at - c.reserved_at END`

/** What every list shows of a charge `c`. */
const shownOf = (columns: typeof chargeColumns) => ({
  ...pick(columns, 'chargeId', 'operation', 'credits', 'state', 'keyId'),
  keyDisplayPrefix: text(keyOf('display_prefix')),
  keyName: orNull(text(keyOf('name'))),
  ...pick(columns, 'requestId', 'reservedAt', 'endedAt', 'reason'),
  latencyMs: orNull(integer(latency)),
})

/** No id has a `~`, which sorts behind what ids are made of. */
const beginsWith = (column: string, id: string) => `(${column} >= ${id} AND ${column} < ${id} || '~')`

const filterOn = (columns: typeof chargeColumns) => {
  const charge = sqlOf(columns)
  return listFilter<ChargeFilter>({
    operation: equals(charge.operation),
    state: equals(charge.state),
    keyId: equals(charge.keyId),
    id: ifGiven((id) => `${beginsWith(charge.chargeId, id)} OR ${beginsWith(charge.requestId, id)}`),
    reason: equals(charge.reason),
    fromAt: (at) => `${charge.reservedAt} >= ${at}`,
    toAt: (at) => `${charge.reservedAt} < ${at}`,
  })
}

const stored = from('c', chargeColumns)
const chargeFilter = filterOn(stored)
const listed = { ...shownOf(stored), ...pick(stored, 'model', 'usage') }

/** CROSS JOIN fixes the order: ledger range first, one lookup per charge. */
const ofRange = `wanted s CROSS JOIN charges c WHERE s.kind = 'reserve' AND c.charge_id = s.charge_id`

const placedColumns = { ...listed, seq: integer('s.seq') }
const placed = rowMapper(ofRange, placedColumns)
const alongLedger = rangeQuery<object, 'limit' | (typeof chargeFilter.names)[number]>(
  ['limit', ...chargeFilter.names],
  ({ limit, ...given }) =>
    `SELECT ${placed.list} FROM ${ofRange} AND ${chargeFilter.condition(given)} ORDER BY s.seq DESC LIMIT ${limit}`,
)

export const countByOutcome = rangeQuery<OutcomeCount, keyof Times>(
  ['fromAt', 'toAt'],
  ({ fromAt, toAt }) => `SELECT c.state, c.reason, COUNT(*) AS calls FROM ${ofRange}
    AND c.reserved_at >= ${fromAt} AND c.reserved_at < ${toAt} GROUP BY c.state, c.reason`,
)

const reservedOn = `((c.reserved_at + ${reportingZone.offsetMs}) / 86400000)`

const byDayAnd = <Row extends object>(column: string, name: string) =>
  rangeQuery<Row, (typeof chargeFilter.names)[number]>(
    chargeFilter.names,
    (given) => `SELECT ${reservedOn} AS day, ${column} AS ${name}, COUNT(*) AS calls, SUM(c.credits) AS credits
    FROM ${ofRange} AND ${chargeFilter.condition(given)} GROUP BY ${reservedOn}, ${column}`,
  )

const byDay = byDayAnd<SettledDay>('c.operation', 'operation')
const byDayAndPart = {
  key: byDayAnd<DayPart>('c.key_id', 'part'),
  model: byDayAnd<DayPart>(`COALESCE(c.model, '')`, 'part'),
}

const inView = openCharge('c')
const reviewFilter = filterOn(inView)
const reviewed = rowMapper('reviewable_charges c', {
  ...shownOf(inView),
  usage: orNull(text('NULL')),
  model: inView.model,
})
/**
 * The project is part of the compared row and of the order, so that only the index of the charges in review gives that
 * order: by `charge_id` alone PostgreSQL reads newer charges of all projects first when the project has been quiet lately.
 */
const inReview = namedStatement(
  ['projectId', 'before', 'limit', ...reviewFilter.names],
  ({ projectId, before, limit, ...given }) => `
    WHERE (c.project_id, c.charge_id) < (${projectId}, ${before}) AND (c.project_id, c.charge_id) >= (${projectId}, '')
      AND ${reviewFilter.condition(given)}
    ORDER BY c.project_id DESC, c.charge_id DESC LIMIT ${limit}`,
)

const detailColumns = {
  ...listed,
  pricingVersion: stored.pricingVersion,
  hasContent: flag('EXISTS (SELECT 1 FROM charge_contents t WHERE t.charge_id = c.charge_id)'),
}
const details = rowMapper('charges c', detailColumns)

/** Of the charges that were reserved in a range of the ledger, those that pass the filter. */
export const readCharges = async (tx: Reader, range: LedgerRange, filter: ChargeFilter, limit: number) =>
  (await alongLedger(tx, range, { limit, ...chargeFilter.values(filter) })).map(placed.decode)

/** Of the charges in review before the one named, those that pass the filter. */
export const readReviews = (
  tx: Reader,
  { projectId, before }: { readonly projectId: string; readonly before: string },
  filter: ChargeFilter,
  limit: number,
): Promise<ChargeRow[]> =>
  reviewed.all(tx, inReview.sql, inReview.values({ projectId, before, limit, ...reviewFilter.values(filter) }))

export const readCharge = (tx: Reader, projectId: string, chargeId: string) =>
  details.get(tx, 'WHERE c.project_id = $1 AND c.charge_id = $2', [projectId, chargeId])

export const countByDay = (tx: Reader, range: LedgerRange, filter: ChargeFilter) =>
  byDay(tx, range, chargeFilter.values(filter))

export const countPartsByDay = (tx: Reader, range: LedgerRange, filter: ChargeFilter, by: 'key' | 'model') =>
  byDayAndPart[by](tx, range, chargeFilter.values(filter))
