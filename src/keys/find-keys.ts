import type { KeyRow, KeyStore } from './ports.ts'

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
      if (pending.length === 0) setImmediate(readPending)
      pending.push({ keyDigest, resolve, reject })
    })
}
