import { describe, expect, it } from 'vitest'
import { createFindKey } from '../../../../src/features/identity/keys/authenticate.ts'
import type { KeyReader, KeyRow, KeyStore } from '../../../../src/features/identity/keys/store.ts'

const rowOf = (keyDigest: string) => ({ keyId: `key of ${keyDigest}` }) as KeyRow

/** Knows every key but "unknown", and counts its reads. */
function countingStore() {
  const seen = { reads: 0, statements: 0, most: 0 }
  const store: Pick<KeyStore, 'read'> = {
    async read(work) {
      seen.reads += 1
      let statements = 0
      const reader: Pick<KeyReader, 'byDigest'> = {
        async byDigest(keyDigest) {
          statements += 1
          if (keyDigest === 'broken') throw new Error('the store is away')
          return keyDigest === 'unknown' ? undefined : rowOf(keyDigest)
        },
      }
      try {
        return await work(reader as KeyReader)
      } finally {
        seen.statements += statements
        seen.most = Math.max(seen.most, statements)
      }
    },
  }
  return { seen, store }
}

describe('keys that are looked up at the same time', () => {
  it('keys that are looked up at the same time share few reads, and each caller gets its own row', async () => {
    const { seen, store } = countingStore()
    const find = createFindKey(store)
    const digests = Array.from({ length: 200 }, (_, place) => (place === 7 ? 'unknown' : `digest ${place}`))
    const rows = await Promise.all(digests.map(find))
    expect(rows).toEqual(digests.map((digest) => (digest === 'unknown' ? undefined : rowOf(digest))))
    expect(seen).toEqual({ reads: 4, statements: 200, most: 64 })
  })

  it('keys that are looked up at the same time fail together with their read, and later lookups work', async () => {
    const find = createFindKey(countingStore().store)
    const results = await Promise.allSettled([find('a'), find('broken'), find('b')])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(await find('a')).toEqual(rowOf('a'))
  })
})
