import { mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { StoreUnavailable, UniqueViolation, type Writer } from '../../src/storage/engine.ts'
import { openSqlite, type SqliteEngine, type SqliteOptions } from '../../src/storage/sqlite/sqlite-engine.ts'
import { blockLoop } from '../../testkit/http/block-loop.ts'
import { becomesReady, silent } from '../../testkit/store/engines.ts'
import type { procedures } from '../../testkit/store/sqlite-procedures.ts'

type TestEngine = SqliteEngine<typeof procedures>

let directory: string
let file: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gateway-sqlite-'))
  file = join(directory, 'test.sqlite')
  return () => rm(directory, { recursive: true, force: true })
})

async function open(options: Partial<SqliteOptions> = {}): Promise<TestEngine> {
  const engine = await openSqlite<typeof procedures>({
    file,
    exclusive: true,
    logger: silent,
    procedures: new URL('../../testkit/store/sqlite-procedures.ts', import.meta.url),
    ...options,
  })
  onTestFinished(() => engine.close())
  await engine.write((tx) =>
    tx.run('CREATE TABLE IF NOT EXISTS counters (name TEXT NOT NULL PRIMARY KEY, value INTEGER NOT NULL) STRICT'),
  )
  return engine
}

const insert = (tx: Writer, name: string) => tx.run('INSERT INTO counters (name, value) VALUES ($1, 1)', [name])
const names = async (engine: TestEngine) =>
  (await engine.read((tx) => tx.all<{ name: string }>('SELECT name FROM counters ORDER BY name'))).map(
    (row) => row.name,
  )

/** A write that stays open until the test ends it. */
async function openWrite(engine: TestEngine, name: string) {
  const opened = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const write = engine.write(async (tx) => {
    await insert(tx, name)
    opened.resolve()
    await gate.promise
  })
  await opened.promise
  return { write, end: gate.resolve }
}

describe('settings', () => {
  test('every commit is synced to disk, and foreign keys are enforced', async () => {
    const engine = await open()
    expect(await engine.call('pragma', 'synchronous')).toEqual({ synchronous: 2 })
    expect(await engine.call('pragma', 'journal_mode')).toEqual({ journal_mode: 'wal' })
    expect(await engine.call('pragma', 'foreign_keys')).toEqual({ foreign_keys: 1 })
    expect((await engine.call('pragma', 'busy_timeout'))!.timeout).toBe(2000)
  })

  test('a database without durable commits is refused', async () => {
    // A URI, whose lock is in memory too: a plain `:memory:` would leave a lock file in the working directory.
    const inMemory = `file:${file}?mode=memory&lock=`
    await expect(open({ file: inMemory, exclusive: false })).rejects.toThrow(/^the SQLite database is not durable/)
  })
})

describe('procedures', () => {
  test('procedures load, decide and save in one transaction', async () => {
    const engine = await open()
    await engine.call('put', { name: 'a', value: 10 })
    await engine.call('put', { name: 'b', value: 0 })
    const moves = Array.from({ length: 15 }, () => engine.call('move', { from: 'a', to: 'b', amount: 1 }))
    expect((await Promise.all(moves)).filter((answer) => answer === 'moved')).toHaveLength(10)
    expect(await engine.read((tx) => tx.all('SELECT name, value FROM counters ORDER BY name'))).toEqual([
      { name: 'a', value: 0 },
      { name: 'b', value: 10 },
    ])
  })

  test('procedures that throw write nothing, and report why', async () => {
    const engine = await open()
    await expect(engine.call('putThenThrow', 'a')).rejects.toThrow('a rule broke')
    expect(await names(engine)).toEqual([])
    await engine.call('put', { name: 'a', value: 1 })
    await expect(engine.call('put', { name: 'a', value: 1 })).rejects.toBeInstanceOf(UniqueViolation)
  })

  test('procedures wait for an open write, however many there are', async () => {
    const engine = await open()
    const first = await openWrite(engine, 'a')
    const moves = Array.from({ length: 9000 }, () => engine.call('move', { from: 'b', to: 'a', amount: 1 }))
    first.end()
    await first.write
    expect(new Set(await Promise.all(moves))).toEqual(new Set(['refused']))
  })
})

describe('bounds', () => {
  test('work that never ends on SQLite is rolled back, its handle stops working, and the next write runs', async () => {
    const engine = await open({ transactionLimitMs: 1000 })
    let handle: Writer | undefined
    const endless = engine.write(async (tx) => {
      handle = tx
      await insert(tx, 'endless')
      await new Promise(() => {})
    })
    await expect(endless).rejects.toBeInstanceOf(StoreUnavailable)
    await engine.write((tx) => insert(tx, 'next'))
    await expect(insert(handle!, 'late')).rejects.toThrow('has ended')
    expect(await names(engine)).toEqual(['next'])
  })

  test('a read that never ends frees its connection', async () => {
    const engine = await open({ transactionLimitMs: 1000 })
    // More than there are connections.
    const endless = Array.from({ length: 6 }, () =>
      engine.read(async (tx) => {
        await tx.get('SELECT 1 AS one')
        await new Promise(() => {})
      }),
    )
    for (const read of endless) await expect(read).rejects.toBeInstanceOf(StoreUnavailable)
    expect(await names(engine)).toEqual([])
  })

  test('one write too many is refused, and the waiting ones are not', async () => {
    const engine = await open({ maxWaiting: 2 })
    const first = await openWrite(engine, 'first')
    const waiting = ['second', 'third'].map((name) => engine.write((tx) => insert(tx, name)))
    const refused = engine.write((tx) => insert(tx, 'fourth'))
    await expect(refused).rejects.toBeInstanceOf(StoreUnavailable)
    first.end()
    await Promise.all([first.write, ...waiting])
    expect(await names(engine)).toEqual(['first', 'second', 'third'])
  })

  test('a write waits for its turn no longer than its limit', async () => {
    const engine = await open({ waitLimitMs: 50 })
    const first = await openWrite(engine, 'first')
    await expect(engine.write((tx) => insert(tx, 'late'))).rejects.toThrow(/timed out after 50 ms/)
    await expect(engine.call('put', { name: 'late', value: 1 })).rejects.toBeInstanceOf(StoreUnavailable)
    first.end()
    await first.write
    expect(await names(engine)).toEqual(['first'])
  })
})

describe('a worker that hangs', () => {
  test('a worker that hangs makes the store not ready until it continues', async () => {
    const engine = await open({ checkLimitMs: 100 })
    const hanging = engine.call('hang', 1500)
    await expect(engine.check()).rejects.toThrow(/does not respond/)
    await hanging
    await becomesReady(engine)
  })

  test('a hanging worker keeps its callers waiting no longer than the limit, and its error says that it may have committed', async () => {
    const engine = await open({ responseLimitMs: 1000 })
    const late = engine.call('hang', 2500)
    const read = names(engine)
    await expect(late).rejects.toMatchObject({ name: 'StoreUnavailable', mayHaveCommitted: true })
    await expect(read).rejects.toMatchObject({ name: 'StoreUnavailable', mayHaveCommitted: false })
    await becomesReady(engine)
    expect(await names(engine)).toEqual([])
  })

  test('a worker that hangs is not suspected when the process itself was paused', async () => {
    const engine = await open({ responseLimitMs: 200 })
    // After an immediate the loop comes to its timers before it reads the response.
    await new Promise(setImmediate)
    const pragma = engine.call('pragma', 'foreign_keys')
    blockLoop(600)
    expect(await pragma).toEqual({ foreign_keys: 1 })
  })

  test('a worker that hangs does not collect an unbounded queue of requests', async () => {
    const engine = await open({ maxWaiting: 5 })
    const hanging = engine.call('hang', 500)
    const asked = Array.from({ length: 20 }, () => names(engine).catch((error: Error) => error.name))
    expect((await Promise.all(asked)).filter((answer) => answer === 'StoreUnavailable')).toHaveLength(11)
    await hanging
  })
})

describe('a worker that dies', () => {
  test('a worker that dies loses only uncommitted work, is noticed, and is replaced', async () => {
    const engine = await open()
    await engine.write((tx) => insert(tx, 'kept'))
    const death = engine.call('putThenDie', 'half')
    const behind = engine.write((tx) => insert(tx, 'behind'))
    await expect(death).rejects.toMatchObject({ name: 'StoreUnavailable', mayHaveCommitted: true })
    await expect(behind).rejects.toMatchObject({ name: 'StoreUnavailable', mayHaveCommitted: false })
    await expect(engine.check()).rejects.toBeInstanceOf(StoreUnavailable)
    await becomesReady(engine)
    expect(await names(engine)).toEqual(['kept'])
    await engine.write((tx) => insert(tx, 'next'))
    expect(await names(engine)).toEqual(['kept', 'next'])
  })

  test('a worker that dies ends the open transactions and their handles', async () => {
    const engine = await open({ transactionLimitMs: 3_600_000 })
    let handle: Writer | undefined
    const opened = Promise.withResolvers<void>()
    const read = engine.read(async (tx) => {
      handle = tx as Writer
      await tx.get('SELECT 1 AS one')
      opened.resolve()
      await new Promise(() => {})
    })
    await opened.promise
    await engine.call('putThenDie', 'half').catch(() => {})
    await expect(read).rejects.toBeInstanceOf(StoreUnavailable)
    await expect(handle!.get('SELECT 1 AS one')).rejects.toThrow('has ended')
  })

  test('a worker that dies is restarted until the database can be opened', async () => {
    const attempts: number[] = []
    const logger = { ...silent, error: () => attempts.push(1) }
    const engine = await open({ logger, restartDelaysMs: [1, 1, 1, 20] })
    await engine.write((tx) => insert(tx, 'kept'))
    await rename(directory, `${directory}.away`)
    await engine.call('putThenDie', 'half').catch(() => {})
    await expect.poll(() => attempts.length, { timeout: 20_000 }).toBeGreaterThan(3)
    await expect(engine.check()).rejects.toBeInstanceOf(StoreUnavailable)
    await rename(`${directory}.away`, directory)
    await becomesReady(engine)
    expect(await names(engine)).toEqual(['kept'])
  })

  test('a worker that dies does not create a new store in place of a deleted one', async () => {
    const attempts: number[] = []
    const logger = { ...silent, error: () => attempts.push(1) }
    const engine = await open({ logger, restartDelaysMs: [1] })
    for (const name of await readdir(directory)) await rm(join(directory, name))
    await engine.call('putThenDie', 'half').catch(() => {})
    await expect.poll(() => attempts.length, { timeout: 20_000 }).toBeGreaterThan(1)
    await expect(engine.check()).rejects.toBeInstanceOf(StoreUnavailable)
    expect(await readdir(directory)).not.toContain('test.sqlite')
  })

  test('a worker that dies is not restarted after the store was closed', async () => {
    const engine = await open()
    await engine.close()
    await engine.close()
    await expect(names(engine)).rejects.toThrow('closed')
    await expect(engine.check()).rejects.toBeInstanceOf(StoreUnavailable)
  })
})

test('integers bound to SQLite stay integers', async () => {
  const engine = await open()
  const row = await engine.read((tx) =>
    tx.get('SELECT typeof($1) AS whole, typeof($2) AS fraction, 7 / $1 AS half, $1 || $3 AS text', [2, 0.5, 'x']),
  )
  expect(row).toEqual({ whole: 'integer', fraction: 'real', half: 3, text: '2x' })
})
