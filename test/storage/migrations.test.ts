import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { StoreUnusable } from '../../src/storage/engine.ts'
import { openStore } from '../../src/storage/open-store.ts'
import { postgresDialect } from '../../src/storage/postgres/dialect.ts'
import { migrate } from '../../src/storage/schema/migrate.ts'
import type { Migration } from '../../src/storage/schema/migration.ts'
import { migrations } from '../../src/storage/schema/migrations.ts'
import { sqliteDialect } from '../../src/storage/sqlite/dialect.ts'
import { type Database, engines, freshDatabase, openDatabase, type Store, silent } from '../support/store/engines.ts'

describe.each(engines)('migrations on %s', (engine) => {
  const dialect = engine === 'sqlite' ? sqliteDialect : postgresDialect
  const migrateWith = (store: Store, list: readonly Migration[]) =>
    migrate(store, { dialect, migrations: list, now: () => 5 })

  async function database(): Promise<Database> {
    const fresh = await freshDatabase(engine)
    onTestFinished(() => fresh.remove())
    return fresh
  }

  /** Changes a database without the program. */
  async function tamper(fresh: Database, work: (store: Store) => Promise<unknown>) {
    const store = await openDatabase(fresh)
    await work(store)
    await store.close()
  }

  const records = (store: Store) =>
    store.read((tx) => tx.all('SELECT version, name, state FROM schema_migrations ORDER BY version'))

  test('every migration is recorded once, however often the program starts', async () => {
    const fresh = await database()
    for (let start = 0; start < 3; start += 1) {
      const store = await openDatabase(fresh)
      expect(await records(store)).toEqual(migrations.map(({ version, name }) => ({ version, name, state: 'applied' })))
      await store.close()
    }
  })

  test('a database newer than the program is refused and left unchanged', async () => {
    const fresh = await database()
    await tamper(fresh, (store) =>
      store.write((tx) => tx.run("INSERT INTO schema_migrations VALUES (999, 'future', 0, 'applied')")),
    )
    const start = openDatabase(fresh)
    await expect(start).rejects.toBeInstanceOf(StoreUnusable)
    await expect(start).rejects.toThrow(/migration 999 \(future\).*newer/)
  })

  test('a half-finished migration is refused', async () => {
    const fresh = await database()
    await tamper(fresh, (store) =>
      store.write((tx) => tx.run("UPDATE schema_migrations SET state = 'failed' WHERE version = 1")),
    )
    const start = openDatabase(fresh)
    await expect(start).rejects.toBeInstanceOf(StoreUnusable)
    await expect(start).rejects.toThrow(/migration 1 .*half-way/)
  })

  test('a database of another program is refused', async () => {
    const fresh = await database()
    await tamper(fresh, (store) =>
      store.write((tx) => tx.run("UPDATE schema_migrations SET name = 'other' WHERE version = 1")),
    )
    await expect(openDatabase(fresh)).rejects.toThrow(/another program/)
  })

  test('a failed migration leaves nothing and is not recorded; earlier ones stay', async () => {
    const fresh = await database()
    const store = await openDatabase(fresh)
    onTestFinished(() => store.close())
    const next: Migration = { version: 101, name: 'good', statements: () => ['CREATE TABLE good (a BIGINT NOT NULL)'] }
    const broken: Migration = {
      version: 102,
      name: 'broken',
      statements: () => ['CREATE TABLE half (a BIGINT NOT NULL)', 'CREATE TABLE half (a BIGINT NOT NULL)'],
    }
    await expect(migrateWith(store, [...migrations, next, broken])).rejects.toThrow(/half/)
    expect((await records(store)).at(-1)).toMatchObject({ name: 'good' })
    await expect(store.read((tx) => tx.all('SELECT a FROM half'))).rejects.toThrow()
    const mended = { ...broken, statements: () => ['CREATE TABLE half (a BIGINT NOT NULL)'] }
    expect(await migrateWith(store, [...migrations, next, mended])).toEqual([mended])
  })

  test('instances that start together run every migration once, and all of them start', async () => {
    const fresh = await database()
    const stores = await Promise.all(Array.from({ length: 3 }, () => openDatabase(fresh, { exclusive: false })))
    onTestFinished(async () => {
      for (const store of stores) await store.close()
    })
    const slow: Migration = {
      version: 101,
      name: 'slow',
      statements: () => Array.from({ length: 20 }, (_, i) => `CREATE TABLE step_${i} (a BIGINT NOT NULL, b TEXT)`),
    }
    const applied = await Promise.all(stores.map((store) => migrateWith(store, [...migrations, slow])))
    expect(applied.flat()).toEqual([slow])
  })
})

test('only the owner can read the data directory and the database', async () => {
  const fresh = await freshDatabase('sqlite')
  onTestFinished(() => fresh.remove())
  const dataDir = join(fresh.dataDir, 'nested', 'data')
  const options = { databaseUrl: undefined, dataDir, exclusive: true, clock: Date.now, logger: silent }
  const store = await openStore(options)
  await store.close()
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
  expect((await stat(join(dataDir, 'gateway.sqlite'))).mode & 0o777).toBe(0o600)
})
