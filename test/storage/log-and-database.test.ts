import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { StoreUnusable } from '../../src/storage/engine.ts'
import { openSqlite } from '../../src/storage/sqlite/sqlite-engine.ts'
import { silent } from '../../testkit/store/engines.ts'

/** Both files at moments when all of it was committed, over several generations of the log. */
let moments: { readonly database: Buffer; readonly log: Buffer }[]
let file: string

const logSizes = { copyPages: 20, restartPages: 20, limitPages: 20 }
const open = () => openSqlite({ file, exclusive: true, logger: silent, logSizes, hasCheckpointer: false })

beforeEach(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-log-'))
  file = join(directory, 'test.sqlite')
  const engine = await open()
  await engine.write((tx) => tx.run('CREATE TABLE notes (note TEXT NOT NULL) STRICT'))
  moments = []
  for (let i = 0; i < 100; i += 1) {
    await engine.write((tx) => tx.run('INSERT INTO notes VALUES ($1)', [`${i} ${'x'.repeat(2000)}`]))
    moments.push({ database: await readFile(file), log: await readFile(`${file}-wal`) })
  }
  await engine.close()
  return () => rm(directory, { recursive: true })
})

async function put(database: Buffer, log: Buffer): Promise<void> {
  await writeFile(file, database)
  await writeFile(`${file}-wal`, log)
}

test('a log that is older than its database is refused, and so is a database that is older than its log', async () => {
  const last = moments.at(-1)!
  const older = moments.filter(({ database }) => !database.equals(last.database))
  expect(older.length).toBeGreaterThan(60)
  // In the two generations before, and in the first ones.
  for (const { database, log } of [...older.slice(0, 5), ...older.slice(-5)]) {
    await put(last.database, log)
    await expect(open()).rejects.toThrow(/-wal is older than .*test\.sqlite.* restore both/)
    await put(database, last.log)
    await expect(open()).rejects.toBeInstanceOf(StoreUnusable)
    expect(await readFile(file)).toEqual(database)
    expect(await readFile(`${file}-wal`)).toEqual(last.log)
  }
})

test('a database opens with its own log at every moment, also while the log is copied', async () => {
  for (const [at, { database, log }] of moments.entries()) {
    if (at % 13 !== 0) continue
    const next = moments[at + 1]?.database ?? database
    await put(Buffer.concat([next.subarray(0, 4096), database.subarray(4096)]), moments[at + 1]?.log ?? log)
    const engine = await open()
    onTestFinished(() => engine.close())
    const { notes } = (await engine.read((tx) => tx.get<{ notes: number }>('SELECT count(*) AS notes FROM notes')))!
    expect(notes).toBe(Math.min(at + 2, moments.length))
    await engine.close()
  }
})
