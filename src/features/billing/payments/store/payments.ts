import { newSortableId } from '../../../../base/ids.ts'
import type { Sealed } from '../../../../base/keyring.ts'
import { creditsOfFen, pricingVersion } from '../../../../contract/prices.ts'
import type { Display } from '../../../../providers/payments/payment-provider.ts'
import { claimQueue } from '../../../../storage/claim-queue.ts'
import type { Engine } from '../../../../storage/engine.ts'
import { integer, orNull, type RowOf, rowMapper, text } from '../../../../storage/row-mapper.ts'
import type { PaymentState } from '../contract.ts'
import { newOrders } from './orders.ts'

export const paymentRows = rowMapper('payments', {
  paymentId: text(),
  projectId: text(),
  orderId: text(),
  idempotencyDigest: text(),
  method: text(),
  display: text<Display>(),
  amountFen: integer(),
  credits: integer(),
  state: text<PaymentState>(),
  qrText: orNull(text()),
  redirectUrl: orNull(text()),
  clientAddress: orNull(text()),
  transactionId: orNull(text()),
  note: orNull(text()),
  createdAt: integer(),
  expiresAt: integer(),
  paidAt: orNull(integer()),
  creditedAt: orNull(integer()),
  queries: integer(),
  failures: integer(),
  nextQueryAt: orNull(integer()),
  claimedBy: orNull(text()),
})
export type PaymentRow = RowOf<typeof paymentRows.columns>

const queue = claimQueue({ table: 'payments', id: 'payment_id', dueAt: 'next_query_at' })
export const adoptPayments = queue.adopt

const claimDue = queue.claim({
  candidates: `SELECT payment_id FROM payments WHERE ${queue.isDue} ORDER BY next_query_at LIMIT $4`,
  set: 'claimed_by = $2, next_query_at = $3',
  returning: paymentRows.list,
})

interface NewPaymentRow {
  readonly projectId: string
  readonly amountFen: number
  readonly method: string
  readonly display: Display
  readonly idempotencyDigest: string
  readonly clientAddress: string | null
  readonly at: number
  readonly expiresAt: number
  readonly nextQueryAt: number
}

interface ListedPayments {
  readonly state: PaymentState | null
  readonly hasReview: boolean
  readonly after: string | null
  readonly limit: number
}

const withReview = `AND payment_id IN (SELECT payment_id FROM payment_refunds WHERE state = 'review')`

/** Columns that a query of the provider may change. Credits and `paid` are the ledger's alone. */
export type PaymentChange = Partial<
  Pick<
    PaymentRow,
    'qrText' | 'redirectUrl' | 'clientAddress' | 'transactionId' | 'note' | 'paidAt' | 'queries' | 'failures'
  >
> & { readonly state?: Exclude<PaymentState, 'paid'> }

export const paymentTables = (engine: Engine) => ({
  /** The order and the payment in one commit, before the provider is asked; or the one that has this Idempotency-Key. */
  insertOrFind: (payment: NewPaymentRow): Promise<{ row: PaymentRow; isNew: boolean }> =>
    engine.write(async (tx) => {
      const { projectId, amountFen, idempotencyDigest, at } = payment
      const found = () =>
        paymentRows.get(tx, 'WHERE project_id = $1 AND idempotency_digest = $2', [projectId, idempotencyDigest])
      const earlier = await found()
      if (earlier) return { row: earlier, isNew: false }
      const paymentId = newSortableId('pay', at)
      const orderId = newSortableId('ord', at)
      const credits = creditsOfFen(amountFen)
      await newOrders.insert(tx, {
        ...{ orderId, projectId, amountFen, creditAmount: credits, pricingVersion, createdAt: at },
        state: 'pending',
        idempotencyDigest: `payment ${paymentId}`,
      })
      const { expiresAt, nextQueryAt, method, display, clientAddress } = payment
      await paymentRows.insert(tx, {
        ...{ paymentId, projectId, orderId, idempotencyDigest, method, display, amountFen, credits, clientAddress },
        ...{ state: 'created' as const, createdAt: at, expiresAt, queries: 0, failures: 0, nextQueryAt },
      })
      return { row: (await found())!, isNew: true }
    }),
  find: (paymentId: string) => engine.read((tx) => paymentRows.get(tx, 'WHERE payment_id = $1', [paymentId])),
  read: (projectId: string, paymentId: string) =>
    engine.read((tx) => paymentRows.get(tx, 'WHERE payment_id = $1 AND project_id = $2', [paymentId, projectId])),
  page: (projectId: string, before: string | null, limit: number) =>
    engine.read((tx) =>
      paymentRows.all(tx, 'WHERE project_id = $1 AND payment_id < $2 ORDER BY payment_id DESC LIMIT $3', [
        projectId,
        before ?? 'pay~',
        limit,
      ]),
    ),
  /** Of all projects, the newest first. `hasReview`: only those with a refund in review. */
  list: ({ state, hasReview, after, limit }: ListedPayments) =>
    engine.read((tx) =>
      paymentRows.all(
        tx,
        `WHERE ${state ? 'state = $3' : '$3 = $3'} AND payment_id < $1 ${hasReview ? withReview : ''}
        ORDER BY payment_id DESC LIMIT $2`,
        [after ?? 'pay~', limit, state ?? ''],
      ),
    ),
  hasDue: (now: number) => engine.read((tx) => queue.hasDue(tx, now)),
  claim: (by: string, now: number, until: number, limit: number): Promise<PaymentRow[]> =>
    engine.write((tx) => tx.all<PaymentRow>(claimDue, [now, by, until, limit])),
  /** Ends a claim, unless a hint has ended it already: then the payment is due again, and nothing is changed. */
  release: (claimedBy: string, paymentId: string, nextQueryAt: number | null, change: PaymentChange) =>
    engine.write((tx) =>
      paymentRows.update(
        tx,
        { ...change, nextQueryAt, claimedBy: null },
        `payment_id = $1 AND claimed_by = $2${change.state === undefined ? '' : ` AND ${notPaid}`}`,
        [paymentId, claimedBy],
      ),
    ),
  /** Records the provider's response to the creation. No claim is needed: only the creating request calls this. */
  created: (paymentId: string, change: PaymentChange) =>
    engine.write((tx) => paymentRows.update(tx, change, `payment_id = $1 AND state = 'created'`, [paymentId])),
  change: (paymentId: string, change: PaymentChange) =>
    engine.write((tx) => paymentRows.update(tx, change, `payment_id = $1 AND ${notPaid}`, [paymentId])),
  /** Brings the query forward, and ends the claim of a worker that may have asked too early. */
  hint: (paymentId: string, method: string | null, now: number): Promise<boolean> =>
    engine.write(async (tx) => {
      const found = await tx.run(
        `UPDATE payments SET next_query_at = $2, claimed_by = NULL, queries = 0
        WHERE payment_id = $1 AND ($3 = '' OR method = $3)`,
        [paymentId, now, method ?? ''],
      )
      return found === 1
    }),
  cancel: (projectId: string, paymentId: string, now: number): Promise<boolean> =>
    engine.write(async (tx) => {
      const changed = await tx.run(
        `UPDATE payments SET state = 'cancelled', next_query_at = $3, claimed_by = NULL, queries = 0
        WHERE payment_id = $1 AND project_id = $2 AND (state = 'created' OR state = 'waiting')`,
        [paymentId, projectId, now],
      )
      return changed === 1
    }),
  /** Whether the callback is new. */
  keepCallback: (
    row: Sealed & { inboxId: string; method: string; eventId: string; paymentId: string | null; at: number },
  ) =>
    engine.write(async (tx) => {
      const added = await tx.run(
        `INSERT INTO payment_inbox (inbox_id, method, event_id, payment_id, sealed, key_version, received_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (method, event_id) DO NOTHING`,
        [row.inboxId, row.method, row.eventId, row.paymentId, row.sealed, row.keyVersion, row.at],
      )
      return added === 1
    }),
  pruneInbox: (before: number, limit: number) =>
    engine.write((tx) =>
      tx.run(
        `DELETE FROM payment_inbox WHERE inbox_id IN (
          SELECT inbox_id FROM payment_inbox WHERE received_at < $1 ORDER BY received_at LIMIT $2)`,
        [before, limit],
      ),
    ),
  countByState: () =>
    engine.read((tx) =>
      tx.all<{ state: string; count: number }>('SELECT state, COUNT(*) AS count FROM payments GROUP BY state'),
    ),
})

const notPaid = `state <> 'paid'`
