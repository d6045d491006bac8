import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { StoreUnavailable, type Writer } from '../../src/storage/engine.ts'
import { errorOf } from '../../src/storage/postgres/faults.ts'
import { openPostgres, type PostgresEngine, type PostgresOptions } from '../../src/storage/postgres/postgres-engine.ts'
import { becomesReady, type Database, freshDatabase, silent } from '../../testkit/store/engines.ts'
import { startPostgresProxy } from '../../testkit/store/postgres-proxy.ts'

const createTable = (engine: PostgresEngine) =>
  engine.write((tx) => tx.run('CREATE TABLE counters (name TEXT NOT NULL PRIMARY KEY, value BIGINT NOT NULL)'))
const put = (tx: Writer, name: string, value = 1) =>
  tx.run('INSERT INTO counters (name, value) VALUES ($1, $2)', [name, value])
const names = async (engine: PostgresEngine) =>
  (await engine.read((tx) => tx.all<{ name: string }>('SELECT name FROM counters ORDER BY name'))).map(
    (row) => row.name,
  )

describe('on a server that runs', () => {
  let database: Database
  let engine: PostgresEngine
  beforeAll(async () => {
    database = await freshDatabase('postgres')
    engine = await openPostgres({ url: database.databaseUrl, logger: silent })
    await createTable(engine)
  })
  afterAll(async () => {
    await engine.close()
    await database.remove()
  })

  async function open(options: Partial<PostgresOptions>) {
    const other = await openPostgres({ url: database.databaseUrl, logger: silent, ...options })
    onTestFinished(() => other.close())
    return other
  }

  const clear = () => engine.write((tx) => tx.run('DELETE FROM counters'))

  test('every commit waits for the disk, and every wait has a limit', async () => {
    const settings = await engine.read((tx) =>
      tx.all<{ name: string; setting: string }>(
        `SELECT name, setting FROM pg_settings WHERE name IN ('synchronous_commit', 'statement_timeout', 'lock_timeout',
          'idle_in_transaction_session_timeout') ORDER BY name`,
      ),
    )
    expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
      idle_in_transaction_session_timeout: '30000',
      lock_timeout: '5000',
      statement_timeout: '10000',
      synchronous_commit: 'on',
    })
  })

  test('a role without synchronous commits still gets them', async () => {
    const role = `hasty_${randomBytes(4).toString('hex')}`
    await engine.write(async (tx) => {
      await tx.run(`CREATE ROLE ${role} LOGIN PASSWORD 'x'`)
      await tx.run(`ALTER ROLE ${role} SET synchronous_commit = off`)
    })
    const url = new URL(database.databaseUrl)
    url.username = role
    url.password = 'x'
    const hasty = await openPostgres({ url: url.href, logger: silent })
    expect(await hasty.read((tx) => tx.get('SHOW synchronous_commit'))).toEqual({ synchronous_commit: 'on' })
    await hasty.close()
    await engine.write((tx) => tx.run(`DROP ROLE ${role}`))
  })

  test('a session killed in its transaction loses all of it, and the next write runs', async () => {
    await clear()
    const killed = engine.write(async (tx) => {
      await put(tx, 'half')
      const { pid } = (await tx.get<{ pid: number }>('SELECT pg_backend_pid() AS pid'))!
      await engine.read((other) => other.get('SELECT pg_terminate_backend($1::int)', [pid]))
      await put(tx, 'more')
    })
    await expect(killed).rejects.toMatchObject({ name: 'StoreUnavailable', mayHaveCommitted: false })
    expect(await names(engine)).toEqual([])
    await engine.write((tx) => put(tx, 'next'))
    expect(await names(engine)).toEqual(['next'])
  })

  test.each([
    ['a write', (cut: PostgresEngine) => cut.write((tx) => put(tx, 'kept'))],
    [
      'a pipelined transaction',
      (cut: PostgresEngine) =>
        cut.pipelined(async (tx) => {
          await tx.send([{ sql: 'SELECT 1 AS one' }])
          await tx.commit([{ sql: "INSERT INTO counters (name, value) VALUES ('kept', 1)" }])
        }),
    ],
  ])('%s that loses the connection at its commit reports that it may have committed', async (_name, work) => {
    await clear()
    const proxy = await startPostgresProxy(database.databaseUrl)
    onTestFinished(() => proxy.close())
    const cut = await open({ url: proxy.url })
    proxy.cutAtCommit()
    await expect(work(cut)).rejects.toMatchObject({ name: 'StoreUnavailable', mayHaveCommitted: true })
    expect(await names(engine)).toEqual(['kept'])
    await becomesReady(cut)
  })

  test('idle connections that die do not end the process', async () => {
    const before = await Promise.all(Array.from({ length: 5 }, () => names(engine)))
    const killed = await engine.read((tx) =>
      tx.all(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      ),
    )
    expect(killed.length).toBeGreaterThan(0)
    await becomesReady(engine)
    const namesOrError = () => names(engine).catch((error: Error) => error.name)
    await expect.poll(namesOrError).toEqual(before[0])
  })

  test('a deadlock is resolved by running the loser again, and both transactions commit', async () => {
    await clear()
    await engine.write(async (tx) => {
      await put(tx, 'a', 0)
      await put(tx, 'b', 0)
    })
    let runs = 0
    const meet = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
    const cross = (first: string, second: string, me: 0 | 1) =>
      engine.write(async (tx) => {
        runs += 1
        await tx.run('UPDATE counters SET value = value + 1 WHERE name = $1', [first])
        meet[me].resolve()
        await meet[1 - me]!.promise
        await tx.run('UPDATE counters SET value = value + 1 WHERE name = $1', [second])
      })
    await Promise.all([cross('a', 'b', 0), cross('b', 'a', 1)])
    expect(runs).toBeGreaterThan(2)
    expect(await engine.read((tx) => tx.all('SELECT value FROM counters'))).toEqual([{ value: 2 }, { value: 2 }])
  })

  test('work that never ends on PostgreSQL is rolled back, and its connection is reused', async () => {
    await clear()
    const one = await open({ connections: 1, transactionLimitMs: 1000 })
    let handle: Writer | undefined
    const endless = one.write(async (tx) => {
      handle = tx
      await put(tx, 'endless')
      await new Promise(() => {})
    })
    await expect(endless).rejects.toBeInstanceOf(StoreUnavailable)
    await one.write((tx) => put(tx, 'next'))
    await expect(put(handle!, 'late')).rejects.toThrow('has ended')
    expect(await names(one)).toEqual(['next'])
  })

  test('a statement or a lock that takes too long is unavailable', async () => {
    const strict = await open({ statementLimitMs: 1500, lockLimitMs: 50 })
    await expect(strict.read((tx) => tx.get('SELECT pg_sleep(30)'))).rejects.toBeInstanceOf(StoreUnavailable)
    await engine.write(async (tx) => {
      await tx.run('LOCK TABLE counters')
      await expect(strict.write((other) => put(other, 'a'))).rejects.toMatchObject({ name: 'StoreUnavailable' })
    })
  })

  test('an exhausted pool refuses in time, and one caller too many at once', async () => {
    const one = await open({ connections: 1, maxWaiting: 1, waitLimitMs: 1500 })
    await one.write(async (tx) => {
      await tx.get('SELECT 1 AS one')
      const waiting = one.check()
      await expect(one.check()).rejects.toThrow(/already waiting for PostgreSQL/)
      await expect(waiting).rejects.toBeInstanceOf(StoreUnavailable)
    })
    await one.check()
  })

  test.each([
    ['a server that is not there', (url: URL) => Object.assign(url, { port: '1' })],
    ['a wrong password', (url: URL) => Object.assign(url, { password: 'wrong' })],
    ['a database that does not exist', (url: URL) => Object.assign(url, { pathname: '/nowhere' })],
  ])('%s is unavailable', async (_name, change) => {
    const url = change(new URL(database.databaseUrl)).href
    await expect(openPostgres({ url, logger: silent })).rejects.toBeInstanceOf(StoreUnavailable)
  })

  test('a server with too many connections is unavailable', async () => {
    const role = `few_${randomBytes(4).toString('hex')}`
    await engine.write((tx) => tx.run(`CREATE ROLE ${role} LOGIN PASSWORD 'x' CONNECTION LIMIT 1`))
    const url = new URL(database.databaseUrl)
    url.username = role
    url.password = 'x'
    const few = await openPostgres({ url: url.href, logger: silent, waitLimitMs: 1000 })
    await few.write(async (tx) => {
      await tx.get('SELECT 1 AS one')
      await expect(few.check()).rejects.toBeInstanceOf(StoreUnavailable)
    })
    await few.close()
    await engine.write((tx) => tx.run(`DROP ROLE ${role}`))
  })

  test('a server that accepts no writes is not ready', async () => {
    const url = new URL(database.databaseUrl)
    url.searchParams.set('options', '-c default_transaction_read_only=on')
    await expect(openPostgres({ url: url.href, logger: silent })).rejects.toThrow(/does not accept writes/)
  })
})

test('a network error code is not taken for one of the server', () => {
  const broken = Object.assign(new Error('write EPIPE'), { code: 'EPIPE', errno: -32, syscall: 'write' })
  expect(errorOf(broken, 'write')).toMatchObject({ name: 'StoreUnavailable', mayHaveCommitted: false })
  expect(errorOf(broken, 'commit')).toMatchObject({ name: 'StoreUnavailable', mayHaveCommitted: true })
})
