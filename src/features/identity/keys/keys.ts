import { newSortableId, randomBase62 } from '../../../base/ids.ts'
import { dayMs, isoOf, isoOrNull } from '../../../base/time.ts'
import { Refusal } from '../../../contract/errors.ts'
import type { Scope } from '../../../contract/prices.ts'
import type { CreatedKey, Key } from '../../../contract/schemas/keys.ts'
import type { EventDraft } from '../../../ledger/events.ts'
import type { DueWarning, KeyRequest, KeyRow, KeyStore, KeyWriter } from './store.ts'

const plaintextPrefix = 'gk_live_'
const secretLength = 43

type KeySettings = Pick<KeyRow, 'projectId' | 'scopes' | 'expiresAt'> &
  Partial<
    Pick<
      KeyRow,
      'name' | 'rotatedFromKeyId' | 'chainId' | 'allowedAddresses' | 'showsBalance' | 'logsContent' | 'budget'
    >
  >

export interface NewKey {
  readonly row: KeyRow
  /** The plaintext, which is not stored. */
  readonly apiKey: string
}

export function newKey(settings: KeySettings, now: number): NewKey {
  const apiKey = plaintextPrefix + randomBase62(secretLength)
  const row: KeyRow = {
    name: null,
    rotatedFromKeyId: null,
    chainId: null,
    allowedAddresses: null,
    showsBalance: true,
    logsContent: false,
    budget: null,
    ...settings,
    keyId: newSortableId('key', now),
    displayPrefix: `${apiKey.slice(0, plaintextPrefix.length + 4)}...${apiKey.slice(-4)}`,
    createdAt: now,
    revokedAt: null,
    suspendedAt: null,
    calls: 0,
    lastUsedAt: null,
    lastUsedFrom: null,
  }
  return { row, apiKey }
}

interface NewKeyDeps {
  readonly digest: (plaintext: string) => string
  readonly maxActive: number
}

/** Stores a new key, unless the project has too many. The caller has locked the project's keys. */
export async function insertKey(
  tx: KeyWriter,
  { row, apiKey }: NewKey,
  { digest, maxActive, request }: NewKeyDeps & { request?: KeyRequest },
): Promise<void> {
  if ((await tx.countActive(row.projectId, row.createdAt)) >= maxActive) {
    throw new Refusal('RATE_LIMITED', {
      explain: `A project may have ${maxActive} active keys. Revoke one first.`,
    })
  }
  const expiryWarningAt = nextExpiryWarning(row.expiresAt, row.createdAt)
  await tx.insert({ ...row, ...request, expiryWarningAt, keyDigest: digest(apiKey) })
}

export interface KeysDeps extends NewKeyDeps {
  readonly store: KeyStore
  readonly clock: () => number
  readonly lifetimeSeconds: number | null
}

export type Keys = ReturnType<typeof createKeys>

export function createKeys({ store, digest, clock, lifetimeSeconds, maxActive }: KeysDeps) {
  return {
    async list(projectId: string) {
      const now = clock()
      const rows = await store.read((tx) => tx.keysOf(projectId, now))
      return rows.map((row) => publicKey(row, now))
    },
    async create(projectId: string, scopes: readonly Scope[]): Promise<CreatedKey> {
      const now = clock()
      const expiresAt = lifetimeSeconds === null ? null : now + lifetimeSeconds * 1000
      const key = newKey({ projectId, scopes: [...scopes], expiresAt }, now)
      await store.write(async (tx) => {
        await tx.lockKeys(projectId)
        await insertKey(tx, key, { digest, maxActive })
        await tx.addEvent(keyCreated(key.row))
      })
      return createdKey(key)
    },
    async revoke(projectId: string, keyId: string) {
      const at = clock()
      await store.write(async (tx) => {
        // A batch that has read the key commits first: after this no call of it is admitted.
        await tx.lockBalance(projectId)
        const isRevoked = await tx.revoke(projectId, keyId, at)
        const key = await tx.find(projectId, keyId)
        if (!key) throw new Refusal('KEY_NOT_FOUND')
        if (isRevoked) await tx.addEvent(keyRevoked(key, at))
      })
    },
  }
}

export const keyFacts = ({ keyId, displayPrefix, scopes, expiresAt, rotatedFromKeyId }: KeyRow) => ({
  keyId,
  displayPrefix,
  scopes: [...scopes],
  expiresAt: isoOrNull(expiresAt),
  rotatedFromKeyId,
})

/** The only response that has the plaintext. */
export const createdKey = ({ row, apiKey }: NewKey): CreatedKey => ({
  ...keyFacts(row),
  apiKey,
  state: 'active',
  shownOnce: true,
})

export const publicKey = (row: KeyRow, now: number): Key => ({
  ...keyFacts(row),
  state: stateOf(row, now),
  createdAt: isoOf(row.createdAt),
  revokedAt: isoOrNull(row.revokedAt),
})

/** Expiry is derived, not stored, so it takes effect to the millisecond. */
export function stateOf(row: KeyRow, now: number): Key['state'] {
  if (row.revokedAt !== null) return 'revoked'
  return row.expiresAt !== null && row.expiresAt <= now ? 'expired' : 'active'
}

/** Warns the owners of keys that expire soon, at most `limit` of them. Returns how many warnings were due. */
export function createExpiryWarnings({ store, clock }: { store: KeyStore; clock: () => number }) {
  /** In a transaction of its own, so that no batch waits for the locks of several keys. */
  const warn = ({ projectId, keyId, expiresAt, dueAt }: DueWarning, now: number) =>
    store.write(async (tx) => {
      // Of two instances, one moves it on. Changing the expiry also moves it, to a later time than now.
      if (!(await tx.moveExpiryWarning(keyId, { from: dueAt, to: nextExpiryWarning(expiresAt, now) }))) return
      const key = await tx.find(projectId, keyId)
      if (key && stateOf(key, now) === 'active') await tx.addEvent(keyExpiring(key, expiresAt, now))
    })

  return async (limit: number): Promise<number> => {
    const now = clock()
    const due = await store.read((tx) => tx.expiryWarnings(now, limit))
    for (const warning of due) await warn(warning, now)
    return due.length
  }
}

const warningsMs = [7 * dayMs, dayMs]

/** The next moment to warn of an expiry: 7 days before it, then 1 day before it. A moment that has passed is left out. */
export function nextExpiryWarning(expiresAt: number | null, now: number): number | null {
  if (expiresAt === null) return null
  return warningsMs.map((beforeMs) => expiresAt - beforeMs).find((at) => at > now) ?? null
}

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
  data: { ...factsOf(row), rotatedFromKeyId: old.keyId, oldKeyExpiresAt: isoOf(old.expiresAt) },
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
    expiresAt: isoOf(expiresAt),
    daysLeft: Math.ceil((expiresAt - at) / dayMs),
  },
})

const factsOf = ({ keyId, displayPrefix, name }: KeyRow) => ({ keyId, displayPrefix, ...(name !== null && { name }) })
