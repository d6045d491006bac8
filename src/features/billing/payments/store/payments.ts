import { newSortableId } from '../../../../base/ids.ts'
import type { Sealed } from '../../../../base/keyring.ts'
import { creditsOfFen, pricingVersion } from '../../../../contract/prices.ts'
import type { Display } from '../../../../providers/payments/payment-provider.ts'
import { lockBalance } from '../../../../storage/balance-rows.ts'
import { claimQueue } from '../../../../storage/claim-queue.ts'
import type { Engine, Reader, Writer } from '../../../../storage/engine.ts'
import { from, integer, orNull, type RowOf, rowMapper, text } from '../../../../storage/row-mapper.ts'
import { placeholders } from '../../../../storage/sql-text.ts'
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

/** The time of the next query after a hint: before that of every payment without one. */
const hinted = 0
/** How many payments of a project are claimed at once, and how many may be under way before it has to wait. */
export const claimedPerProject = 4

/** Hinted ones first, then projects in turn, so that none can delay the payments of others. */
const claimDue = queue.claim({
  candidates: `SELECT payment_id FROM (
    SELECT payment_id, next_query_at, ROW_NUMBER() OVER (PARTITION BY project_id ORDER BY next_query_at, payment_id) AS turn
    FROM payments WHERE ${queue.isDue} AND project_id NOT IN ($6, $7, $8, $9)) AS due WHERE turn <= $5
    ORDER BY CASE WHEN next_query_at = ${hinted} THEN 0 ELSE 1 END, turn, next_query_at LIMIT $4`,
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

interface PaymentClaim {
  readonly by: string
  readonly now: number
  readonly until: number
  readonly limit: number
  readonly busy?: readonly string[]
}

interface ListedPayments {
  readonly state: PaymentState | null
  readonly hasReview: boolean
  /** Only those that an operator has to end. */
  readonly isOpen?: boolean
  readonly after: string | null
  readonly limit: number
}

const withReview = `AND payment_id IN (SELECT payment_id FROM payment_refunds WHERE state = 'review'
  UNION ALL SELECT payment_id FROM uncredited_payments WHERE state = 'review')`

/** Payments `p` that an operator has to end: with money that is open, or in review since before it was recorded. */
export const needsDecision = `(EXISTS (SELECT 1 FROM uncredited_payments u WHERE u.payment_id = p.payment_id AND u.state = 'open')
  OR (p.state = 'review' AND NOT EXISTS (SELECT 1 FROM uncredited_payments u WHERE u.payment_id = p.payment_id)))`

const ofTransaction = (column: string) => `(SELECT u.${column} FROM uncredited_payments u
  WHERE u.payment_id = p.payment_id AND u.transaction_id = p.transaction_id)`

/** With the amount of the order, and what was recorded of its transaction when it was not credited. */
const shownRows = rowMapper('payments p', {
  ...from('p', paymentRows.columns),
  orderFen: integer('(SELECT o.amount_fen FROM orders o WHERE o.order_id = p.order_id)'),
  uncreditedFen: orNull(integer(ofTransaction('amount_fen'))),
  uncreditedCurrency: orNull(text(ofTransaction('currency'))),
})
export type ShownPaymentRow = RowOf<typeof shownRows.columns>

/** Columns that a query of the provider may change. Only the ledger writes `paid`, and `uncredited.record` `review`. */
export type PaymentChange = Partial<
  Pick<PaymentRow, 'qrText' | 'redirectUrl' | 'clientAddress' | 'note' | 'queries' | 'failures'>
> & { readonly state?: Exclude<PaymentState, 'paid' | 'review'> }

export const paymentTables = (engine: Engine) => ({
  insertOrFind: (payment: NewPaymentRow, maxOpen: number) => engine.write((tx) => insertOrFind(tx, payment, maxOpen)),
  /** Whether the project has ever paid. */
  hasPaid: (projectId: string) =>
    engine.read(async (tx) => {
      const sql = `SELECT 1 AS found FROM payments WHERE project_id = $1 AND state = 'paid' LIMIT 1`
      return (await tx.get(sql, [projectId])) !== undefined
    }),
  find: (paymentId: string) => engine.read((tx) => shownRows.get(tx, 'WHERE payment_id = $1', [paymentId])),
  read: (projectId: string, paymentId: string) =>
    engine.read((tx) => shownRows.get(tx, 'WHERE payment_id = $1 AND project_id = $2', [paymentId, projectId])),
  page: (projectId: string, before: string | null, limit: number) =>
    engine.read((tx) =>
      shownRows.all(tx, 'WHERE project_id = $1 AND payment_id < $2 ORDER BY payment_id DESC LIMIT $3', [
        projectId,
        before ?? 'pay~',
        limit,
      ]),
    ),
  /** Of all projects, the newest first. `hasReview`: only those with a refund in review. */
  list: ({ state, hasReview, isOpen, after, limit }: ListedPayments) =>
    engine.read((tx) =>
      shownRows.all(
        tx,
        `WHERE ${state ? 'state = $3' : '$3 = $3'} AND payment_id < $1 ${hasReview ? withReview : ''}
        ${isOpen ? `AND ${needsDecision}` : ''} ORDER BY payment_id DESC LIMIT $2`,
        [after ?? 'pay~', limit, state ?? ''],
      ),
    ),
  pendingApprovals: async (ids: readonly string[]): Promise<readonly { paymentId: string; approvalId: string }[]> => {
    if (ids.length === 0) return []
    const isOne = (column: string) => `${column} IN (${placeholders(ids)})`
    return engine.read((tx) =>
      tx.all(
        `SELECT COALESCE(f.payment_id, u.payment_id, a.subject_id) AS "paymentId", a.approval_id AS "approvalId"
        FROM approvals a LEFT JOIN payment_refunds f ON f.refund_id = a.subject_id
        LEFT JOIN uncredited_payments u ON u.refund_id = a.subject_id
        WHERE a.state = 'pending' AND a.subject <> 'movement'
          AND (${isOne('f.payment_id')} OR ${isOne('u.payment_id')} OR ${isOne('a.subject_id')})`,
        ids,
      ),
    )
  },
  hasDue: (now: number) => engine.read((tx) => queue.hasDue(tx, now)),
  /** `busy` are up to four projects that have to wait. */
  claim: ({ by, now, until, limit, busy = [] }: PaymentClaim): Promise<PaymentRow[]> =>
    engine.write((tx) => {
      const [a = '', b = '', c = '', d = ''] = busy
      return tx.all<PaymentRow>(claimDue, [now, by, until, limit, claimedPerProject, a, b, c, d])
    }),
  /** Ends a claim, unless a hint has ended it already: then the payment is due again, and nothing is changed. */
  release: (claimedBy: string, paymentId: string, nextQueryAt: number | null, change: PaymentChange) =>
    engine.write((tx) =>
      paymentRows.update(
        tx,
        { ...change, nextQueryAt, claimedBy: null },
        `payment_id = $1 AND claimed_by = $2${change.state === undefined ? '' : ` AND ${mayEnd}`}`,
        [paymentId, claimedBy],
      ),
    ),
  /** Records the provider's response to the creation. No claim is needed: only the creating request calls this. */
  created: (paymentId: string, change: PaymentChange) =>
    engine.write((tx) => paymentRows.update(tx, change, `payment_id = $1 AND state = 'created'`, [paymentId])),
  /** Brings the query forward, and ends the claim of a worker that may have asked too early. */
  hint: (paymentId: string, method: string | null): Promise<boolean> =>
    engine.write(async (tx) => {
      const found = await tx.run(
        `UPDATE payments SET next_query_at = ${hinted}, claimed_by = NULL, queries = 0
        WHERE payment_id = $1 AND ($2 = '' OR method = $2)`,
        [paymentId, method ?? ''],
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

/** A payment in review keeps its state, whatever a slower query says. */
const mayEnd = `state <> 'paid' AND state <> 'review'`

/** Payments of a project whose ids begin like this, the newest first. */
export const paymentsFrom = (tx: Reader, projectId: string, start: string, limit: number): Promise<PaymentRow[]> =>
  paymentRows.all(
    tx,
    'WHERE project_id = $1 AND payment_id >= $2 AND payment_id < $3 ORDER BY payment_id DESC LIMIT $4',
    [projectId, start, `${start}~`, limit],
  )

/**
 * The order and the payment in one commit, before the provider is asked; or the one that has this Idempotency-Key. Undefined if
 * the project has too many open payments.
 */
async function insertOrFind(
  tx: Writer,
  payment: NewPaymentRow,
  maxOpen: number,
): Promise<{ row: ShownPaymentRow; isNew: boolean } | undefined> {
  const { projectId, amountFen, idempotencyDigest, at } = payment
  const found = () =>
    shownRows.get(tx, 'WHERE project_id = $1 AND idempotency_digest = $2', [projectId, idempotencyDigest])
  // Locks before the search, so that a concurrent repeat waits and finds the payment.
  await lockBalance(tx, projectId)
  const earlier = await found()
  if (earlier) return { row: earlier, isNew: false }
  const open = `SELECT COUNT(*) AS count FROM payments WHERE project_id = $1 AND state IN ('created', 'waiting')`
  if ((await tx.get<{ count: number }>(open, [projectId]))!.count >= maxOpen) return undefined
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
}
