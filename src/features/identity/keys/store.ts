import type { BudgetPeriod } from '../../../contract/budget-periods.ts'
import type { Scope } from '../../../contract/prices.ts'
import { lockBalance } from '../../../storage/balance-rows.ts'
import { budgetOfKey } from '../../../storage/batch/rows.ts'
import type { Engine, Reader, Writer } from '../../../storage/engine.ts'
import type { AddEvent } from '../../../storage/event-rows.ts'
import { writeWithEvents } from '../../../storage/event-rows.ts'
import { flag, from, integer, orNull, type RowOf, rowMapper, text, words } from '../../../storage/row-mapper.ts'
import { lockProject } from '../accounts/store.ts'

const keyColumns = {
  keyId: text(),
  projectId: text(),
  /** Null for keys that were created without one. */
  name: orNull(text()),
  displayPrefix: text(),
  scopes: words<Scope>(),
  createdAt: integer(),
  revokedAt: orNull(integer()),
  /** When its account was suspended; null unless it is. */
  suspendedAt: orNull(integer()),
  expiresAt: orNull(integer()),
  rotatedFromKeyId: orNull(text()),
  /** The first key of its rotation chain; null for that key itself. */
  chainId: orNull(text()),
  /** Addresses and CIDR ranges; null allows every requester. */
  allowedAddresses: orNull(words()),
  /** Whether its callers may know the balance of the project. */
  showsBalance: flag(),
  /** Whether what its callers send and receive is kept for a while. */
  logsContent: flag(),
  calls: integer(),
  lastUsedAt: orNull(integer()),
  /** Masked. */
  lastUsedFrom: orNull(text()),
}

const budgetColumns = {
  /** Null if the budget was removed. */
  credits: orNull(integer()),
  per: text<BudgetPeriod>(),
  periodFrom: integer(),
  spent: integer(),
  reachedAt: orNull(integer()),
  otherCounts: text(),
}

/** What a client sent to create a key, so that it can repeat the request. Both are digests. */
const requestColumns = { idempotencyDigest: text(), requestDigest: text() }

const storedKeys = rowMapper(`api_keys k LEFT JOIN key_budgets b ON b.budget_id = ${budgetOfKey}`, {
  ...from('k', keyColumns),
  ...from('b', budgetColumns),
})
const newKeys = rowMapper('api_keys', {
  ...keyColumns,
  ...requestColumns,
  keyDigest: text(),
  expiryWarningAt: orNull(integer()),
})
const requests = rowMapper('api_keys', { ...requestColumns, keyId: text() })
const budgets = rowMapper('key_budgets', { budgetId: text(), projectId: text(), ...budgetColumns })
const dueWarnings = rowMapper('api_keys', {
  projectId: text(),
  keyId: text(),
  expiresAt: integer(),
  dueAt: integer('expiry_warning_at'),
})

export type BudgetRow = RowOf<typeof budgetColumns>
export type KeyRequest = RowOf<typeof requestColumns>
export type DueWarning = RowOf<typeof dueWarnings.columns>
export interface KeyRow extends RowOf<typeof keyColumns> {
  /** Shared by the keys of the chain; null if there never was one. */
  readonly budget: BudgetRow | null
}

interface ExpiryWarning {
  /** When its owner is warned next that it expires; null for never. */
  readonly expiryWarningAt: number | null
}

export type KeyStore = ReturnType<typeof createKeyStore>
export type KeyReader = ReturnType<typeof keyReader>
export type KeyWriter = ReturnType<typeof keyWriter>

export const createKeyStore = (engine: Engine, onEvents: () => void) => ({
  read: <T>(work: (tx: KeyReader) => Promise<T>): Promise<T> => engine.read((tx) => work(keyReader(tx))),
  write: <T>(work: (tx: KeyWriter) => Promise<T>): Promise<T> =>
    writeWithEvents(engine, onEvents, (tx, add) => work(keyWriter(tx, add))),
})

function toKeyRow(stored: RowOf<typeof storedKeys.columns>): KeyRow {
  const { credits, per, periodFrom, spent, reachedAt, otherCounts, ...row } = stored
  return { ...row, budget: per === null ? null : { credits, per, periodFrom, spent, reachedAt, otherCounts } }
}

/** Far above the limit of active keys. Active keys come first, so only inactive ones can be left out. */
const listLimit = 1000

const isActive = 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)'

async function findOne(tx: Reader, condition: string, params: readonly string[]): Promise<KeyRow | undefined> {
  const row = await storedKeys.get(tx, `WHERE ${condition}`, params)
  return row && toKeyRow(row)
}

export const findKey = (tx: Reader, projectId: string, keyId: string) =>
  findOne(tx, 'k.key_id = $1 AND k.project_id = $2', [keyId, projectId])

const keyReader = (tx: Reader) => ({
  /** Active keys first, newest first within each group. */
  keysOf: async (projectId: string, now: number) => {
    const order = `CASE WHEN ${isActive} THEN 0 ELSE 1 END, k.created_at DESC, k.key_id DESC`
    const rest = `WHERE k.project_id = $1 ORDER BY ${order} LIMIT ${listLimit}`
    return (await storedKeys.all(tx, rest, [projectId, now])).map(toKeyRow)
  },
  byDigest: (digest: string) => findOne(tx, 'k.key_digest = $1', [digest]),
  expiryWarnings: (now: number, limit: number) =>
    dueWarnings.all(tx, 'WHERE expiry_warning_at <= $1 ORDER BY expiry_warning_at LIMIT $2', [now, limit]),
})

const keyWriter = (tx: Writer, addEvent: AddEvent) => ({
  ...keyReader(tx),
  /** Locks the project against new keys until this write ends. */
  lockKeys: (projectId: string) => lockProject(tx, projectId),
  /** Locks the project against calls until this write ends, so that its budgets can be changed. */
  lockBalance: (projectId: string) => lockBalance(tx, projectId),
  find: (projectId: string, keyId: string) => findKey(tx, projectId, keyId),
  /** The key of the chain that was not rotated yet. */
  newestInChain: (projectId: string, chainId: string) =>
    findOne(
      tx,
      `k.project_id = $1 AND (k.key_id = $2 OR k.chain_id = $2) AND NOT EXISTS (
        SELECT 1 FROM api_keys later WHERE later.project_id = $1 AND later.rotated_from_key_id = k.key_id)
      ORDER BY k.created_at DESC, k.key_id DESC LIMIT 1`,
      [projectId, chainId],
    ),
  /** The key that this Idempotency-Key created. */
  byRequest: async (projectId: string, idempotencyDigest: string) => {
    const condition = 'WHERE project_id = $1 AND idempotency_digest = $2'
    const found = await requests.get(tx, condition, [projectId, idempotencyDigest])
    if (!found) return undefined
    return { row: (await findOne(tx, 'k.key_id = $1', [found.keyId]))!, requestDigest: found.requestDigest }
  },
  countActive: async (projectId: string, now: number) => {
    const row = await tx.get<{ active: number }>(
      `SELECT COUNT(*) AS active FROM api_keys WHERE project_id = $1 AND ${isActive}`,
      [projectId, now],
    )
    return row!.active
  },
  /** Without its budget. */
  insert: async (row: KeyRow & ExpiryWarning & Partial<KeyRequest> & { readonly keyDigest: string }) => {
    const { suspendedAt: _, ...key } = row
    const { columns, placeholders, values } = newKeys.parts(key)
    await tx.run(
      // The caller has locked the project, so a suspension is either seen here or finds this key.
      `INSERT INTO api_keys (${columns.join(', ')}, suspended_at)
      VALUES (${placeholders.join(', ')}, (SELECT a.suspended_at FROM accounts a
        JOIN projects p ON p.account_id = a.account_id WHERE p.project_id = $${values.length + 1}))`,
      [...values, row.projectId],
    )
  },
  /** Another expiry replaces the next warning of it. */
  changeSettings: (
    key: Pick<KeyRow, 'keyId' | 'name' | 'expiresAt' | 'allowedAddresses' | 'showsBalance' | 'logsContent'> &
      ExpiryWarning,
  ) =>
    tx.run(
      // A warning that is due stays due if the expiry stays.
      `UPDATE api_keys SET name = $2, expires_at = $3, allowed_addresses = $4, shows_balance = $6, logs_content = $7,
        settings_version = settings_version + 1,
        expiry_warning_at = CASE WHEN expires_at IS NOT DISTINCT FROM $3 THEN expiry_warning_at ELSE $5 END
      WHERE key_id = $1`,
      [
        ...[key.keyId, key.name, key.expiresAt, key.allowedAddresses?.join(' ') ?? null, key.expiryWarningAt],
        ...[Number(key.showsBalance), Number(key.logsContent)],
      ],
    ),
  /** Sets the budget of all keys in the chain. */
  setBudget: async ({ projectId, chainId }: { projectId: string; chainId: string }, budget: BudgetRow) => {
    await budgets.upsert(tx, { budgetId: chainId, projectId, ...budget, reachedAt: null }, ['budgetId'])
    await tx.run(
      'UPDATE api_keys SET settings_version = settings_version + 1 WHERE project_id = $1 AND (key_id = $2 OR chain_id = $2)',
      [projectId, chainId],
    )
  },
  /** Keeps the first revocation time. False if the key was revoked before, or does not exist. */
  revoke: async (projectId: string, keyId: string, at: number) => {
    const condition = 'key_id = $1 AND project_id = $2 AND revoked_at IS NULL'
    return (await newKeys.update(tx, { revokedAt: at }, condition, [keyId, projectId])) === 1
  },
  /** False if the next warning is no longer due at `from`. */
  moveExpiryWarning: async (keyId: string, { from, to }: { readonly from: number; readonly to: number | null }) => {
    const condition = 'key_id = $1 AND expiry_warning_at = $2'
    return (await newKeys.update(tx, { expiryWarningAt: to }, condition, [keyId, from])) === 1
  },
  addEvent,
})
