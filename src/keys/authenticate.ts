import { Refusal } from '../contract/errors.ts'
import type { Scope } from '../contract/prices.ts'
import { createFindKey } from './find-keys.ts'
import type { KeyStore } from './ports.ts'

/** Whose key a call presents. What can change (revocation, limit) is judged by the books at admission. */
export interface Principal {
  readonly keyId: string
  readonly projectId: string
  readonly scopes: readonly Scope[]
  readonly expiresAt: number | null
}

export type Authenticate = (apiKey: string, scope: Scope) => Promise<Principal>

const keyPattern = /^gk_live_[0-9A-Za-z]{43}$/

/**
 * Finds the owner of a key. The facts kept here never change for a key, so they may be remembered;
 * a remembered key that was revoked meanwhile is refused by the admission that follows every call.
 */
export function createAuthenticate(deps: {
  store: Pick<KeyStore, 'read'>
  digest: (plaintext: string) => string
  clock: () => number
  remembered?: number
}): Authenticate {
  const { store, digest, clock, remembered = 10_000 } = deps
  const known = new Map<string, Principal>()
  const findKey = createFindKey(store)

  async function find(keyDigest: string): Promise<Principal> {
    const row = await findKey(keyDigest)
    if (!row || row.revokedAt !== null) throw new Refusal('UNAUTHORIZED')
    const principal = { keyId: row.keyId, projectId: row.projectId, scopes: row.scopes, expiresAt: row.expiresAt }
    if (known.size >= remembered) known.delete(known.keys().next().value!)
    known.set(keyDigest, principal)
    return principal
  }

  return async (apiKey, scope) => {
    if (!keyPattern.test(apiKey)) throw new Refusal('UNAUTHORIZED')
    const keyDigest = digest(apiKey)
    const principal = known.get(keyDigest) ?? (await find(keyDigest))
    const isExpired = principal.expiresAt !== null && principal.expiresAt <= clock()
    // A remembered key may have been revoked since, which goes before being expired or out of scope.
    if (isExpired || !principal.scopes.includes(scope)) {
      await find(keyDigest)
      throw new Refusal(isExpired ? 'KEY_EXPIRED' : 'FORBIDDEN')
    }
    return principal
  }
}
