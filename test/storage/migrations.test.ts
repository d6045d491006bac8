import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { StoreUnusable } from '../../src/storage/engine.ts'
import { openStore } from '../../src/storage/open-store.ts'
import { migrationLock, postgresDialect, refuseDuringMigration } from '../../src/storage/postgres/instance-rows.ts'
import { createSharedLease } from '../../src/storage/postgres/lease.ts'
import type { PostgresEngine } from '../../src/storage/postgres/postgres-engine.ts'
import { type Dialect, MigrationRefused, migrate } from '../../src/storage/schema/migrate.ts'
import { type Migration, migrations } from '../../src/storage/schema/migrations.ts'
import { sqliteDialect } from '../../src/storage/sqlite/faults.ts'
import { testSecret } from '../../testkit/gateway/gateway.ts'
import { runCommand } from '../../testkit/gateway/run-command.ts'
import {
  type Database,
  engines,
  freshDatabase,
  freshStore,
  openDatabase,
  type Store,
  silent,
} from '../../testkit/store/engines.ts'
import { step } from '../../testkit/store/migration-steps.ts'
import { createCustomer, createRig } from '../../testkit/store/rig.ts'

const newest = migrations.at(-1)!.version

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

  const startOptions = ({ databaseUrl, dataDir }: Database) => ({
    ...{ databaseUrl, dataDir, exclusive: true, clock: () => 5, logger: silent },
  })

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
      store.write((tx) => tx.run("INSERT INTO schema_migrations VALUES (999, 'future', 0, 'applied', 999)")),
    )
    const start = openDatabase(fresh)
    await expect(start).rejects.toBeInstanceOf(StoreUnusable)
    await expect(start).rejects.toThrow(
      /migration 999 \(future\), which is too new for this program.*migrate cannot go back/,
    )
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
    await expect(openDatabase(fresh)).rejects.toThrow(/another program\. Set DATABASE_URL to/)
  })

  test.each(['foundation', 'baseline', 'gateway-0.2'])(
    'a store of a build before 0.2.0, first migration %s, is refused with the way through 0.2.0',
    async (name) => {
      const fresh = await database()
      const way =
        /set up by a build before 0\.2\.0.*export it with the last build before 0\.2\.0, import .* with 0\.2\.0, and open that store with this program/
      await tamper(fresh, (store) =>
        store.write(async (tx) => {
          await tx.run('UPDATE schema_migrations SET name = $1 WHERE version = 1', [name])
          await tx.run('ALTER TABLE schema_migrations DROP COLUMN compatible_from')
        }),
      )
      await expect(openDatabase(fresh)).rejects.toThrow(way)
      for (const command of [['migrate'], ['doctor'], ['export', join(fresh.dataDir, 'export')]]) {
        const environment = { GATEWAY_SECRET: testSecret }
        const { exitCode, stdout, stderr } = await runCommand(fresh, command, { environment })
        expect(exitCode).toBe(1)
        expect(`${stdout}${stderr}`).toMatch(way)
      }
    },
  )

  test('approvals keep their rows and the movements that refer to them', async () => {
    const fresh = await database()
    const earlier = migrations.slice(
      0,
      migrations.findIndex(({ name }) => name === 'uncredited-payments'),
    )
    const store = await openStore({ ...startOptions(fresh), migrations: earlier })
    onTestFinished(() => store.close())
    const { projectId } = await createCustomer(createRig(store))
    await store.write(async (tx) => {
      await tx.run(
        `INSERT INTO approvals VALUES ('apv_1', 'movement', NULL, $1, 'withdraw', 5, 'ticket', 'ticket', 'why', 'ada', 'web', 1,
          'approved', 'bo', 2)`,
        [projectId],
      )
      await tx.run(
        `INSERT INTO operator_movements VALUES ('mov_1', $1, 'withdraw', 5, 'ticket', 'ticket', 1, NULL, 'apv_1', 'aud_1', 'ada', 2)`,
        [projectId],
      )
    })
    await migrateWith(store, migrations)
    const subjects = () =>
      store.read((tx) => tx.all('SELECT approval_id AS id, subject FROM approvals ORDER BY approval_id'))
    expect(await subjects()).toEqual([{ id: 'apv_1', subject: 'movement' }])
    await store.write((tx) =>
      tx.run(
        `INSERT INTO approvals VALUES ('apv_2', 'payment_end', 'pay_1', $1, 'withdraw', 5, 'r', 'r', 'why', 'ada', 'web', 1,
          'pending', NULL, NULL)`,
        [projectId],
      ),
    )
    expect(await subjects()).toHaveLength(2)
    const referred = "DELETE FROM approvals WHERE approval_id = 'apv_1'"
    await expect(store.write((tx) => tx.run(referred))).rejects.toThrow()
  })

  test('a failed migration leaves nothing and is not recorded; earlier ones stay', async () => {
    const fresh = await database()
    const store = await openDatabase(fresh)
    onTestFinished(() => store.close())
    const next = step(101, ['CREATE TABLE good (a BIGINT NOT NULL)'])
    const broken: Migration = {
      ...step(102, []),
      statements: () => ['CREATE TABLE half (a BIGINT NOT NULL)', 'CREATE TABLE half (a BIGINT NOT NULL)'],
    }
    await expect(migrateWith(store, [...migrations, next, broken])).rejects.toThrow(/half/)
    expect((await records(store)).at(-1)).toMatchObject({ name: 'step-101' })
    await expect(store.read((tx) => tx.all('SELECT a FROM half'))).rejects.toThrow()
    const mended = { ...broken, statements: () => ['CREATE TABLE half (a BIGINT NOT NULL)'] }
    expect(await migrateWith(store, [...migrations, next, mended])).toEqual([mended])
  })

  test('a start on an empty store sets it up in one transaction, so that half of it is never visible', async () => {
    const fresh = await database()
    const broken = step(101, ['CREATE TABLE half (a BIGINT NOT NULL)', 'CREATE TABLE half (a BIGINT NOT NULL)'])
    const start = openStore({ ...startOptions(fresh), migrations: [...migrations, broken] })
    await expect(start).rejects.toThrow(/half/)
    const store = await openStore(startOptions(fresh))
    onTestFinished(() => store.close())
    expect(await records(store)).toHaveLength(migrations.length)
  })

  test('an older program starts on a newer schema that is compatible with it, and on no other', async () => {
    const fresh = await database()
    const [fitting, breaking] = [step(101, [], newest), step(102, [], 102)]
    const store = await openDatabase(fresh)
    await migrateWith(store, [...migrations, fitting])
    await store.close()
    const warnings: string[] = []
    const logger = { ...silent, warn: (_: object, text?: string) => void warnings.push(text!) }
    const older = await openStore({ ...startOptions(fresh), logger })
    expect(warnings).toEqual(['the schema is newer than this program, which can serve it'])
    await migrateWith(older, [...migrations, fitting, breaking])
    await older.close()
    await expect(openStore(startOptions(fresh))).rejects.toThrow(/migration 102 \(step-102\), which is too new/)
  })

  test('only a step that the program needs keeps it from serving an older schema', async () => {
    const fresh = await database()
    await (await openDatabase(fresh)).close()
    const optional = { ...step(101, ['CREATE TABLE extra (a BIGINT NOT NULL)']), isRequired: false }
    const open = (step: Migration) =>
      openStore({ ...startOptions(fresh), exclusive: false, migrations: [...migrations, step] })
    await (await open(optional)).close()
    await expect(open({ ...optional, isRequired: true })).rejects.toThrow(
      /^the schema is at version \d+ \([\w.-]+\), and this program needs version 101 \(step-101\): run npm run gateway -- migrate$/,
    )
    const store = await openDatabase(fresh)
    onTestFinished(() => store.close())
    expect(await records(store)).toHaveLength(migrations.length)
  })

  test('instances that start together run every migration once, and all of them start', async () => {
    const fresh = await database()
    const stores = await Promise.all(Array.from({ length: 3 }, () => openDatabase(fresh, { exclusive: false })))
    onTestFinished(async () => {
      for (const store of stores) await store.close()
    })
    const tables = Array.from({ length: 20 }, (_, i) => `CREATE TABLE step_${i} (a BIGINT NOT NULL, b TEXT)`)
    const slow = step(101, tables)
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
  for (const name of ['gateway.sqlite', 'gateway.sqlite.lock']) {
    expect((await stat(join(dataDir, name))).mode & 0o777).toBe(0o600)
  }
})

describe('a migration while gateways run on PostgreSQL', () => {
  let fresh: Awaited<ReturnType<typeof freshStore>>
  let engine: PostgresEngine
  beforeAll(async () => {
    fresh = await freshStore('postgres')
    engine = fresh.store as PostgresEngine
  })
  afterAll(() => fresh.remove())

  const leaseOf = (instanceId: string, known: readonly Migration[]) => {
    const lease = createSharedLease(engine, { instanceId, renewMs: 3_600_000, migrations: known })
    onTestFinished(() => lease.stop())
    return lease
  }
  const run = (list: readonly Migration[], dialect = postgresDialect) =>
    migrate(engine, { dialect, migrations: list, now: () => 5, lockPauseMs: 10 })

  test('a migration while gateways run on PostgreSQL is refused while one of them could not serve after it, and names that one', async () => {
    const [expand, contract] = [step(101, ['CREATE TABLE a (a BIGINT)'], newest), step(102, ['DROP TABLE a'], 101)]
    const [older, newer] = [leaseOf('ins_older', migrations), leaseOf('ins_newer', [...migrations, expand])]
    await older.start()
    await newer.start()
    const refused = run([...migrations, expand, contract])
    await expect(refused).rejects.toBeInstanceOf(MigrationRefused)
    await expect(refused).rejects.toThrow(
      /^migration 102 \(step-102\) needs every gateway to know version 101; still running: ins_older \(\S+ pid \d+, knows version \d+\)\. Stop or upgrade/,
    )
    expect(await engine.read((tx) => tx.get('SELECT MAX(version) AS version FROM schema_migrations'))).toEqual({
      version: 101,
    })
    await older.stop()
    expect(await run([...migrations, expand, contract])).toEqual([contract])
    // What must not be there any more loses its lease instead of writing to tables that changed.
    await expect(leaseOf('ins_late', migrations).start()).rejects.toThrow(/too new for this program/)
    await newer.renew()
    expect(newer.isHeld()).toBe(true)
    await engine.write((tx) => tx.run('DELETE FROM schema_migrations WHERE version > 100'))
  })

  test('a migration while gateways run on PostgreSQL is not refused because of instances whose lease has expired', async () => {
    const frozen = leaseOf('ins_frozen', migrations)
    await frozen.start()
    await engine.write((tx) => tx.run("UPDATE instances SET lease_until = 1 WHERE instance_id = 'ins_frozen'"))
    expect(await run([...migrations, step(103, [])])).toHaveLength(1)
    // When it goes on, it does not get its lease back.
    await expect(frozen.renew()).rejects.toThrow(/migration 103 \(step-103\), which is too new for this program/)
    await engine.write((tx) => tx.run('DELETE FROM schema_migrations WHERE version > 100'))
  })

  test('a migration while gateways run on PostgreSQL lets a gateway start only when it is done', async () => {
    const running = Promise.withResolvers<void>()
    const held = engine.write(async (tx) => {
      await tx.get(`SELECT pg_advisory_xact_lock(${migrationLock})`)
      running.resolve()
      await released.promise
    })
    const released = Promise.withResolvers<void>()
    await running.promise
    const lease = leaseOf('ins_waiting', migrations)
    let isStarted = false
    const started = lease.start().then(() => {
      isStarted = true
    })
    const refusals = vi.fn()
    await engine.read(refuseDuringMigration).catch(refusals)
    expect(refusals).toHaveBeenCalledOnce()
    expect(isStarted).toBe(false)
    released.resolve()
    await held
    await started
    expect(lease.isHeld()).toBe(true)
  })

  test('a migration while gateways run on PostgreSQL waits briefly for a locked table and tries again, so that calls do not wait behind it', async () => {
    await engine.write((tx) => tx.run('CREATE TABLE busy (a BIGINT)'))
    const locked = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const reader = engine.read(async (tx) => {
      await tx.all('SELECT a FROM busy')
      locked.resolve()
      await released.promise
    })
    await locked.promise
    let attempts = 0
    const impatient: Dialect = {
      ...postgresDialect,
      lock: [...postgresDialect.lock, "SET LOCAL lock_timeout = '20ms'"],
      isLockTimeout: (error) => {
        attempts += 1
        if (attempts === 3) released.resolve()
        return postgresDialect.isLockTimeout(error)
      },
    }
    const added = step(104, ['ALTER TABLE busy ADD COLUMN b BIGINT'])
    expect(await run([...migrations, added], impatient)).toEqual([added])
    expect(attempts).toBeGreaterThanOrEqual(3)
    await reader
  })
})
