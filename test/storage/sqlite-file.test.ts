import { mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { StoreUnavailable, StoreUnusable } from '../../src/storage/engine.ts'
import { openStore } from '../../src/storage/open-store.ts'
import { openSqlite } from '../../src/storage/sqlite/sqlite-engine.ts'
import { silent } from '../../testkit/store/engines.ts'
import type { procedures } from '../../testkit/store/sqlite-procedures.ts'

let directory: string
let file: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gateway-sqlite-'))
  file = join(directory, 'test.sqlite')
  return () => rm(directory, { recursive: true, force: true })
})

async function open({ exclusive = true, at = file } = {}) {
  const engine = await openSqlite<typeof procedures>({
    file: at,
    exclusive,
    logger: silent,
    busyTimeoutMs: 100,
    procedures: new URL('../../testkit/store/sqlite-procedures.ts', import.meta.url),
  })
  onTestFinished(() => engine.close())
  return engine
}

async function openWithTable() {
  const engine = await open()
  await engine.write((tx) =>
    tx.run('CREATE TABLE counters (name TEXT NOT NULL PRIMARY KEY, value INTEGER NOT NULL) STRICT'),
  )
  return engine
}

const put = (name: string, value = 1) => ({ name, value })
type Opened = Awaited<ReturnType<typeof open>>
const names = async (engine: Opened) =>
  (await engine.read((tx) => tx.all<{ name: string }>('SELECT name FROM counters ORDER BY name'))).map(
    (row) => row.name,
  )

describe('one gateway per file', () => {
  test('a second gateway is refused with what to do; the command line is allowed', async () => {
    const first = await openWithTable()
    await expect(open()).rejects.toBeInstanceOf(StoreUnusable)
    await expect(open()).rejects.toThrow(/in use by another gateway.*PostgreSQL/)
    const commandLine = await open({ exclusive: false })
    await commandLine.call('put', put('by hand'))
    expect(await names(first)).toEqual(['by hand'])
    await first.close()
    await open()
  })

  test('the lock belongs to the file, not to its name', async () => {
    const options = { dataDir: directory, exclusive: true, clock: Date.now, logger: silent }
    const first = await openStore({ ...options, databaseUrl: `sqlite:${file}` })
    onTestFinished(() => first.close())
    await symlink(file, join(directory, 'other.sqlite'))
    const second = openStore({ ...options, databaseUrl: `sqlite:${join(directory, 'other.sqlite')}` })
    await expect(second).rejects.toBeInstanceOf(StoreUnusable)
  })
})

describe('a disk that accepts no writes', () => {
  test('a full disk makes writes unavailable, leaves nothing half-written, and serves reads', async () => {
    const engine = await openWithTable()
    await engine.call('put', put('before'))
    await engine.call('pragma', 'max_page_count = 4')
    const fill = engine.write(async (tx) => {
      for (let i = 0; i < 100; i += 1)
        await tx.run('INSERT INTO counters (name, value) VALUES ($1, 1)', ['x'.repeat(2000) + i])
    })
    await expect(fill).rejects.toMatchObject({ name: 'StoreUnavailable', message: expect.stringContaining('full') })
    expect(await names(engine)).toEqual(['before'])
    await engine.call('pragma', 'max_page_count = 1000000')
    await engine.call('put', put('after'))
    expect(await names(engine)).toEqual(['after', 'before'])
  })

  test('a read-only disk makes writes unavailable, and the store is not ready', async () => {
    const engine = await openWithTable()
    await engine.call('pragma', 'query_only = 1')
    await expect(engine.call('put', put('a'))).rejects.toBeInstanceOf(StoreUnavailable)
    await expect(engine.write((tx) => tx.run('DELETE FROM counters'))).rejects.toBeInstanceOf(StoreUnavailable)
    await expect(engine.check()).rejects.toBeInstanceOf(StoreUnavailable)
    expect(await names(engine)).toEqual([])
  })

  test('the store is ready only after a write has reached the disk', async () => {
    const engine = await openWithTable()
    const logSize = async () => (await stat(`${file}-wal`)).size
    const before = await logSize()
    await engine.check()
    expect(await logSize()).toBeGreaterThan(before)
  })

  test('a file that cannot be opened is unavailable', async () => {
    for (const exclusive of [true, false]) {
      const start = open({ at: join(directory, 'missing', 'test.sqlite'), exclusive })
      await expect(start).rejects.toBeInstanceOf(StoreUnavailable)
    }
  })

  test('a write waits for a writer of another process, but not forever', async () => {
    const engine = await openWithTable()
    const other = new DatabaseSync(file)
    onTestFinished(() => other.close())
    other.exec('BEGIN IMMEDIATE')
    await expect(engine.call('put', put('a'))).rejects.toBeInstanceOf(StoreUnavailable)
    expect(await names(engine)).toEqual([])
    other.exec('ROLLBACK')
    await engine.call('put', put('a'))
  })
})

describe('a file that is not ours', () => {
  test('a file that is not a database is refused', async () => {
    await writeFile(file, 'this is no database, however long it is made to be. '.repeat(100))
    await expect(open()).rejects.toBeInstanceOf(StoreUnusable)
  })

  test('the database of another program is refused and left unchanged', async () => {
    const other = new DatabaseSync(file)
    other.exec('PRAGMA application_id = 77; CREATE TABLE theirs (a)')
    other.close()
    await expect(open()).rejects.toThrow(/another program/)
    const again = new DatabaseSync(file)
    onTestFinished(() => again.close())
    expect(again.prepare('PRAGMA application_id').get()).toEqual({ application_id: 77 })
  })
})

describe('a backup', () => {
  test('a backup is one consistent snapshot while writes continue, readable by its owner only, and overwrites nothing', async () => {
    const engine = await openWithTable()
    const filler = 'x'.repeat(1000)
    const pair = (i: number) =>
      engine.write(async (tx) => {
        await tx.run('INSERT INTO counters (name, value) VALUES ($1, $2)', [`left ${i} ${filler}`, i])
        await tx.run('INSERT INTO counters (name, value) VALUES ($1, $2)', [`right ${i} ${filler}`, i])
      })
    for (let i = 0; i < 300; i += 1) await pair(i)
    const path = join(directory, 'backup.sqlite')
    let isDone = false
    const backup = engine.backup(path).finally(() => {
      isDone = true
    })
    for (let i = 300; !isDone; i += 1) await pair(i)
    await backup
    const copy = new DatabaseSync(path, { readOnly: true })
    onTestFinished(() => copy.close())
    const sides = copy
      .prepare('SELECT substr(name, 1, 4) AS side, count(*) AS n, sum(value) AS total FROM counters GROUP BY side')
      .all()
    expect(sides[0]!.n).toBeGreaterThanOrEqual(300)
    expect([sides[0]!.n, sides[0]!.total]).toEqual([sides[1]!.n, sides[1]!.total])
    expect(copy.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    await expect(engine.backup(path)).rejects.toThrow(/already exists/)
  })

  test('a backup is readable by its owner only while it is made, and two at once do not share a file', async () => {
    const engine = await openWithTable()
    await engine.write(async (tx) => {
      for (let i = 0; i < 200; i += 1)
        await tx.run('INSERT INTO counters (name, value) VALUES ($1, 1)', [`${i} ${'x'.repeat(9000)}`])
    })
    const path = join(directory, 'backup.sqlite')
    const modes = new Set<number>()
    let isDone = false
    const backups = Promise.allSettled([engine.backup(path), engine.backup(path)]).finally(() => {
      isDone = true
    })
    while (!isDone) {
      for (const name of await readdir(directory)) {
        if (!name.startsWith('backup.sqlite')) continue
        const stats = await stat(join(directory, name)).catch(() => null)
        if (stats) modes.add(stats.mode & 0o777)
      }
    }
    expect(modes).toEqual(new Set([0o600]))
    const outcomes = (await backups).toSorted((a, b) => (a.status < b.status ? -1 : 1))
    expect(outcomes).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { message: expect.stringContaining('already exists') } },
    ])
    expect((await readdir(directory)).filter((name) => name.startsWith('backup'))).toEqual(['backup.sqlite'])
    const copy = new DatabaseSync(path, { readOnly: true })
    onTestFinished(() => copy.close())
    expect(copy.prepare('SELECT count(*) AS n FROM counters').get()).toEqual({ n: 200 })
  })
})
