import { Refusal } from '../contract/errors.ts'
import type { Scope } from '../contract/prices.ts'
import type { CreatedKey, Key } from '../contract/schemas/keys.ts'
import { keyCreated, keyRevoked } from './key-events.ts'
import { insertKey, type NewKey, type NewKeyDeps, newKey } from './new-key.ts'
import type { KeyRow, KeyStore } from './ports.ts'

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

export const isoOrNull = (at: number | null) => (at === null ? null : new Date(at).toISOString())
