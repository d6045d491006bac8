import type { KeyRow, KeyStore } from './ports.ts'

type FoundKey = KeyRow | undefined

interface Asked {
  readonly keyDigest: string
  readonly resolve: (row: FoundKey) => void
  readonly reject: (error: unknown) => void
}

/** Statements of one read; a store answers them one after the other while others wait. */
const mostTogether = 64

/**
 * Finds keys by their digest. Those that are asked for in one turn of the event loop share a read: right after a start every
 * caller is unknown, and with a read for each they would queue for the few connections that the store reads on.
 */
export function createFindKey(store: Pick<KeyStore, 'read'>): (keyDigest: string) => Promise<FoundKey> {
  let asked: Asked[] = []

  async function answer(together: readonly Asked[]): Promise<void> {
    try {
      const rows = await store.read((tx) => Promise.all(together.map(({ keyDigest }) => tx.byDigest(keyDigest))))
      for (const [place, { resolve }] of together.entries()) resolve(rows[place])
    } catch (error) {
      for (const { reject } of together) reject(error)
    }
  }

  function answerAll(): void {
    const all = asked
    asked = []
    for (let from = 0; from < all.length; from += mostTogether) void answer(all.slice(from, from + mostTogether))
  }

  return (keyDigest) =>
    new Promise((resolve, reject) => {
      if (asked.length === 0) setImmediate(answerAll)
      asked.push({ keyDigest, resolve, reject })
    })
}
