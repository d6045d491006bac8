import { describe, expect, onTestFinished, test } from 'vitest'
import { createAccountStore } from '../../src/features/identity/accounts/store.ts'
import { freshStore } from '../../testkit/store/engines.ts'

const limit = { max: 3, windowSeconds: 60 }

describe('the purge on postgres', () => {
  test('the purge on postgres keeps a rate window that is renewed while it runs', async () => {
    const fresh = await freshStore('postgres')
    onTestFinished(() => fresh.remove())
    const { store } = fresh
    const identity = createAccountStore(store)
    const [first, later] = [60_000, 180_000]
    await identity.write((tx) => tx.takeFrom('bucket', limit, first))

    const renewed = Promise.withResolvers<void>()
    const mayCommit = Promise.withResolvers<void>()
    const renewal = identity.write(async (tx) => {
      await tx.takeFrom('bucket', limit, later)
      renewed.resolve()
      await mayCommit.promise
    })
    await renewed.promise
    const purge = identity.write((tx) => tx.purge(later, 100))
    const isWaiting = () =>
      store.read((tx) => tx.get<{ waiting: number }>('SELECT COUNT(*) AS waiting FROM pg_locks WHERE NOT granted'))
    await expect.poll(isWaiting).toMatchObject({ waiting: 1 })
    mayCommit.resolve()
    await Promise.all([renewal, purge])

    expect(await store.read((tx) => tx.all('SELECT used FROM rate_windows'))).toEqual([{ used: 1 }])
  })
})
