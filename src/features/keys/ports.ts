import { dayMs } from '../../base/time.ts'
import type { BudgetCounts, BudgetPeriod } from '../../contract/budget-periods.ts'
import type { Scope } from '../../contract/prices.ts'
import type { EventDraft } from '../../ledger/books.ts'
import type { AddEvent } from '../../storage/event-rows.ts'

export interface KeyRow {
  readonly keyId: string
  readonly projectId: string
  /** Null for keys that were created without one. */
  readonly name: string | null
  readonly displayPrefix: string
  readonly scopes: readonly Scope[]
  readonly createdAt: number
  readonly revokedAt: number | null
  /** When its account was suspended; null unless it is. */
  readonly suspendedAt: number | null
  readonly expiresAt: number | null
  readonly rotatedFromKeyId: string | null
  /** The first key of its rotation chain; null for that key itself. */
  readonly chainId: string | null
  /** Addresses and CIDR ranges; null allows every requester. */
  readonly allowedAddresses: readonly string[] | null
  readonly calls: number
  readonly lastUsedAt: number | null
  /** Masked. */
  readonly lastUsedFrom: string | null
  /** Shared by the keys of the chain; null if there never was one. */
  readonly budget: BudgetRow | null
}

export interface BudgetRow extends BudgetCounts {
  /** Null if the budget was removed. */
  readonly credits: number | null
  readonly per: BudgetPeriod
}

/** What a client sent to create a key, so that it can repeat the request. Both are digests. */
export interface KeyRequest {
  readonly idempotencyDigest: string
  readonly requestDigest: string
}

export interface KeyStore {
  read<T>(work: (tx: KeyReader) => Promise<T>): Promise<T>
  write<T>(work: (tx: KeyWriter) => Promise<T>): Promise<T>
}

export interface KeyReader {
  /** Active keys first, newest first within each group. */
  keysOf(projectId: string, now: number): Promise<KeyRow[]>
  byDigest(keyDigest: string): Promise<KeyRow | undefined>
  /** Warnings of an expiry that are due, the oldest first. */
  expiryWarnings(now: number, limit: number): Promise<DueWarning[]>
}

export interface DueWarning {
  readonly projectId: string
  readonly keyId: string
  readonly expiresAt: number
  readonly dueAt: number
}

export interface KeyWriter extends KeyReader {
  /** Locks the project against new keys until this write ends. */
  lockKeys(projectId: string): Promise<void>
  /** Locks the project against calls until this write ends, so that its budgets can be changed. */
  lockBooks(projectId: string): Promise<void>
  find(projectId: string, keyId: string): Promise<KeyRow | undefined>
  /** The key that this Idempotency-Key created. */
  byRequest(projectId: string, idempotencyDigest: string): Promise<{ row: KeyRow; requestDigest: string } | undefined>
  /** The key of the chain that was not rotated yet. */
  newestInChain(projectId: string, chainId: string): Promise<KeyRow | undefined>
  countActive(projectId: string, now: number): Promise<number>
  /** Without its budget. */
  insert(row: KeyRow & ExpiryWarning & { keyDigest: string; request: KeyRequest | null }): Promise<void>
  /** Another expiry replaces the next warning of it. */
  changeSettings(key: Pick<KeyRow, 'keyId' | 'name' | 'expiresAt' | 'allowedAddresses'> & ExpiryWarning): Promise<void>
  /** Sets the budget of all keys in the chain. */
  setBudget(chain: Pick<KeyRow, 'projectId'> & { chainId: string }, budget: BudgetRow): Promise<void>
  /** Keeps the first revocation time. False if the key was revoked before, or does not exist. */
  revoke(projectId: string, keyId: string, at: number): Promise<boolean>
  /** False if the next warning is no longer due at `from`. */
  moveExpiryWarning(keyId: string, move: { readonly from: number; readonly to: number | null }): Promise<boolean>
  readonly addEvent: AddEvent
}

interface ExpiryWarning {
  /** When its owner is warned next that it expires; null for never. */
  readonly expiryWarningAt: number | null
}

const warningsMs = [7 * dayMs, dayMs]

/** The next moment to warn of an expiry: 7 days before it, then 1 day before it. A moment that has passed is left out. */
export function nextExpiryWarning(expiresAt: number | null, now: number): number | null {
  if (expiresAt === null) return null
  return warningsMs.map((beforeMs) => expiresAt - beforeMs).find((at) => at > now) ?? null
}

/** What the owner of a project is told about its keys. */

export const keyCreated = (row: KeyRow): EventDraft => ({
  type: 'key.created',
  at: row.createdAt,
  projectId: row.projectId,
  data: factsOf(row),
})

export const keyRotated = (row: KeyRow, old: { readonly keyId: string; readonly expiresAt: number }): EventDraft => ({
  type: 'key.rotated',
  at: row.createdAt,
  projectId: row.projectId,
  data: { ...factsOf(row), rotatedFromKeyId: old.keyId, oldKeyExpiresAt: new Date(old.expiresAt).toISOString() },
})

export const keyRevoked = (row: KeyRow, at: number): EventDraft => ({
  type: 'key.revoked',
  at,
  projectId: row.projectId,
  data: { ...factsOf(row), by: 'owner' },
})

/** `daysLeft` is counted, because a gateway that was stopped warns late. */
export const keyExpiring = (row: KeyRow, expiresAt: number, at: number): EventDraft => ({
  type: 'key.expiring',
  at,
  projectId: row.projectId,
  data: {
    ...factsOf(row),
    expiresAt: new Date(expiresAt).toISOString(),
    daysLeft: Math.ceil((expiresAt - at) / dayMs),
  },
})

const factsOf = ({ keyId, displayPrefix }: Pick<KeyRow, 'keyId' | 'displayPrefix'>) => ({ keyId, displayPrefix })
