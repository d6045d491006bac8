import type { BlockList } from 'node:net'
import { includesAddress, networksOf } from '../../../base/addresses.ts'
import { soon } from '../../../base/timers.ts'
import { addressRefused, type ErrorCode, Refusal, type RefusalOptions } from '../../../contract/errors.ts'
import type { Scope } from '../../../contract/prices.ts'
import type { KnownKey } from '../../../http/route.ts'
import type { KeyRow, KeyStore } from './store.ts'

type FoundKey = KeyRow | undefined

interface Lookup {
  readonly keyDigest: string
  readonly resolve: (row: FoundKey) => void
  readonly reject: (error: unknown) => void
}

/** A store runs the statements of one read in sequence, while other reads wait. */
const maxPerRead = 64

/**
 * Finds keys by their digest. Lookups of the same event-loop turn share a read: right after a start no key is cached, and a read
 * for each would queue for the store's few connections.
 */
export function createFindKey(store: Pick<KeyStore, 'read'>): (keyDigest: string) => Promise<FoundKey> {
  let pending: Lookup[] = []

  async function readTogether(lookups: readonly Lookup[]): Promise<void> {
    try {
      const rows = await store.read((tx) => Promise.all(lookups.map(({ keyDigest }) => tx.byDigest(keyDigest))))
      for (const [index, { resolve }] of lookups.entries()) resolve(rows[index])
    } catch (error) {
      for (const { reject } of lookups) reject(error)
    }
  }

  function readPending(): void {
    const lookups = pending
    pending = []
    for (let from = 0; from < lookups.length; from += maxPerRead) {
      void readTogether(lookups.slice(from, from + maxPerRead))
    }
  }

  return (keyDigest) =>
    new Promise((resolve, reject) => {
      if (pending.length === 0) soon(readPending)
      pending.push({ keyDigest, resolve, reject })
    })
}

/** The owner of a key. What can change (revocation, settings, rate limit) is checked in the books at admission. */
export interface Principal {
  readonly keyId: string
  readonly projectId: string
  readonly scopes: readonly Scope[]
  readonly expiresAt: number | null
  /** Null allows every requester. */
  readonly allowed: BlockList | null
}

/** `isCurrent` looks the key up again, for requests that no admission checks. */
export type Authenticate = (apiKey: string, use: PresentedKey) => Promise<Principal>

export interface PresentedKey {
  /** Without one, any scope will do. */
  readonly scope?: Scope
  readonly address: string
  readonly isCurrent?: boolean
}

/** Refuses a key that exists. */
export class KeyRefusal extends Refusal {
  readonly key: KnownKey

  constructor(key: KnownKey, code: ErrorCode, options?: RefusalOptions) {
    super(code, options)
    this.key = key
  }
}

const keyPattern = /^gk_live_[0-9A-Za-z]{43}$/

/**
 * Finds the owner of a key. A cached key that was revoked or changed since is refused at admission; one that looks
 * unusable is looked up again first.
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
    if (!row) throw new Refusal('UNAUTHORIZED')
    if (row.revokedAt !== null || row.suspendedAt !== null) throw new KeyRefusal(row, 'UNAUTHORIZED')
    const { keyId, projectId, scopes, expiresAt, allowedAddresses } = row
    const allowed = allowedAddresses === null ? null : (networksOf(allowedAddresses) ?? null)
    const principal = { keyId, projectId, scopes, expiresAt, allowed }
    if (cache.size >= maxCached) cache.delete(cache.keys().next().value!)
    cache.set(keyDigest, principal)
    return principal
  }

  return async (apiKey, use) => {
    if (!keyPattern.test(apiKey)) throw new Refusal('UNAUTHORIZED')
    const keyDigest = digest(apiKey)
    const now = clock()
    const cached = use.isCurrent ? undefined : cache.get(keyDigest)
    if (cached && !refusalOf(cached, { ...use, now })) return cached
    const principal = await find(keyDigest)
    const refusal = refusalOf(principal, { ...use, now })
    if (refusal) throw refusal
    return principal
  }
}

function refusalOf(key: Principal, { scope, address, now }: PresentedKey & { now: number }): KeyRefusal | null {
  const { expiresAt, scopes, allowed } = key
  if (expiresAt !== null && expiresAt <= now) return new KeyRefusal(key, 'KEY_EXPIRED')
  if (scope !== undefined && !scopes.includes(scope)) return new KeyRefusal(key, 'FORBIDDEN')
  if (allowed && !includesAddress(allowed, address))
    return new KeyRefusal(key, 'FORBIDDEN', { message: addressRefused })
  return null
}
