import type { ChargeState } from '../../../ledger/commands.ts'
import type { Engine, Reader, Writer } from '../../../storage/engine.ts'
import type {
  AccountSummary,
  AdministrationReader,
  AdministrationWriter,
  OperatedKey,
  ProjectBalance,
  ReviewReader,
  ReviewRow,
} from '../administration/ports.ts'

type AccountReads = Pick<
  AdministrationReader,
  'accountsByContact' | 'accountsById' | 'accountsByKeyPrefix' | 'balance' | 'keys'
>

export function accountReads(tx: Reader): AccountReads {
  return {
    accountsByContact: async (contact, digests, limit) => {
      const column = contact === 'phone' ? 'i.phone_digest' : 'a.recovery_email_digest'
      const found: AccountSummary[] = []
      for (const digest of digests) {
        found.push(
          ...(await tx.all<AccountSummary>(`${selectAccounts} WHERE ${column} = $1 ${inOrder}`, [digest, limit])),
        )
      }
      return found.slice(0, limit)
    },
    accountsById: (id, limit) => tx.all<AccountSummary>(byAnyId, [id, limit]),
    accountsByKeyPrefix: (prefix, limit) =>
      // The last character of all ends the range, so that the index is used.
      tx.all<AccountSummary>(byKeyPrefix, [prefix, limit, `${prefix}\u{10ffff}`]),
    balance: (projectId) => tx.get<ProjectBalance>(`${selectBalance} WHERE project_id = $1`, [projectId]),
    keys: (projectId, limit) =>
      tx.all<OperatedKey>(`${selectKeys} WHERE project_id = $1 ORDER BY created_at DESC, key_id DESC LIMIT $2`, [
        projectId,
        limit,
      ]),
  }
}

type OperatedAccountWrites = Pick<
  AdministrationWriter,
  'lockAccount' | 'setSuspension' | 'lockKey' | 'revokeKey' | 'lockBalance'
>

export function accountWrites(tx: Writer): OperatedAccountWrites {
  /** An update that changes nothing locks the row. Batches lock the balance first too, so that nobody deadlocks. */
  const lockBalance = (projectId: string) =>
    tx.get<ProjectBalance>(
      'UPDATE balances SET entries = entries WHERE project_id = $1 RETURNING available, reserved, settled, credited',
      [projectId],
    )
  return {
    lockBalance,
    lockAccount: async (accountId) => {
      // Adding a key locks the project: it is either suspended here or sees that its account is.
      const project = await tx.get<{ projectId: string }>(
        'UPDATE projects SET name = name WHERE account_id = $1 RETURNING project_id AS "projectId"',
        [accountId],
      )
      if (!project) return undefined
      await lockBalance(project.projectId)
      return tx.get<AccountSummary>(`${selectAccounts} WHERE a.account_id = $1`, [accountId])
    },
    setSuspension: async ({ accountId, projectId }, suspension) => {
      const at = suspension?.at ?? null
      await tx.run('UPDATE accounts SET suspended_at = $2, suspension_reason = $3 WHERE account_id = $1', [
        accountId,
        at,
        suspension?.reason ?? null,
      ])
      await tx.run('UPDATE api_keys SET suspended_at = $2 WHERE project_id = $1', [projectId, at])
    },
    lockKey: async (keyId) => {
      const key = await tx.get<OperatedKey>(selectKey, [keyId])
      if (!key) return undefined
      await lockBalance(key.projectId)
      return tx.get<OperatedKey>(selectKey, [keyId])
    },
    revokeKey: async (keyId, at) => {
      await tx.run('UPDATE api_keys SET revoked_at = $2 WHERE key_id = $1', [keyId, at])
    },
  }
}

const selectAccounts = `SELECT a.account_id AS "accountId", p.project_id AS "projectId", i.phone_masked AS "phoneMasked",
    a.recovery_email_masked AS "recoveryEmailMasked", a.recovery_email_state AS "recoveryEmailState",
    a.created_at AS "createdAt", a.suspended_at AS "suspendedAt", a.suspension_reason AS "suspensionReason"
  FROM accounts a JOIN identities i ON i.account_id = a.account_id JOIN projects p ON p.account_id = a.account_id`

const inOrder = 'ORDER BY a.created_at, a.account_id LIMIT $2'

const byAnyId = `${selectAccounts} WHERE a.account_id IN (SELECT account_id FROM accounts WHERE account_id = $1
    UNION SELECT account_id FROM projects WHERE project_id = $1
    UNION SELECT p2.account_id FROM api_keys k JOIN projects p2 ON p2.project_id = k.project_id WHERE k.key_id = $1)
  ${inOrder}`

const byKeyPrefix = `${selectAccounts} WHERE p.project_id IN (
    SELECT project_id FROM api_keys WHERE display_prefix >= $1 AND display_prefix < $3) ${inOrder}`

const selectBalance = 'SELECT available, reserved, settled, credited FROM balances'

const selectKeys = `SELECT key_id AS "keyId", project_id AS "projectId", display_prefix AS "displayPrefix",
  revoked_at AS "revokedAt" FROM api_keys`

const selectKey = `${selectKeys} WHERE key_id = $1`

export function createReviewStore(engine: Pick<Engine, 'read'>): ReviewReader {
  return {
    waiting: (after, limit) =>
      engine.read((tx) =>
        tx.all<ReviewRow>(
          // Materialized, because PostgreSQL might otherwise scan the entries of every charge to get the order.
          `WITH in_review AS MATERIALIZED (SELECT * FROM reviewable_charges)
          SELECT ${reviewColumns} FROM in_review c WHERE c.charge_id > $1 ORDER BY c.charge_id LIMIT $2`,
          [after, limit],
        ),
      ),
    find: (chargeId) =>
      engine.read(async (tx) => {
        const row = await tx.get<ReviewRow & { state: ChargeState } & DecisionColumns>(
          `SELECT ${reviewColumns}, c.state, d.decided_by AS "by", d.reason AS because, d.decided_at AS "at"
          FROM charges c LEFT JOIN review_decisions d ON d.charge_id = c.charge_id WHERE c.charge_id = $1`,
          [chargeId],
        )
        if (!row) return undefined
        const { by, because, at, ...charge } = row
        return { ...charge, decision: by === null ? null : { by, reason: because!, at: at! } }
      }),
  }
}

interface DecisionColumns {
  readonly by: string | null
  readonly because: string | null
  readonly at: number | null
}

const reviewColumns = `c.charge_id AS "chargeId", c.project_id AS "projectId", c.operation, c.credits,
  c.request_id AS "requestId", c.reserved_at AS "reservedAt", c.reason`
