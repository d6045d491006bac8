import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reconcile } from '../../../../src/features/records/reconcile/reconcile.ts'
import { engines, freshStore, type Store } from '../../../../testkit/store/engines.ts'
import { addCredits, createCustomer } from '../../../../testkit/store/rig.ts'
import { type GoodHistory, writeGoodHistory } from './good-history.ts'

describe.each(engines)('reconcile on %s', (engine) => {
  let store: Store
  let history: GoodHistory
  let fresh: Awaited<ReturnType<typeof freshStore>>

  beforeAll(async () => {
    fresh = await freshStore(engine)
    store = fresh.store
    history = await writeGoodHistory(store)
  })
  afterAll(() => fresh.remove())

  test('reconcile finds no difference in good books, and reports what it read', async () => {
    const rows: number[] = []
    const report = await reconcile(store, { onProgress: (done, total) => rows.push(done, total) })
    expect(report).toEqual({
      isSound: true,
      size: { projects: 2, charges: 8, orders: 4, entries: 20 },
      archives: { files: 0, missing: [], entries: 0 },
      differenceCount: 0,
      differences: [],
    })
    expect(rows.slice(-2)).toEqual([34, 34])
  })

  test.each([1, 2, 3, 7])('reconcile gives the same report with pages of %i rows', async (pageRows) => {
    expect(await reconcile(store, { pageRows })).toEqual(await reconcile(store))
  })

  test('reconcile gives the same report when it reads a few projects at a time', async () => {
    expect(await reconcile(store, { replaysAtOnce: 1 })).toEqual(await reconcile(store))
  })

  test('reconcile accepts a project that never paid', async () => {
    await createCustomer(history.rig)
    expect((await reconcile(store)).isSound).toBe(true)
  })

  test('reconcile finds no difference while the books change within and between its transactions', async () => {
    const { rig, customer } = history
    const report = await reconcile({
      read: async (work) => {
        await addCredits(rig, customer.projectId, 10)
        return store.read((tx) =>
          work({
            all: async (sql, params) => {
              const rows = await tx.all(sql, params)
              await addCredits(rig, customer.projectId, 10)
              return rows as never
            },
            get: (sql, params) => tx.get(sql, params),
          }),
        )
      },
    })
    expect(report.differences).toEqual([])
    expect((await reconcile(store)).size.orders).toBeGreaterThan(report.size.orders + 5)
  })

  test('reconcile reads a long ledger in several transactions', async () => {
    let reads = 0
    const counting: Pick<Store, 'read'> = {
      read: (work) => {
        reads += 1
        return store.read(work)
      },
    }
    const { size } = await reconcile(counting, { pageRows: 5 })
    expect(reads).toBeGreaterThan(size.entries / 5)
  })

  test('reconcile waits for an entry that is committed after entries with higher ids were read', async () => {
    let hasHidden = false
    const late: Pick<Store, 'read'> = {
      read: (work) =>
        store.read((tx) =>
          work({
            all: async (sql, params) => {
              const rows = (await tx.all(sql, params)) as { seq?: number; entryId?: number }[]
              const hidden = hasHidden ? -1 : rows.findIndex(({ seq, entryId }) => entryId !== undefined && seq === 3)
              hasHidden ||= hidden >= 0
              return rows.filter((_, place) => place !== hidden) as never
            },
            get: (sql, params) => tx.get(sql, params),
          }),
        ),
    }
    expect(await reconcile(late)).toEqual(await reconcile(store))
    expect(hasHidden).toBe(true)
  })
})
