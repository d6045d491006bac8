import type { ChargeState } from '../../../ledger/commands.ts'
import { chargeColumns } from '../../../storage/charge-columns.ts'
import type { Engine } from '../../../storage/engine.ts'
import { from, integer, orNull, pick, type RowOf, rowMapper, text } from '../../../storage/row-mapper.ts'
import { ifGiven, listFilter, namedStatement } from '../../../storage/sql-text.ts'

const reviewColumns = pick(
  chargeColumns,
  'chargeId',
  'projectId',
  'operation',
  'credits',
  'requestId',
  'reservedAt',
  'reason',
)
/** What was asked: the model of a call, as `provider/model`, or the provider of a media job. */
const asked = `COALESCE(
  (SELECT model FROM charges m WHERE m.charge_id = in_review.charge_id),
  (SELECT provider FROM media_jobs j WHERE j.charge_id = in_review.charge_id))`
const reviews = rowMapper('in_review', {
  ...reviewColumns,
  provider: {
    sql: asked,
    decode: (stored: string | null): string | null => stored?.split('/')[0] ?? null,
  },
})
const charges = rowMapper('charges c LEFT JOIN review_decisions d ON d.charge_id = c.charge_id', {
  ...from('c', { ...reviewColumns, state: chargeColumns.state }),
  decidedBy: orNull(text('d.decided_by')),
  because: text('d.reason'),
  decidedAt: integer('d.decided_at'),
})

const reviewFilter = listFilter<{ readonly provider?: string }>({
  provider: ifGiven((name) => `${asked} = ${name} OR SUBSTR(${asked}, 1, LENGTH(${name}) + 1) = ${name} || '/'`),
})
const selectWaiting = namedStatement(
  ['after', 'limit', ...reviewFilter.names],
  // Materialized, because PostgreSQL might otherwise scan the entries of every charge to get the order.
  ({ after, limit, ...given }) => `WITH in_review AS MATERIALIZED (SELECT * FROM reviewable_charges)
    SELECT ${reviews.list} FROM in_review WHERE charge_id > ${after} AND ${reviewFilter.condition(given)}
    ORDER BY charge_id LIMIT ${limit}`,
)

/** A charge in review: its outcome is unknown, and its credits stay reserved until an operator decides. */
export type ReviewRow = RowOf<typeof reviewColumns>
/** With the provider that was asked; null if the operation asks several. */
export type OpenReviewRow = RowOf<typeof reviews.columns>

export interface ReviewedCharge extends ReviewRow {
  readonly state: ChargeState
  readonly decision: { readonly by: string; readonly reason: string; readonly at: number } | null
}

export type ReviewStore = ReturnType<typeof createReviewStore>

export const createReviewStore = (engine: Pick<Engine, 'read'>) => ({
  /** Charges in review with ids after `after`, oldest first. */
  waiting: (after: string, limit: number, provider?: string): Promise<OpenReviewRow[]> =>
    engine.read(async (tx) => {
      const filter = reviewFilter.values(provider === undefined ? {} : { provider })
      const rows = await tx.all(selectWaiting.sql, selectWaiting.values({ after, limit, ...filter }))
      return rows.map(reviews.decode)
    }),
  find: (chargeId: string): Promise<ReviewedCharge | undefined> =>
    engine.read(async (tx) => {
      const row = await charges.get(tx, 'WHERE c.charge_id = $1', [chargeId])
      if (!row) return undefined
      const { decidedBy: by, because: reason, decidedAt: at, ...charge } = row
      return { ...charge, decision: by === null ? null : { by, reason, at } }
    }),
})
