import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EmbeddedEngine } from '../../src/storage/sqlite/sqlite-engine.ts'
import { freshStore } from '../../testkit/store/engines.ts'

let fresh: Awaited<ReturnType<typeof freshStore>>
let store: EmbeddedEngine

beforeEach(async () => {
  fresh = await freshStore('sqlite')
  store = fresh.store as EmbeddedEngine
  // As many batches as make a store a busy one.
  for (let batch = 0; batch < 100; batch += 1) await store.call('applyBatch', [])
})
afterEach(() => fresh.remove())

const put = (used: number) =>
  store.write((tx) =>
    tx.run(
      `INSERT INTO rate_windows (bucket, window_ends_at, used) VALUES ('one', 1, $1)
      ON CONFLICT (bucket) DO UPDATE SET used = excluded.used`,
      [used],
    ),
  )
const used = () => store.read(async (tx) => (await tx.get<{ used: number }>('SELECT used FROM rate_windows'))?.used)
/** Takes the thread that runs it a hundred times as long as a write. */
const longRead = () =>
  store.read((tx) =>
    tx.get('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000) SELECT MAX(i) FROM n'),
  )

test('a busy store reads what it has just written', async () => {
  for (let round = 1; round <= 50; round += 1) {
    await put(round)
    expect(await used()).toBe(round)
  }
})

test('a long read of a busy store delays no write', async () => {
  // The thread of the reads starts in the background.
  await expect
    .poll(async () => {
      const ended: string[] = []
      const reading = longRead().then(() => ended.push('read'))
      await put(1).then(() => ended.push('write'))
      await reading
      return ended
    })
    .toEqual(['write', 'read'])
})
