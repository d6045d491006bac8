import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { UniqueViolation, type Writer } from '../../src/storage/engine.ts'
import { openPostgres, type PostgresEngine } from '../../src/storage/postgres/postgres-engine.ts'
import { type Database, freshDatabase, silent } from '../support/engines.ts'
import { startPostgresProxy } from '../support/postgres-proxy.ts'

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

const clear = () => engine.write((tx) => tx.run('DELETE FROM counters'))

describe('a transaction in flights', () => {
  test('locks, reads, writes and commits', async () => {
    await clear()
    await engine.write((tx) => put(tx, 'a', 5))
    const answer = await engine.inFlights(async (tx) => {
      const [locked, counted] = await Promise.all([
        tx.query<{ value: number }>('SELECT value FROM counters WHERE name = ANY($1::text[]) FOR UPDATE', [['a']]),
        tx.query<{ n: number }>('SELECT count(*) AS n FROM counters'),
      ])
      await Promise.all([
        tx.query('UPDATE counters SET value = $2 WHERE name = $1', ['a', locked.rows[0]!.value + 1]),
        tx.query('INSERT INTO counters (name, value) SELECT * FROM unnest($1::text[], $2::bigint[])', [
          ['b', 'c'],
          [1, 2],
        ]),
        tx.commit(),
      ])
      return counted.rows[0]!.n
    })
    expect(answer).toBe(1)
    const rows = await engine.read((tx) => tx.all('SELECT name, value FROM counters ORDER BY name'))
    expect(rows.map((row) => row.value)).toEqual([6, 1, 2])
  })

  test('sends what belongs together before any answer has come', async () => {
    const proxy = await startPostgresProxy(database.databaseUrl)
    onTestFinished(() => proxy.close())
    const far = await openPostgres({ url: proxy.url, logger: silent })
    onTestFinished(() => far.close())
    // Were the second statement sent only after the first one's answer, neither would ever come.
    proxy.holdAnswersUntil('third')
    const rows = await far.inFlights((tx) =>
      Promise.all(['first', 'second', 'third'].map((name) => tx.query(`SELECT 1 AS ${name}`))),
    )
    expect(rows.map((result) => result.rows)).toEqual([[{ first: 1 }], [{ second: 1 }], [{ third: 1 }]])
    proxy.holdAnswersUntil('the_only_one')
    expect(await far.read((tx) => tx.get('SELECT 1 AS the_only_one'))).toEqual({ the_only_one: 1 })
  })

  test('keeps nothing when one of its statements failed, although COMMIT was sent behind it', async () => {
    await clear()
    const work = engine.inFlights(async (tx) => {
      await tx.query('SELECT 1 AS one')
      await Promise.all([
        tx.query("INSERT INTO counters (name, value) VALUES ('a', 1)"),
        tx.query("INSERT INTO counters (name, value) VALUES ('a', 2)"),
        tx.query("INSERT INTO counters (name, value) VALUES ('b', 3)"),
        tx.commit(),
      ])
    })
    await expect(work).rejects.toBeInstanceOf(UniqueViolation)
    expect(await names(engine)).toEqual([])
  })

  test('keeps nothing when a failed statement was overlooked', async () => {
    await clear()
    const work = engine.inFlights(async (tx) => {
      await tx.query("INSERT INTO counters (name, value) VALUES ('a', 1)")
      await tx.query('SELECT nonsense').catch(() => {})
    })
    await expect(work).rejects.toThrow('nonsense')
    expect(await names(engine)).toEqual([])
  })

  test('is rolled back when its work throws, and is dead afterwards', async () => {
    await clear()
    let kept: { query(sql: string): Promise<unknown> } | undefined
    const work = engine.inFlights(async (tx) => {
      kept = tx
      await tx.query("INSERT INTO counters (name, value) VALUES ('a', 1)")
      throw new Error('a rule broke')
    })
    await expect(work).rejects.toThrow('a rule broke')
    await expect(kept!.query('SELECT 1 AS one')).rejects.toThrow('has ended')
    expect(await names(engine)).toEqual([])
  })
})
