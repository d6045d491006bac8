import type { ChargeState } from '../../../ledger/commands.ts'
import type { Engine, Reader, Writer } from '../../../storage/engine.ts'
import { from, integer, orNull, type RowOf, rowMapper, text } from '../../../storage/row-mapper.ts'
import { hasFactor } from '../../identity/accounts/factor-store.ts'
import { accountTables, recoveryEmailState } from '../../identity/accounts/store.ts'

const accounts = rowMapper(accountTables, {
  accountId: text('a.account_id'),
  projectId: text('p.project_id'),
  phoneMasked: text('i.phone_masked'),
  hasSecondFactor: hasFactor('a.account_id'),
  ...from('a', {
    recoveryEmailMasked: text(),
    recoveryEmailState,
    createdAt: integer(),
    suspendedAt: orNull(integer()),
    suspensionReason: orNull(text()),
  }),
})
/** With what the project has spent: now, and when the lists were last brought up to date. */
const listedColumns = {
  ...accounts.columns,
  available: integer('b.available'),
  settled: integer('b.settled'),
}
const listed = rowMapper(`${accountTables} JOIN balances b ON b.project_id = p.project_id`, listedColumns)
/** The page first, so that the accounts of this page alone are looked up. */
const spendingPage = `(SELECT project_id, settled FROM project_spending WHERE (settled, project_id) < ($1, $2)
  ORDER BY settled DESC, project_id DESC LIMIT $3)`
const listedBySpending = rowMapper(
  `${spendingPage} AS s JOIN projects p ON p.project_id = s.project_id JOIN accounts a ON a.account_id = p.account_id
    JOIN identities i ON i.account_id = a.account_id JOIN balances b ON b.project_id = s.project_id`,
  { ...listedColumns, ranked: integer('s.settled') },
)
const balances = rowMapper('balances', {
  available: integer(),
  reserved: integer(),
  settled: integer(),
  credited: integer(),
})
const keys = rowMapper('api_keys', {
  keyId: text(),
  projectId: text(),
  name: orNull(text()),
  displayPrefix: text(),
  revokedAt: orNull(integer()),
})

export type ListedAccountRow = RowOf<typeof listedColumns>
export type AccountSummary = RowOf<typeof accounts.columns>
export type ProjectBalance = RowOf<typeof balances.columns>
export type OperatedKey = RowOf<typeof keys.columns>

const inOrder = 'ORDER BY a.created_at, a.account_id LIMIT $2'

/** The last row of the page before: what the list is ordered by, and its id. */
export interface ListPosition {
  readonly at: number
  readonly id: string
}

export const accountReads = (tx: Reader) => ({
  /** Accounts whose phone or recovery email has one of these digests. */
  accountsByContact: async (contact: 'phone' | 'email', digests: readonly string[], limit: number) => {
    const column = contact === 'phone' ? 'i.phone_digest' : 'a.recovery_email_digest'
    const found: AccountSummary[] = []
    for (const digest of digests) {
      found.push(...(await accounts.all(tx, `WHERE ${column} = $1 ${inOrder}`, [digest, limit])))
    }
    return found.slice(0, limit)
  },
  /** By the id of the account, its project or one of its keys. */
  accountsById: (id: string, limit: number) =>
    accounts.all(
      tx,
      `WHERE a.account_id IN (SELECT account_id FROM accounts WHERE account_id = $1
        UNION SELECT account_id FROM projects WHERE project_id = $1
        UNION SELECT p2.account_id FROM api_keys k JOIN projects p2 ON p2.project_id = k.project_id WHERE k.key_id = $1)
      ${inOrder}`,
      [id, limit],
    ),
  /** Accounts with a key whose displayed prefix starts with this text. */
  accountsByKeyPrefix: (prefix: string, limit: number) =>
    accounts.all(
      tx,
      `WHERE p.project_id IN (
        SELECT project_id FROM api_keys WHERE display_prefix >= $1 AND display_prefix < $3) ${inOrder}`,
      // The last character of all ends the range, so that the index is used.
      [prefix, limit, `${prefix}\u{10ffff}`],
    ),
  newestAccounts: ({ at, id }: ListPosition, limit: number) =>
    listed.all(
      tx,
      'WHERE (a.created_at, a.account_id) < ($1, $2) ORDER BY a.created_at DESC, a.account_id DESC LIMIT $3',
      [at, id, limit],
    ),
  suspendedAccounts: ({ at, id }: ListPosition, limit: number) =>
    listed.all(
      tx,
      `WHERE a.suspended_at IS NOT NULL AND (a.suspended_at, a.account_id) < ($1, $2)
      ORDER BY a.suspended_at DESC, a.account_id DESC LIMIT $3`,
      [at, id, limit],
    ),
  accountsBySpending: ({ at, id }: ListPosition, limit: number) =>
    listedBySpending.all(tx, 'ORDER BY s.settled DESC, s.project_id DESC', [at, id, limit]),
  balance: (projectId: string) => balances.get(tx, 'WHERE project_id = $1', [projectId]),
  /** The newest first. */
  keys: (projectId: string, limit: number) =>
    keys.all(tx, 'WHERE project_id = $1 ORDER BY created_at DESC, key_id DESC LIMIT $2', [projectId, limit]),
})

export function accountWrites(tx: Writer) {
  /**
   * Reads a balance and locks it, so that no grant or withdrawal is made meanwhile. An update that changes nothing locks the
   * row. Batches lock the balance first too, so that nobody deadlocks.
   */
  const lockBalance = (projectId: string) =>
    tx.get<ProjectBalance>(`UPDATE balances SET entries = entries WHERE project_id = $1 RETURNING ${balances.list}`, [
      projectId,
    ])
  return {
    lockBalance,
    /** Reads an account and locks its project, its balance and so its calls until this write ends. */
    lockAccount: async (accountId: string) => {
      // Adding a key locks the project: it is either suspended here or sees that its account is.
      const project = await tx.get<{ projectId: string }>(
        'UPDATE projects SET name = name WHERE account_id = $1 RETURNING project_id AS "projectId"',
        [accountId],
      )
      if (!project) return undefined
      await lockBalance(project.projectId)
      return accounts.get(tx, 'WHERE a.account_id = $1', [accountId])
    },
    /** Suspends the account and its keys, or reinstates them. */
    setSuspension: async (
      { accountId, projectId }: AccountSummary,
      suspension: { readonly at: number; readonly reason: string } | null,
    ) => {
      const at = suspension?.at ?? null
      await tx.run('UPDATE accounts SET suspended_at = $2, suspension_reason = $3 WHERE account_id = $1', [
        accountId,
        at,
        suspension?.reason ?? null,
      ])
      await tx.run('UPDATE api_keys SET suspended_at = $2 WHERE project_id = $1', [projectId, at])
    },
    /** Reads a key and locks its project's balance. */
    lockKey: async (keyId: string) => {
      const key = await keys.get(tx, 'WHERE key_id = $1', [keyId])
      if (!key) return undefined
      await lockBalance(key.projectId)
      return keys.get(tx, 'WHERE key_id = $1', [keyId])
    },
    /** Brings the list by spending up to date for the next projects. Returns the last of them, or null at the end. */
    copySpending: async (after: string, limit: number): Promise<string | null> => {
      const changed = `SELECT b.project_id, b.settled FROM (
          SELECT project_id, settled FROM balances WHERE project_id > $1 ORDER BY project_id LIMIT $2) AS b
        LEFT JOIN project_spending s ON s.project_id = b.project_id
        WHERE b.settled > 0 AND (s.settled IS NULL OR s.settled <> b.settled)`
      await tx.run(
        `INSERT INTO project_spending (project_id, settled) ${changed}
        ON CONFLICT (project_id) DO UPDATE SET settled = excluded.settled`,
        [after, limit],
      )
      const page = `SELECT MAX(project_id) AS last, COUNT(*) AS rows FROM (
        SELECT project_id FROM balances WHERE project_id > $1 ORDER BY project_id LIMIT $2) AS page`
      const { last, rows } = (await tx.get<{ last: string | null; rows: number }>(page, [after, limit]))!
      return rows < limit ? null : last
    },
    revokeKey: (keyId: string, at: number) => keys.update(tx, { revokedAt: at }, 'key_id = $1', [keyId]),
  }
}

const reviewColumns = {
  chargeId: text(),
  projectId: text(),
  operation: text(),
  credits: integer(),
  requestId: text(),
  reservedAt: integer(),
  reason: orNull(text()),
}
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
  ...from('c', { ...reviewColumns, state: text<ChargeState>() }),
  decidedBy: orNull(text('d.decided_by')),
  because: text('d.reason'),
  decidedAt: integer('d.decided_at'),
})

/** A charge in review: its outcome is unknown, and its credits stay reserved until an operator decides. */
export type ReviewRow = RowOf<typeof reviewColumns>
/** With the provider that was asked; null if the operation asks several. */
export type OpenReviewRow = RowOf<typeof reviews.columns>

export interface ReviewedCharge extends ReviewRow {
  readonly state: ChargeState
  readonly decision: { readonly by: string; readonly reason: string; readonly at: number } | null
}

export type ReviewReader = ReturnType<typeof createReviewStore>

export const createReviewStore = (engine: Pick<Engine, 'read'>) => ({
  /** Charges in review with ids after `after`, oldest first. */
  waiting: (after: string, limit: number, provider?: string): Promise<OpenReviewRow[]> =>
    engine.read(async (tx) => {
      const ofProvider = `AND (${asked} = $3 OR SUBSTR(${asked}, 1, LENGTH($4)) = $4)`
      const rows = await tx.all(
        // Materialized, because PostgreSQL might otherwise scan the entries of every charge to get the order.
        `WITH in_review AS MATERIALIZED (SELECT * FROM reviewable_charges)
        SELECT ${reviews.list} FROM in_review WHERE charge_id > $1 ${provider === undefined ? '' : ofProvider}
        ORDER BY charge_id LIMIT $2`,
        [after, limit, ...(provider === undefined ? [] : [provider, `${provider}/`])],
      )
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
