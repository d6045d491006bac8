import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { UniqueViolation, type Writer } from '../../src/storage/engine.ts'
import type { PipelinedTransaction } from '../../src/storage/postgres/pipelined-transaction.ts'
import { openPostgres, type PostgresEngine } from '../../src/storage/postgres/postgres-engine.ts'
import { type Database, freshDatabase, silent } from '../../testkit/store/engines.ts'
import { startPostgresProxy } from '../../testkit/store/postgres-proxy.ts'

const put = (tx: Writer, name: string, value = 1) =>
  tx.run('INSERT INTO counters (name, value) VALUES ($1, $2)', [name, value])
const names = async (engine: PostgresEngine) =>
  (await engine.read((tx) => tx.all<{ name: string }>('SELECT name FROM counters ORDER BY name'))).map(
    (row) => row.name,
  )

let database: Database
let engine: PostgresEngine
beforeAll(async () => {
  database = await freshDatabase('postgres')
  engine = await openPostgres({ url: database.databaseUrl, logger: silent })
  await engine.write((tx) => tx.run('CREATE TABLE counters (name TEXT NOT NULL PRIMARY KEY, value BIGINT NOT NULL)'))
})
afterAll(async () => {
  await engine.close()
  await database.remove()
})

const insertOf = (name: string) => ({ sql: 'INSERT INTO counters (name, value) VALUES ($1, 1)', params: [name] })
const clear = () => engine.write((tx) => tx.run('DELETE FROM counters'))

describe('a pipelined transaction', () => {
  test('a pipelined transaction locks, reads, writes and commits', async () => {
    await clear()
    await engine.write((tx) => put(tx, 'a', 5))
    const response = await engine.pipelined(async (tx) => {
      const [locked, nothing, counted] = (await tx.send([
        { sql: 'SELECT value FROM counters WHERE name = ANY($1::text[]) FOR UPDATE', params: [['a']] },
        null,
        { sql: 'SELECT count(*) AS n FROM counters' },
      ])) as [{ value: number }[], unknown[], { n: number }[]]
      expect(nothing).toEqual([])
      await tx.commit([
        { sql: 'UPDATE counters SET value = $2 WHERE name = $1', params: ['a', locked[0]!.value + 1] },
        {
          sql: 'INSERT INTO counters (name, value) SELECT * FROM unnest($1::text[], $2::bigint[])',
          params: [
            ['b', 'c'],
            [1, 2],
          ],
        },
      ])
      return counted[0]!.n
    })
    expect(response).toBe(1)
    const rows = await engine.read((tx) => tx.all('SELECT name, value FROM counters ORDER BY name'))
    expect(rows.map((row) => row.value)).toEqual([6, 1, 2])
  })

  test('a pipelined transaction sends the statements of one group before any result arrives', async () => {
    const proxy = await startPostgresProxy(database.databaseUrl)
    onTestFinished(() => proxy.close())
    const far = await openPostgres({ url: proxy.url, logger: silent })
    onTestFinished(() => far.close())
    // If the second statement waited for the first one's result, neither would ever arrive.
    proxy.holdResponsesUntil('third')
    const rows = await far.pipelined((tx) =>
      tx.send(['first', 'second', 'third'].map((name) => ({ sql: `SELECT 1 AS ${name}` }))),
    )
    expect(rows).toEqual([[{ first: 1 }], [{ second: 1 }], [{ third: 1 }]])
    proxy.holdResponsesUntil('the_only_one')
    expect(await far.read((tx) => tx.get('SELECT 1 AS the_only_one'))).toEqual({ the_only_one: 1 })
  })

  test('a pipelined transaction commits nothing when one of its statements failed, although COMMIT was already sent', async () => {
    await clear()
    const work = engine.pipelined(async (tx) => {
      await tx.send([{ sql: 'SELECT 1 AS one' }])
      await tx.commit([
        { sql: "INSERT INTO counters (name, value) VALUES ('a', 1)" },
        { sql: "INSERT INTO counters (name, value) VALUES ('a', 2)" },
        { sql: "INSERT INTO counters (name, value) VALUES ('b', 3)" },
      ])
    })
    await expect(work).rejects.toBeInstanceOf(UniqueViolation)
    expect(await names(engine)).toEqual([])
  })

  test('a pipelined transaction runs nothing after a failed statement, not even one that needs no transaction', async () => {
    await clear()
    await expect(engine.pipelined((tx) => tx.send([{ sql: 'BEGIN nonsense' }, insertOf('a')]))).rejects.toThrow(
      'nonsense',
    )
    expect(await names(engine)).toEqual([])
  })

  test('a pipelined transaction leaves no connection with only some of its prepared statements', async () => {
    await clear()
    const one = await openPostgres({ url: database.databaseUrl, logger: silent, connections: 1 })
    onTestFinished(() => one.close())
    const broken = () => one.pipelined((tx) => tx.commit([insertOf('a'), insertOf('a'), insertOf('b')]))
    await expect(broken()).rejects.toBeInstanceOf(UniqueViolation)
    await expect(broken()).rejects.toBeInstanceOf(UniqueViolation)
    await one.pipelined((tx) => tx.commit([insertOf('b'), insertOf('c')]))
    await one.pipelined((tx) => tx.commit([insertOf('d')]))
    expect(await names(one)).toEqual(['b', 'c', 'd'])
  })

  test('a pipelined transaction reads the same rows whether or not its statements are already prepared', async () => {
    const ask = (amount: number) =>
      engine.pipelined((tx) =>
        tx.send([
          { sql: 'SELECT $1::bigint AS amount, NULL::text AS nothing, $2::text AS text', params: [amount, null] },
          { sql: 'SELECT n FROM unnest($1::int[]) AS n', params: [[amount, 2, 3]] },
        ]),
      )
    const rows = (amount: number) => [[{ amount, nothing: null, text: null }], [{ n: amount }, { n: 2 }, { n: 3 }]]
    for (const amount of [1, 2, 3]) expect(await ask(amount)).toEqual(rows(amount))
    expect(await Promise.all([4, 5, 6, 7].map(ask))).toEqual([4, 5, 6, 7].map(rows))
  })

  test('a pipelined transaction refuses an integer beyond the safe range, and the connection stays usable', async () => {
    const one = await openPostgres({ url: database.databaseUrl, logger: silent, connections: 1 })
    onTestFinished(() => one.close())
    const huge = one.pipelined((tx) =>
      tx.send([{ sql: 'SELECT 9007199254740993 AS huge' }, { sql: 'SELECT 1 AS one' }]),
    )
    await expect(huge).rejects.toThrow(RangeError)
    expect(await one.pipelined((tx) => tx.send([{ sql: 'SELECT 1 AS one' }]))).toEqual([[{ one: 1 }]])
  })

  test.each([
    ['ids and digests', ['chg_0Vb31jl900ywKpGQJXPD', 'XYpB1QQGz8L-a1lw7jiyx7ye0rC7Oy4X6wOaS0ZMU4c', 'req.1:2']],
    ['what an array would take for its own', ['', ' ', 'a,b', '{', '}', '{}', '"', '\\', '\\"', 'a b', "'", '$1']],
    ['words that look like nothing', [null, 'null', 'NULL', 'Null', 'nullable']],
    ['answers', ['{"output":"他说 \\"好\\"\\n\\u0001 😀"}', 'tab\t line\r\n end', '\u2028']],
  ])('a pipelined transaction passes lists of %s unchanged', async (_name, list) => {
    const [rows] = await engine.pipelined((tx) =>
      tx.send([{ sql: 'SELECT t FROM unnest($1::text[]) WITH ORDINALITY AS a (t, n) ORDER BY n', params: [list] }]),
    )
    expect(rows!.map((row) => (row as { t: string | null }).t)).toEqual(list)
  })

  test('a pipelined transaction commits nothing when the caller ignores a failed statement', async () => {
    await clear()
    const work = engine.pipelined(async (tx) => {
      await tx.send([insertOf('a')])
      await tx.send([{ sql: 'SELECT nonsense' }]).catch(() => {})
    })
    await expect(work).rejects.toThrow('nonsense')
    expect(await names(engine)).toEqual([])
  })

  test('a pipelined transaction is rolled back when its work throws, and cannot be used afterwards', async () => {
    await clear()
    let kept: PipelinedTransaction | undefined
    const work = engine.pipelined(async (tx) => {
      kept = tx
      await tx.send([insertOf('a')])
      throw new Error('a rule broke')
    })
    await expect(work).rejects.toThrow('a rule broke')
    await expect(kept!.send([{ sql: 'SELECT 1 AS one' }])).rejects.toThrow('has ended')
    expect(await names(engine)).toEqual([])
  })
})
