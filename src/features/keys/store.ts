import type { Scope } from '../../contract/prices.ts'
import { budgetOfKey } from '../../storage/books/rows.ts'
import type { Engine, Reader, Writer } from '../../storage/engine.ts'
import type { AddEvent } from '../../storage/event-rows.ts'
import { writeWithEvents } from '../../storage/event-rows.ts'
import type { BudgetRow, DueWarning, KeyReader, KeyRow, KeyStore, KeyWriter } from './ports.ts'

export function createKeyStore(engine: Engine, onEvents: () => void): KeyStore {
  return {
    read: (work) => engine.read((tx) => work(reader(tx))),
    write: (work) => writeWithEvents(engine, onEvents, (tx, add) => work(writer(tx, add))),
  }
}

type StoredKey = Omit<KeyRow, 'scopes' | 'allowedAddresses' | 'budget'> &
  BudgetRow & { scopes: string; allowedAddresses: string | null }

const columns = `k.key_id AS "keyId", k.project_id AS "projectId", k.name, k.display_prefix AS "displayPrefix", k.scopes,
  k.created_at AS "createdAt", k.revoked_at AS "revokedAt", k.suspended_at AS "suspendedAt", k.expires_at AS "expiresAt",
  k.rotated_from_key_id AS "rotatedFromKeyId", k.chain_id AS "chainId", k.allowed_addresses AS "allowedAddresses", k.calls,
  k.last_used_at AS "lastUsedAt", k.last_used_from AS "lastUsedFrom",
  b.credits, b.per, b.period_from AS "periodFrom", b.spent, b.reached_at AS "reachedAt",
  b.other_counts AS "otherCounts"`

const tables = `api_keys k LEFT JOIN key_budgets b ON b.budget_id = ${budgetOfKey}`

const toKeyRow = (stored: StoredKey): KeyRow => {
  const { scopes, allowedAddresses, credits, per, periodFrom, spent, reachedAt, otherCounts, ...row } = stored
  return {
    ...row,
    scopes: scopes.split(' ') as Scope[],
    allowedAddresses: allowedAddresses === null ? null : allowedAddresses.split(' '),
    budget: per === null ? null : { credits, per, periodFrom, spent, reachedAt, otherCounts },
  }
}

/** Far above the limit of active keys. Active keys come first, so only inactive ones can be left out. */
const listLimit = 1000

const isActive = 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)'

function reader(tx: Reader): KeyReader {
  return {
    keysOf: async (projectId, now) => {
      const rows = await tx.all<StoredKey>(
        `SELECT ${columns} FROM ${tables} WHERE k.project_id = $1
        ORDER BY CASE WHEN ${isActive} THEN 0 ELSE 1 END, k.created_at DESC, k.key_id DESC LIMIT ${listLimit}`,
        [projectId, now],
      )
      return rows.map(toKeyRow)
    },
    byDigest: async (digest) => {
      const row = await tx.get<StoredKey>(`SELECT ${columns} FROM ${tables} WHERE k.key_digest = $1`, [digest])
      return row && toKeyRow(row)
    },
    expiryWarnings: (now, limit) =>
      tx.all<DueWarning>(
        `SELECT project_id AS "projectId", key_id AS "keyId", expires_at AS "expiresAt", expiry_warning_at AS "dueAt"
        FROM api_keys WHERE expiry_warning_at <= $1 ORDER BY expiry_warning_at LIMIT $2`,
        [now, limit],
      ),
  }
}

function writer(tx: Writer, addEvent: AddEvent): KeyWriter {
  const one = async (condition: string, params: readonly string[]) => {
    const row = await tx.get<StoredKey>(`SELECT ${columns} FROM ${tables} WHERE ${condition}`, params)
    return row && toKeyRow(row)
  }
  return {
    ...reader(tx),
    // Updates that change nothing, but lock the row.
    lockKeys: async (projectId) => {
      await tx.run('UPDATE projects SET name = name WHERE project_id = $1', [projectId])
    },
    lockBooks: async (projectId) => {
      await tx.run('UPDATE balances SET entries = entries WHERE project_id = $1', [projectId])
    },
    find: (projectId, keyId) => one('k.key_id = $1 AND k.project_id = $2', [keyId, projectId]),
    newestInChain: (projectId, chainId) =>
      one(
        `k.project_id = $1 AND (k.key_id = $2 OR k.chain_id = $2) AND NOT EXISTS (
          SELECT 1 FROM api_keys later WHERE later.project_id = $1 AND later.rotated_from_key_id = k.key_id)
        ORDER BY k.created_at DESC, k.key_id DESC LIMIT 1`,
        [projectId, chainId],
      ),
    byRequest: async (projectId, idempotencyDigest) => {
      const found = await tx.get<{ keyId: string; requestDigest: string }>(
        `SELECT key_id AS "keyId", request_digest AS "requestDigest" FROM api_keys
        WHERE project_id = $1 AND idempotency_digest = $2`,
        [projectId, idempotencyDigest],
      )
      if (!found) return undefined
      const row = await one('k.key_id = $1', [found.keyId])
      return { row: row!, requestDigest: found.requestDigest }
    },
    countActive: async (projectId, now) => {
      const row = await tx.get<{ active: number }>(
        `SELECT COUNT(*) AS active FROM api_keys WHERE project_id = $1 AND ${isActive}`,
        [projectId, now],
      )
      return row!.active
    },
    insert: (row) => insertKey(tx, row),
    changeSettings: async ({ keyId, name, expiresAt, allowedAddresses, expiryWarningAt }) => {
      await tx.run(
        // A warning that is due stays due if the expiry stays.
        `UPDATE api_keys SET name = $2, expires_at = $3, allowed_addresses = $4, settings_version = settings_version + 1,
          expiry_warning_at = CASE WHEN expires_at IS NOT DISTINCT FROM $3 THEN expiry_warning_at ELSE $5 END
        WHERE key_id = $1`,
        [keyId, name, expiresAt, allowedAddresses?.join(' ') ?? null, expiryWarningAt],
      )
    },
    setBudget: async ({ projectId, chainId }, { credits, per, periodFrom, spent, otherCounts }) => {
      await tx.run(
        `INSERT INTO key_budgets (budget_id, project_id, credits, per, period_from, spent, other_counts)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT (budget_id) DO UPDATE SET credits = excluded.credits, per = excluded.per,
          period_from = excluded.period_from, spent = excluded.spent, reached_at = NULL,
          other_counts = excluded.other_counts`,
        [chainId, projectId, credits, per, periodFrom, spent, otherCounts],
      )
      await tx.run(
        'UPDATE api_keys SET settings_version = settings_version + 1 WHERE project_id = $1 AND (key_id = $2 OR chain_id = $2)',
        [projectId, chainId],
      )
    },
    revoke: async (projectId, keyId, at) =>
      (await tx.run(
        'UPDATE api_keys SET revoked_at = $3 WHERE key_id = $1 AND project_id = $2 AND revoked_at IS NULL',
        [keyId, projectId, at],
      )) === 1,
    moveExpiryWarning: async (keyId, { from, to }) =>
      (await tx.run('UPDATE api_keys SET expiry_warning_at = $3 WHERE key_id = $1 AND expiry_warning_at = $2', [
        keyId,
        from,
        to,
      ])) === 1,
    addEvent,
  }
}

async function insertKey(tx: Writer, row: Parameters<KeyWriter['insert']>[0]): Promise<void> {
  await tx.run(
    // The caller has locked the project, so a suspension is either seen here or finds this key.
    `INSERT INTO api_keys (key_id, project_id, key_digest, display_prefix, scopes, created_at, expires_at, name,
      rotated_from_key_id, chain_id, allowed_addresses, idempotency_digest, request_digest, expiry_warning_at, suspended_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, (SELECT a.suspended_at FROM accounts a
      JOIN projects p ON p.account_id = a.account_id WHERE p.project_id = $2))`,
    [
      row.keyId,
      row.projectId,
      row.keyDigest,
      row.displayPrefix,
      row.scopes.join(' '),
      row.createdAt,
      row.expiresAt,
      row.name,
      row.rotatedFromKeyId,
      row.chainId,
      row.allowedAddresses?.join(' ') ?? null,
      row.request?.idempotencyDigest ?? null,
      row.request?.requestDigest ?? null,
      row.expiryWarningAt,
    ],
  )
}
