import { newSortableId, randomBase62 } from '../../base/ids.ts'
import { isoOrNull } from '../../base/time.ts'
import { Refusal } from '../../contract/errors.ts'
import type { Scope } from '../../contract/prices.ts'
import type { CreatedKey, Key } from '../../contract/schemas/keys.ts'
import {
  type DueWarning,
  type KeyRequest,
  type KeyRow,
  type KeyStore,
  type KeyWriter,
  keyCreated,
  keyExpiring,
  keyRevoked,
  nextExpiryWarning,
} from './ports.ts'

const plaintextPrefix = 'gk_live_'
const secretLength = 43

type KeySettings = Pick<KeyRow, 'projectId' | 'scopes' | 'expiresAt'> &
  Partial<Pick<KeyRow, 'name' | 'rotatedFromKeyId' | 'chainId' | 'allowedAddresses' | 'budget'>>

export interface NewKey {
  readonly row: KeyRow
  /** The plaintext, which is not stored. */
  readonly apiKey: string
}

/** A key that was never used. */
export function newKey(settings: KeySettings, now: number): NewKey {
  const apiKey = plaintextPrefix + randomBase62(secretLength)
  const row: KeyRow = {
    name: null,
    rotatedFromKeyId: null,
    chainId: null,
    allowedAddresses: null,
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
  { digest, maxActive, request = null }: NewKeyDeps & { request?: KeyRequest | null },
): Promise<void> {
  if ((await tx.countActive(row.projectId, row.createdAt)) >= maxActive) {
    throw new Refusal('RATE_LIMITED', {
      explain: `A project may have ${maxActive} active keys. Revoke one first.`,
    })
  }
  const expiryWarningAt = nextExpiryWarning(row.expiresAt, row.createdAt)
  await tx.insert({ ...row, expiryWarningAt, keyDigest: digest(apiKey), request })
}

export interface KeysDeps extends NewKeyDeps {
  readonly store: KeyStore
  readonly clock: () => number
  readonly lifetimeSeconds: number | null
}

export interface Keys {
  readonly list: (projectId: string) => Promise<Key[]>
  readonly create: (projectId: string, scopes: readonly Scope[]) => Promise<CreatedKey>
  readonly revoke: (projectId: string, keyId: string) => Promise<void>
}

export function createKeys({ store, digest, clock, lifetimeSeconds, maxActive }: KeysDeps): Keys {
  return {
    async list(projectId) {
      const now = clock()
      const rows = await store.read((tx) => tx.keysOf(projectId, now))
      return rows.map((row) => publicKey(row, now))
    },
    async create(projectId, scopes) {
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
    async revoke(projectId, keyId) {
      const at = clock()
      await store.write(async (tx) => {
        const isRevoked = await tx.revoke(projectId, keyId, at)
        const key = await tx.find(projectId, keyId)
        if (!key) throw new Refusal('KEY_NOT_FOUND')
        if (isRevoked) await tx.addEvent(keyRevoked(key, at))
      })
    },
  }
}

/** The only response that has the plaintext. */
export const createdKey = ({ row, apiKey }: NewKey): CreatedKey => ({
  keyId: row.keyId,
  apiKey,
  displayPrefix: row.displayPrefix,
  scopes: [...row.scopes],
  state: 'active',
  expiresAt: isoOrNull(row.expiresAt),
  rotatedFromKeyId: row.rotatedFromKeyId,
  shownOnce: true,
})

export function publicKey(row: KeyRow, now: number): Key {
  return {
    keyId: row.keyId,
    displayPrefix: row.displayPrefix,
    scopes: [...row.scopes],
    state: stateOf(row, now),
    createdAt: new Date(row.createdAt).toISOString(),
    revokedAt: isoOrNull(row.revokedAt),
    expiresAt: isoOrNull(row.expiresAt),
    rotatedFromKeyId: row.rotatedFromKeyId,
  }
}

/** Expiry is derived, not stored, so it takes effect to the millisecond. */
export function stateOf(row: KeyRow, now: number): Key['state'] {
  if (row.revokedAt !== null) return 'revoked'
  return row.expiresAt !== null && row.expiresAt <= now ? 'expired' : 'active'
}

/** Tells the owners of keys that expire soon, at most `limit` of them. Returns how many warnings were due. */
export function createExpiryWarnings({ store, clock }: { store: KeyStore; clock: () => number }) {
  /** In a transaction of its own, so that no batch waits for the locks of several keys. */
  const warn = ({ projectId, keyId, expiresAt, dueAt }: DueWarning, now: number) =>
    store.write(async (tx) => {
      // Of two instances one moves it on. Whoever changes the expiry moves it too, to a later time than now.
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
