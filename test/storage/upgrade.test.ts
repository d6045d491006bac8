import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { reconcile } from '../../src/operator/reconcile.ts'
import type { Engine, Row } from '../../src/storage/engine.ts'
import { migrations } from '../../src/storage/migrations/index.ts'
import { migrate } from '../../src/storage/migrations/migrate.ts'
import { postgresDialect } from '../../src/storage/postgres/dialect.ts'
import { openPostgres } from '../../src/storage/postgres/postgres-engine.ts'
import { sqliteDialect } from '../../src/storage/sqlite/dialect.ts'
import { openSqlite } from '../../src/storage/sqlite/sqlite-engine.ts'
import { openStatement } from '../../src/storage/statement-store.ts'
import { writeGoodBooks } from '../operator/good-books.ts'
import { type Database, type EngineName, engines, freshDatabase, openDatabase, silent } from '../support/engines.ts'
import { addCredits, createRig } from '../support/rig.ts'

/** Parents before those that refer to them. */
const tables = [
  ...['accounts', 'identities', 'projects', 'api_keys', 'balances', 'orders', 'credit_lots', 'charges'],
  ...['charge_results', 'ledger_entries', 'review_decisions', 'usage_days'],
]

const firstOf: Readonly<Record<EngineName, (database: Database) => Promise<Engine>>> = {
  sqlite: ({ dataDir }) => openSqlite({ file: join(dataDir, 'gateway.sqlite'), exclusive: false, logger: silent }),
  postgres: ({ databaseUrl }) => openPostgres({ url: databaseUrl, logger: silent }),
}

/** Has every row of another store, as far as a version before the chain of the ledger knew its columns. */
async function copyAsOfVersion5(rows: ReadonlyMap<string, Row[]>, engine: EngineName, target: Database) {
  const old = await firstOf[engine](target)
  const dialect = engine === 'sqlite' ? sqliteDialect : postgresDialect
  await migrate(old, { dialect, migrations: migrations.filter(({ version }) => version <= 5), now: () => 5 })
  await old.write(async (tx) => {
    for (const [table, all] of rows) {
      // Back to front: the order of the rows says nothing about the order of the books.
      for (const { entry_id: _id, previous_id: _previous, last_entry_id: _last, ...row } of all.toReversed()) {
        const places = Object.keys(row).map((_, place) => `$${place + 1}`)
        await tx.run(`INSERT INTO ${table} (${Object.keys(row)}) VALUES (${places})`, Object.values(row))
      }
    }
  })
  await old.close()
}

describe.each(engines)('a store of an earlier version on %s', (engine) => {
  async function database(): Promise<Database> {
    const fresh = await freshDatabase(engine)
    onTestFinished(() => fresh.remove())
    return fresh
  }
  const inOrder = 'SELECT project_id, seq, kind, charge_id FROM ledger_entries ORDER BY project_id, seq'

  test('keeps all of its books, finds every place of a long ledger, and goes on', async () => {
    const source = await openDatabase(await database())
    const { customer, rig } = await writeGoodBooks(source)
    for (let i = 0; i < 80; i += 1) await addCredits(rig, customer.projectId, 10)
    const rows = await source.read(async (tx) => {
      const all = new Map<string, Row[]>()
      for (const table of tables) all.set(table, await tx.all(`SELECT * FROM ${table}`))
      return all
    })
    const ledger = await source.read((tx) => tx.all(inOrder))
    await source.close()

    const target = await database()
    await copyAsOfVersion5(rows, engine, target)
    const store = await openDatabase(target)
    onTestFinished(() => store.close())
    expect(await reconcile(store)).toMatchObject({ differences: [], size: { entries: ledger.length } })
    expect(await store.read((tx) => tx.all(inOrder))).toEqual(ledger)

    await addCredits(createRig(store), customer.projectId, 10)
    expect(await reconcile(store)).toMatchObject({ differences: [], size: { entries: ledger.length + 1 } })
    const numbers: number[] = []
    const { projectId } = customer
    const pages = await openStatement(store, { projectId, from: 0, to: Number.MAX_SAFE_INTEGER }, 7)
    for await (const page of pages!) numbers.push(...page.map(({ seq }) => seq))
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, place) => place + 1))
    expect(numbers.length).toBeGreaterThan(96)
  })
})
