import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openSqlite, type SqliteEngine, type SqliteOptions } from '../../src/storage/sqlite/sqlite-engine.ts'
import { silent } from '../../testkit/store/engines.ts'

let directory: string
let file: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gateway-checkpoints-'))
  file = join(directory, 'test.sqlite')
  return () => rm(directory, { recursive: true, force: true })
})

const never = 1_000_000
/** About one page per row, and three in the write-ahead log. */
const row = 'x'.repeat(3000)
const mostWrites = 5000

async function open(options: Partial<SqliteOptions>) {
  const engine = await openSqlite({ file, exclusive: true, logger: silent, ...options })
  onTestFinished(() => engine.close())
  await engine.write((tx) => tx.run('CREATE TABLE texts (text TEXT NOT NULL) STRICT'))
  return engine
}

const append = (engine: SqliteEngine) => engine.write((tx) => tx.run('INSERT INTO texts (text) VALUES ($1)', [row]))

/** Looks at the log from outside, as another program would. */
function watchLog() {
  const database = new DatabaseSync(file, { readOnly: true })
  onTestFinished(() => database.close())
  const length = database.prepare('PRAGMA wal_checkpoint(NOOP)')
  return () => (length.get() as { log: number }).log
}

async function writesUntilRestart(engine: SqliteEngine): Promise<number> {
  const log = watchLog()
  for (let writes = 1, last = log(); writes <= mostWrites; writes += 1) {
    await append(engine)
    const now = log()
    if (now < last) return writes
    last = now
  }
  return Number.POSITIVE_INFINITY
}

describe('the write-ahead log', () => {
  test('the write-ahead log restarts while writes continue, because its own thread copies it', async () => {
    const engine = await open({ logSizes: { copyPages: 20, restartPages: 60, limitPages: never } })
    for (let times = 0; times < 3; times += 1) expect(await writesUntilRestart(engine)).toBeLessThan(mostWrites)
  })

  test('the write-ahead log is bounded by the writer when that thread does not keep up', async () => {
    const logSizes = { copyPages: 20, restartPages: 60, limitPages: 200 }
    const engine = await open({ logSizes, hasCheckpointer: false })
    const log = watchLog()
    let longest = 0
    for (let writes = 0; writes < 500; writes += 1) {
      await append(engine)
      longest = Math.max(longest, log())
    }
    expect(longest).toBeGreaterThan(100)
    expect(longest).toBeLessThan(220)
  })

  test('the write-ahead log waits for an open read without blocking anyone, and restarts afterwards', async () => {
    const engine = await open({ logSizes: { copyPages: 20, restartPages: 60, limitPages: never } })
    await append(engine)
    const log = watchLog()
    const isOpen = Promise.withResolvers<void>()
    const mayEnd = Promise.withResolvers<void>()
    const count = 'SELECT COUNT(*) AS rows FROM texts'
    const read = engine.read(async (tx) => {
      const before = await tx.get(count)
      isOpen.resolve()
      await mayEnd.promise
      return [before, await tx.get(count)]
    })
    await isOpen.promise
    for (let writes = 0; writes < 200; writes += 1) await append(engine)
    expect(log()).toBeGreaterThan(200)
    mayEnd.resolve()
    expect(await read).toEqual([{ rows: 1 }, { rows: 1 }])
    expect(await writesUntilRestart(engine)).toBeLessThan(mostWrites)
    expect((await engine.read((tx) => tx.get<{ rows: number }>(count)))!.rows).toBeGreaterThan(200)
  })
})
