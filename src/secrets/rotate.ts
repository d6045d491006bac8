import { type Keyring, type Sealed, SealUnusable } from './keyring.ts'

/** One kind of sealed value, such as phones. */
export interface SealedKind {
  readonly name: string
  readonly context: (id: string) => string
  /** The digest that the value is found by; null if it is found by its id. */
  readonly digest: ((plaintext: string) => string) | null
}

export interface SealedValue extends Sealed {
  readonly id: string
}

export interface ResealedValue {
  readonly from: SealedValue
  readonly to: Sealed
  readonly digest: string | null
}

export interface SealedStore {
  /** Values sealed with another secret than `keyVersion`, in the order of their ids. */
  outdated(kind: string, keyVersion: string, after: string, limit: number): Promise<readonly SealedValue[]>
  /** In one transaction. A value that has changed since it was read stays as it is. Returns how many were replaced. */
  replace(kind: string, values: readonly ResealedValue[]): Promise<number>
  /** How many values use another secret than `keyVersion`, and how many contacts have no sealed copy. */
  countOutdated(keyVersion: string): Promise<OutdatedCounts>
  /** Forgets all secrets but this one, unless a value still needs another. Returns whether it is the only one now. */
  retireOthers(keyVersion: string): Promise<boolean>
}

export interface OutdatedCounts {
  readonly outdated: number
  /** Older than sealed copies: only their owner's next sign-in can renew them. */
  readonly unsealed: number
}

export interface Rotation extends OutdatedCounts {
  /** How many values of each kind were sealed anew. */
  readonly rotated: Readonly<Record<string, number>>
  /** Values that could not be opened; they are among `outdated`. */
  readonly unusable: number
  /** Whether older secrets are no longer needed. */
  readonly isFinished: boolean
}

const pageSize = 200

/**
 * Seals and digests every value with the current secret, a page at a time. It can be stopped and run again at any point: what
 * is left is what still names another secret. The gateway serves meanwhile, because its lookups try all secrets.
 */
export async function rotateSecret(
  store: SealedStore,
  keyring: Keyring,
  kinds: readonly SealedKind[],
): Promise<Rotation> {
  const { version } = keyring.current
  const rotated: Record<string, number> = {}
  let unusable = 0
  for (const kind of kinds) {
    rotated[kind.name] = 0
    for (let after = ''; ; ) {
      const page = await store.outdated(kind.name, version, after, pageSize)
      if (page.length === 0) break
      after = page.at(-1)!.id
      const values = page.map((value) => reseal(keyring, kind, value)).filter((value) => value !== null)
      unusable += page.length - values.length
      rotated[kind.name]! += await store.replace(kind.name, values)
    }
  }
  const isFinished = await store.retireOthers(version)
  return { rotated, unusable, ...(await store.countOutdated(version)), isFinished }
}

function reseal(keyring: Keyring, { context, digest }: SealedKind, from: SealedValue): ResealedValue | null {
  try {
    const plaintext = keyring.open(context(from.id), from)
    return { from, to: keyring.seal(context(from.id), plaintext), digest: digest?.(plaintext) ?? null }
  } catch (error) {
    if (error instanceof SealUnusable) return null
    throw error
  }
}
