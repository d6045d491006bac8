import { expect, test } from 'vitest'
import { describeError } from '../../src/ops/log.ts'
import { freshStore } from '../../testkit/store/engines.ts'

test('an error is logged with its code and stack, but without the row that the database refused', async () => {
  const { store, remove } = await freshStore('postgres')
  const insert = "INSERT INTO rate_windows (bucket, window_ends_at, used) VALUES ('private-bucket', NULL, 1)"
  const error = await store.write((tx) => tx.run(insert)).catch((fault) => fault)
  await remove()
  expect(JSON.stringify({ ...error })).toContain('private-bucket')
  const logged = JSON.stringify(describeError(new Error('outer', { cause: error })))
  expect(logged).not.toContain('private-bucket')
  expect(logged).toMatch(/"code":"23502".*not-null constraint/)
})
