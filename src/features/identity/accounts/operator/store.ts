import { minuteMs } from '../../../../base/time.ts'
import { createActionStore } from '../../../../operator-kit/store.ts'
import type { Task } from '../../../../ops/maintenance.ts'
import { lockBalance, readBalance } from '../../../../storage/balance-rows.ts'
import type { Engine, Reader, Writer } from '../../../../storage/engine.ts'
import { addEvent } from '../../../../storage/event-rows.ts'
import { from, integer, orNull, type RowOf, rowMapper, text } from '../../../../storage/row-mapper.ts'
import { hasFactor } from '../factor-store.ts'
import { accountTables, accountWriter, recoveryEmailState } from '../store.ts'

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
const keys = rowMapper('api_keys', {
  keyId: text(),
  name: orNull(text()),
  displayPrefix: text(),
  revokedAt: orNull(integer()),
})

export type ListedAccountRow = RowOf<typeof listedColumns>
export type AccountSummary = RowOf<typeof accounts.columns>
export type OperatedKey = RowOf<typeof keys.columns>

const inOrder = 'ORDER BY a.created_at, a.account_id LIMIT $2'

/** The last row of the page before: what the list is ordered by, and its id. */
export interface ListPosition {
  readonly at: number
  readonly id: string
}

const accountReads = (tx: Reader) => ({
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
  balance: (projectId: string) => readBalance(tx, projectId),
  /** The newest first. */
  keys: (projectId: string, limit: number) =>
    keys.all(tx, 'WHERE project_id = $1 ORDER BY created_at DESC, key_id DESC LIMIT $2', [projectId, limit]),
})

const accountWrites = (tx: Writer) => {
  return {
    /** For actions that a payer could also take, in the same transaction. */
    identity: accountWriter(tx, (event) => addEvent(tx, event)),
    /** Reads an account and locks its project, its balance and so its calls until this write ends. */
    lockAccount: async (accountId: string) => {
      // Adding a key locks the project: it is either suspended here or sees that its account is.
      const project = await tx.get<{ projectId: string }>(
        'UPDATE projects SET name = name WHERE account_id = $1 RETURNING project_id AS "projectId"',
        [accountId],
      )
      if (!project) return undefined
      await lockBalance(tx, project.projectId)
      return accounts.get(tx, 'WHERE a.account_id = $1', [accountId])
    },
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
  }
}

export const operatedAccounts = (engine: Pick<Engine, 'read' | 'write'>) =>
  createActionStore(engine, accountReads, accountWrites)

export type AccountActionWriter = Parameters<Parameters<ReturnType<typeof operatedAccounts>['write']>[0]>[0]

/** Small enough that no call waits long for one of these writes. */
const projectsAtOnce = 500

async function copySpending(engine: Pick<Engine, 'read' | 'write'>, stopping?: AbortSignal): Promise<void> {
  let after: string | null = ''
  while (after !== null && !stopping?.aborted) {
    const from: string = after
    after = await operatedAccounts(engine).write((tx) => tx.copySpending(from, projectsAtOnce))
  }
}

export const spendingTask = (engine: Pick<Engine, 'read' | 'write'>): Task => ({
  name: 'account-spending',
  everyMs: minuteMs,
  run: (stopping) => copySpending(engine, stopping),
})
