import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reconcile } from '../../src/operator/reconcile.ts'
import { engines, freshStore, type Store } from '../support/store/engines.ts'
import { addCredits, createCustomer } from '../support/store/rig.ts'
import { type GoodBooks, writeGoodBooks } from './good-books.ts'

describe.each(engines)('reconcile on %s', (engine) => {
  let store: Store
  let books: GoodBooks
  let fresh: Awaited<ReturnType<typeof freshStore>>

  beforeAll(async () => {
    fresh = await freshStore(engine)
    store = fresh.store
    books = await writeGoodBooks(store)
  })
  afterAll(() => fresh.remove())

  test('finds no difference in good books, and reports what it read', async () => {
    const rows: number[] = []
    const report = await reconcile(store, { onProgress: (done, total) => rows.push(done, total) })
    expect(report).toEqual({
      isSound: true,
      size: { projects: 2, charges: 8, orders: 4, entries: 20 },
      differenceCount: 0,
      differences: [],
    })
    expect(rows.slice(-2)).toEqual([34, 34])
  })

  test.each([1, 2, 3, 7])('gives the same report with pages of %i rows', async (pageRows) => {
    expect(await reconcile(store, { pageRows })).toEqual(await reconcile(store))
  })

  test('gives the same report when it reads a few projects at a time', async () => {
    expect(await reconcile(store, { replaysAtOnce: 1 })).toEqual(await reconcile(store))
  })

  test('accepts a project that never paid', async () => {
    await createCustomer(books.rig)
    expect((await reconcile(store)).isSound).toBe(true)
  })

  test('reads one consistent snapshot while calls continue', async () => {
    const { rig, customer } = books
    const report = await reconcile({
      read: (work) =>
        store.read((tx) =>
          work({
            all: async (sql, params) => {
              const rows = await tx.all(sql, params)
              await addCredits(rig, customer.projectId, 10)
              return rows as never
            },
            get: (sql, params) => tx.get(sql, params),
          }),
        ),
    })
    expect(report.differences).toEqual([])
    expect((await reconcile(store)).size.orders).toBeGreaterThan(report.size.orders + 5)
  })
})
