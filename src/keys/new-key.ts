import { Refusal } from '../contract/errors.ts'
import { newSortableId, randomBase62 } from '../contract/ids.ts'
import { nextExpiryWarning } from './next-expiry-warning.ts'
import type { KeyRequest, KeyRow, KeyWriter } from './ports.ts'

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

export interface NewKeyDeps {
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
