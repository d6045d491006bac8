import { Refusal } from '../contract/errors.ts'
import type { Scope } from '../contract/prices.ts'
import { createFindKey } from './find-keys.ts'
import type { KeyStore } from './ports.ts'

/** The owner of a key. What can change (revocation, rate limit) is checked in the books at admission. */
export interface Principal {
  readonly keyId: string
  readonly projectId: string
  readonly scopes: readonly Scope[]
  readonly expiresAt: number | null
}

/** `isCurrent` looks the key up again, for requests that no admission checks. */
export type Authenticate = (
  apiKey: string,
  scope: Scope,
  options?: { readonly isCurrent: boolean },
) => Promise<Principal>

const keyPattern = /^gk_live_[0-9A-Za-z]{43}$/

/**
 * Finds the owner of a key. What is cached here never changes for a key; one that was revoked meanwhile is refused at admission.
 */
export function createAuthenticate(deps: {
  store: Pick<KeyStore, 'read'>
  digest: (plaintext: string) => string
  clock: () => number
  maxCached?: number
}): Authenticate {
  const { store, digest, clock, maxCached = 10_000 } = deps
  const cache = new Map<string, Principal>()
  const findKey = createFindKey(store)

  async function find(keyDigest: string): Promise<Principal> {
    const row = await findKey(keyDigest)
    if (!row || row.revokedAt !== null || row.suspendedAt !== null) throw new Refusal('UNAUTHORIZED')
    const principal = { keyId: row.keyId, projectId: row.projectId, scopes: row.scopes, expiresAt: row.expiresAt }
    if (cache.size >= maxCached) cache.delete(cache.keys().next().value!)
    cache.set(keyDigest, principal)
    return principal
  }

  return async (apiKey, scope, { isCurrent } = { isCurrent: false }) => {
    if (!keyPattern.test(apiKey)) throw new Refusal('UNAUTHORIZED')
    const keyDigest = digest(apiKey)
    const principal = (isCurrent ? undefined : cache.get(keyDigest)) ?? (await find(keyDigest))
    const isExpired = principal.expiresAt !== null && principal.expiresAt <= clock()
    // Look again: UNAUTHORIZED for a revoked key takes precedence over these two codes.
    if (isExpired || !principal.scopes.includes(scope)) {
      await find(keyDigest)
      throw new Refusal(isExpired ? 'KEY_EXPIRED' : 'FORBIDDEN')
    }
    return principal
  }
}
