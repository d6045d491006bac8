import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Value } from '../../src/storage/engine.ts'
import { engines, freshStore, type Store } from '../../testkit/store/engines.ts'

describe.each(engines)('portable SQL on %s', (engine) => {
  let store: Store
  let fresh: Awaited<ReturnType<typeof freshStore>>
  beforeAll(async () => {
    fresh = await freshStore(engine)
    store = fresh.store
    await store.write((tx) =>
      tx.run('CREATE TABLE samples (sample_id TEXT NOT NULL PRIMARY KEY, whole BIGINT, words TEXT)'),
    )
  })
  afterAll(() => fresh.remove())

  const insert = (id: string, whole: Value, words: Value) =>
    store.write((tx) => tx.run('INSERT INTO samples (sample_id, whole, words) VALUES ($1, $2, $3)', [id, whole, words]))
  const find = (id: string) => store.read((tx) => tx.get('SELECT whole, words FROM samples WHERE sample_id = $1', [id]))

  test.each([
    ['nothing', null, null],
    ['zero', 0, ''],
    ['negative', -7, ' spaced '],
    ['largest', Number.MAX_SAFE_INTEGER, "quote ' and \\ and $1 and \n"],
    ['smallest', Number.MIN_SAFE_INTEGER, '汉字 🐘 é'],
  ])('%s is read back unchanged', async (id, whole, words) => {
    await insert(id, whole, words)
    expect(await find(id)).toEqual({ whole, words })
  })

  test('an integer beyond the safe range is an error, not another number', async () => {
    await store.write((tx) => tx.run("INSERT INTO samples (sample_id, whole) VALUES ('huge', 9007199254740993)"))
    await expect(find('huge')).rejects.toThrow()
    await store.write((tx) => tx.run("DELETE FROM samples WHERE sample_id = 'huge'"))
  })

  test('placeholders may come in any order and repeatedly, and text that looks like one stays text', async () => {
    const row = await store.read((tx) =>
      tx.get(
        `SELECT CAST($2 AS TEXT) AS second, CAST($1 AS TEXT) AS first, CAST($1 AS TEXT) || '$2' AS again, -- not $3
          '$1' AS quoted /* nor $4 */`,
        ['one', 'two'],
      ),
    )
    expect(row).toEqual({ second: 'two', first: 'one', again: 'one$2', quoted: '$1' })
  })

  test('ten placeholders or more are distinguished', async () => {
    const numbers = Array.from({ length: 12 }, (_, i) => `v${i + 1}`)
    const list = numbers.map((_, i) => `CAST($${i + 1} AS TEXT) AS c${i + 1}`).join(', ')
    const row = await store.read((tx) => tx.get(`SELECT ${list}`, numbers))
    expect(Object.values(row!)).toEqual(numbers)
  })

  test.each([[['a']], [['a', 1, 'b', 'c']]])('a wrong number of values is refused: %j', async (params) => {
    const work = store.write((tx) =>
      tx.run('INSERT INTO samples (sample_id, whole, words) VALUES ($1, $2, $3)', params),
    )
    await expect(work).rejects.toThrow()
  })

  test('counts, sums and comparisons of portable SQL are numbers', async () => {
    const row = await store.read((tx) =>
      tx.get(
        `SELECT count(*) AS n, COALESCE(sum(whole), 0) AS total, (1 < 2) AS yes, (2 < 1) AS no
        FROM samples WHERE sample_id IN ('zero', 'negative')`,
      ),
    )
    expect(row).toEqual({ n: 2, total: -7, yes: 1, no: 0 })
  })

  test('an integer divides as an integer', async () => {
    const row = await store.read((tx) =>
      tx.get("SELECT whole / CAST($1 AS BIGINT) AS half FROM samples WHERE sample_id = 'negative'", [2]),
    )
    expect(row).toEqual({ half: -3 })
  })

  test('an upsert returns its row', async () => {
    const upsert = () =>
      store.write((tx) =>
        tx.get(
          `INSERT INTO samples (sample_id, whole) VALUES ($1, 1)
          ON CONFLICT (sample_id) DO UPDATE SET whole = samples.whole + excluded.whole RETURNING whole AS "newWhole"`,
          ['upserted'],
        ),
      )
    expect(await upsert()).toEqual({ newWhole: 1 })
    expect(await upsert()).toEqual({ newWhole: 2 })
  })

  test('statements sent together each get their own rows', async () => {
    const rows = await store.read((tx) =>
      Promise.all(
        ['zero', 'negative', 'none'].map((id) => tx.get('SELECT whole FROM samples WHERE sample_id = $1', [id])),
      ),
    )
    expect(rows).toEqual([{ whole: 0 }, { whole: -7 }, undefined])
  })
})
