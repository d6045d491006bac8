import { Refusal } from '../contract/errors.ts'
import { newSortableId, randomBase62 } from '../contract/ids.ts'
import type { Scope } from '../contract/prices.ts'
import type { CreatedKey, Key } from '../contract/schemas/keys.ts'
import type { KeyRow, KeyStore } from './ports.ts'

export interface KeysDeps {
  readonly store: KeyStore
  readonly digest: (plaintext: string) => string
  readonly clock: () => number
  readonly lifetimeSeconds: number | null
  readonly maxActive: number
}

export interface Keys {
  readonly list: (projectId: string) => Promise<Key[]>
  readonly create: (projectId: string, scopes: readonly Scope[]) => Promise<CreatedKey>
  readonly revoke: (projectId: string, keyId: string) => Promise<void>
}

const plaintextPrefix = 'gk_live_'
const secretLength = 43

export function createKeys({ store, digest, clock, lifetimeSeconds, maxActive }: KeysDeps): Keys {
  return {
    async list(projectId) {
      const now = clock()
      const rows = await store.read((tx) => tx.keysOf(projectId, now))
      return rows.map((row) => publicKey(row, now))
    },
    async create(projectId, scopes) {
      const now = clock()
      const apiKey = plaintextPrefix + randomBase62(secretLength)
      const expiresAt = lifetimeSeconds === null ? null : now + lifetimeSeconds * 1000
      const row: KeyRow = {
        keyId: newSortableId('key', now),
        projectId,
        displayPrefix: `${apiKey.slice(0, plaintextPrefix.length + 4)}...${apiKey.slice(-4)}`,
        scopes: [...scopes],
        createdAt: now,
        revokedAt: null,
        suspendedAt: null,
        expiresAt,
        rotatedFromKeyId: null,
        calls: 0,
        lastUsedAt: null,
      }
      await store.write(async (tx) => {
        if ((await tx.countActive(projectId, now)) >= maxActive) {
          throw new Refusal('RATE_LIMITED', {
            explain: `A project may have ${maxActive} active keys. Revoke one first.`,
          })
        }
        await tx.insert({ ...row, keyDigest: digest(apiKey) })
      })
      return {
        keyId: row.keyId,
        apiKey,
        displayPrefix: row.displayPrefix,
        scopes: [...scopes],
        state: 'active',
        expiresAt: isoOrNull(expiresAt),
        rotatedFromKeyId: null,
        shownOnce: true,
      }
    },
    async revoke(projectId, keyId) {
      const isFound = await store.write((tx) => tx.revoke(projectId, keyId, clock()))
      if (!isFound) throw new Refusal('KEY_NOT_FOUND')
    },
  }
}

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
function stateOf(row: KeyRow, now: number): Key['state'] {
  if (row.revokedAt !== null) return 'revoked'
  return row.expiresAt !== null && row.expiresAt <= now ? 'expired' : 'active'
}

const isoOrNull = (at: number | null) => (at === null ? null : new Date(at).toISOString())
