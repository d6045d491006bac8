import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { UniqueViolation, type Writer } from '../../src/storage/engine.ts'
import { engines, freshStore, openDatabase, type Store } from '../../testkit/store/engines.ts'

describe.each(engines)('transactions on %s', (engine) => {
  let store: Store
  let fresh: Awaited<ReturnType<typeof freshStore>>

  beforeAll(async () => {
    fresh = await freshStore(engine)
    store = fresh.store
    await store.write(async (tx) => {
      await tx.run('CREATE TABLE counters (name TEXT NOT NULL PRIMARY KEY, value BIGINT NOT NULL CHECK (value >= 0))')
      await tx.run('CREATE TABLE owners (owner_id TEXT NOT NULL PRIMARY KEY, phone TEXT UNIQUE, a TEXT, b INTEGER)')
      await tx.run('CREATE UNIQUE INDEX owners_by_a_and_b ON owners (a, b)')
    })
  })
  beforeEach(() => store.write((tx) => tx.run('DELETE FROM counters')))
  afterAll(() => fresh.remove())

  const put = (tx: Writer, name: string, value: number) =>
    tx.run('INSERT INTO counters (name, value) VALUES ($1, $2)', [name, value])
  const names = () => store.read((tx) => tx.all<{ name: string }>('SELECT name FROM counters ORDER BY name'))

  test('a write that resolved is completely visible to another connection', async () => {
    await store.write(async (tx) => {
      await put(tx, 'a', 1)
      await put(tx, 'b', 2)
    })
    const other = await openDatabase(fresh.database, { exclusive: false })
    expect(await other.read((tx) => tx.all('SELECT name, value FROM counters ORDER BY name'))).toEqual([
      { name: 'a', value: 1 },
      { name: 'b', value: 2 },
    ])
    await other.close()
  })

  test('a write that throws changes nothing', async () => {
    const failure = new Error('refused by a rule')
    const work = store.write(async (tx) => {
      await put(tx, 'a', 1)
      throw failure
    })
    await expect(work).rejects.toBe(failure)
    expect(await names()).toEqual([])
  })

  test('a write returns the result of its work, and a statement the number of rows it changed', async () => {
    const changed = await store.write(async (tx) => {
      await put(tx, 'a', 1)
      await put(tx, 'b', 2)
      return tx.run('UPDATE counters SET value = value + $1', [5])
    })
    expect(changed).toBe(2)
    expect(await store.read((tx) => tx.get('SELECT value FROM counters WHERE name = $1', ['b']))).toEqual({ value: 7 })
    expect(await store.read((tx) => tx.get('SELECT value FROM counters WHERE name = $1', ['z']))).toBeUndefined()
  })

  test('a handle stops working once its write has ended', async () => {
    let kept: Writer | undefined
    await store.write(async (tx) => {
      kept = tx
      await put(tx, 'a', 1)
    })
    await expect(put(kept!, 'b', 1)).rejects.toThrow('has ended')
    await expect(kept!.get('SELECT 1 AS one')).rejects.toThrow('has ended')
    await store
      .write(async (tx) => {
        kept = tx
        throw new Error('rolled back')
      })
      .catch(() => {})
    await expect(put(kept!, 'b', 1)).rejects.toThrow('has ended')
    expect(await names()).toEqual([{ name: 'a' }])
  })

  test('a write that forgets to await a statement is rolled back', async () => {
    let forgotten: Promise<unknown> | undefined
    const work = store.write(async (tx) => {
      await put(tx, 'a', 1)
      forgotten = put(tx, 'b', 2)
    })
    await expect(work).rejects.toThrow('not awaited')
    await forgotten
    expect(await names()).toEqual([])
  })

  test('a failed statement ends the transaction, even when the work catches its error', async () => {
    const work = store.write(async (tx) => {
      await put(tx, 'a', 1)
      await put(tx, 'a', 2).catch(() => {})
      await put(tx, 'b', 3).catch(() => {})
    })
    await expect(work).rejects.toBeInstanceOf(UniqueViolation)
    expect(await names()).toEqual([])
  })

  test('a broken constraint other than uniqueness is an ordinary error', async () => {
    const work = store.write((tx) => put(tx, 'a', -1))
    await expect(work).rejects.toThrow(/check|constraint/i)
    await expect(work).rejects.not.toBeInstanceOf(UniqueViolation)
  })

  test('a unique violation names the constraint, the same on every engine', async () => {
    const insert = (id: string, phone: string | null, a: string, b: number) =>
      store.write((tx) =>
        tx.run('INSERT INTO owners (owner_id, phone, a, b) VALUES ($1, $2, $3, $4)', [id, phone, a, b]),
      )
    await insert('one', '100', 'x', 1)
    await expect(insert('one', '101', 'y', 1)).rejects.toMatchObject({ constraint: 'owners_pkey' })
    await expect(insert('two', '100', 'y', 1)).rejects.toMatchObject({ constraint: 'owners_phone_key' })
    await expect(insert('two', null, 'x', 1)).rejects.toMatchObject({ constraint: 'owners_by_a_and_b' })
  })

  test('concurrent writes lose no update', async () => {
    await store.write((tx) => put(tx, 'hits', 0))
    const bump = () =>
      store.write((tx) =>
        tx.get<{ value: number }>("UPDATE counters SET value = value + 1 WHERE name = 'hits' RETURNING value"),
      )
    const seen = await Promise.all(Array.from({ length: 200 }, bump))
    expect(seen.map((row) => row!.value).sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, i) => i + 1))
  })

  test('a read sees one consistent snapshot during writes, and the next read sees them', async () => {
    await store.write((tx) => put(tx, 'a', 1))
    const counts = await store.read(async (tx) => {
      const before = await tx.get('SELECT count(*) AS n, sum(value) AS total FROM counters')
      await store.write((other) => put(other, 'b', 10))
      const after = await tx.get('SELECT count(*) AS n, sum(value) AS total FROM counters')
      return { before, after }
    })
    expect(counts).toEqual({ before: { n: 1, total: 1 }, after: { n: 1, total: 1 } })
    expect(await names()).toEqual([{ name: 'a' }, { name: 'b' }])
  })

  test('a read does not wait for an open write and sees nothing of it', async () => {
    await store.write(async (tx) => {
      await put(tx, 'a', 1)
      expect(await names()).toEqual([])
    })
    expect(await names()).toEqual([{ name: 'a' }])
  })

  test('a read cannot write', async () => {
    const work = store.read((tx) => tx.get("INSERT INTO counters (name, value) VALUES ('a', 1) RETURNING name"))
    await expect(work).rejects.toThrow('a read must not write')
    expect(await names()).toEqual([])
  })

  test('more concurrent reads than connections all get their result', async () => {
    await store.write((tx) => put(tx, 'a', 1))
    const read = () =>
      store.read(async (tx) => {
        await tx.get('SELECT 1 AS one')
        return (await tx.all('SELECT name FROM counters')).length
      })
    expect(await Promise.all(Array.from({ length: 100 }, read))).toEqual(Array(100).fill(1))
  })

  test('a write without statements does not touch the store', async () => {
    expect(await store.write(async () => 'nothing')).toBe('nothing')
  })

  test('the store is ready', () => expect(store.check()).resolves.toBeUndefined())

  test('a check that needs room leaves nothing behind, however often it runs', async () => {
    const tables = () =>
      store.read((tx) =>
        tx.all(
          engine === 'sqlite'
            ? 'SELECT name FROM sqlite_schema ORDER BY name'
            : "SELECT relname FROM pg_class WHERE relname = 'room'",
        ),
      )
    const before = await tables()
    await Promise.all([store.check({ needsRoom: true }), store.check({ needsRoom: true }), store.check()])
    await store.check({ needsRoom: true })
    expect(await tables()).toEqual(before)
  })
})
