import { afterAll, beforeAll, expect, test } from 'vitest'
import { engines, freshStore, type Store } from '../../testkit/store/engines.ts'

/** Asks both engines for their real schema; the schema files are not read. */

const opened = new Map<string, Awaited<ReturnType<typeof freshStore>>>()

beforeAll(async () => {
  for (const engine of engines) opened.set(engine, await freshStore(engine))
})
afterAll(async () => {
  for (const fresh of opened.values()) await fresh.remove()
})

const store = (engine: string): Store => opened.get(engine)!.store

const ask = <R extends object>(engine: string, sql: string) => store(engine).read((tx) => tx.all<R>(sql))

const tables = {
  sqlite: `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
  postgres: `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()
    AND table_type = 'BASE TABLE' ORDER BY table_name COLLATE "C"`,
}

const views = {
  sqlite: `SELECT v.name AS view, c.name AS "column" FROM sqlite_master v JOIN pragma_table_info(v.name) c
    WHERE v.type = 'view' ORDER BY v.name, c.cid`,
  postgres: `SELECT table_name AS view, column_name AS "column" FROM information_schema.columns
    JOIN information_schema.views USING (table_schema, table_name) WHERE table_schema = current_schema()
    ORDER BY table_name COLLATE "C", ordinal_position`,
}

const columns = {
  sqlite: `SELECT t.name AS "table", c.name AS "column", CASE c.type WHEN 'TEXT' THEN 'text' ELSE 'integer' END AS kind,
      (c."notnull" OR c.pk > 0) AS required
    FROM sqlite_master t JOIN pragma_table_info(t.name) c
    WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY t.name, c.name`,
  postgres: `SELECT table_name AS "table", column_name AS "column",
      CASE data_type WHEN 'text' THEN 'text' WHEN 'bigint' THEN 'integer' WHEN 'integer' THEN 'integer' ELSE data_type END AS kind,
      is_nullable = 'NO' AS required
    FROM information_schema.columns JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE table_schema = current_schema() AND t.table_type = 'BASE TABLE'
    ORDER BY table_name COLLATE "C", column_name COLLATE "C"`,
}

/** By table and columns: an index that belongs to a constraint has a name of the engine's own. */
const indexes = {
  sqlite: `SELECT t.name AS "table", i."unique" AS is_unique, i.partial AS is_partial,
      (SELECT group_concat(k.name, ',' ORDER BY k.seqno) FROM pragma_index_info(i.name) k) AS columns
    FROM sqlite_master t JOIN pragma_index_list(t.name) i
    WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'`,
  postgres: `SELECT t.relname AS "table", i.indisunique AS is_unique, i.indpred IS NOT NULL AS is_partial,
      (SELECT string_agg(a.attname, ',' ORDER BY k.place) FROM unnest(i.indkey::int[]) WITH ORDINALITY AS k (number, place)
        JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.number) AS columns
    FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid JOIN pg_namespace n ON n.oid = t.relnamespace
    WHERE n.nspname = current_schema()`,
}

/** A rowid table's INTEGER PRIMARY KEY has no index in SQLite. */
const rowidKeys = (row: object) => /"columns":"(version|entry_id|seq|head_id|claim_id)"/.test(JSON.stringify(row))

/** The schema files say why. */
const indexesOfOneEngine = {
  sqlite: [
    { table: 'charges', is_unique: 0, is_partial: 1, columns: 'charge_id' },
    { table: 'charges', is_unique: 0, is_partial: 1, columns: 'project_id,charge_id' },
    { table: 'usage_days', is_unique: 1, is_partial: 0, columns: 'day,project_id,operation' },
    { table: 'usage_days', is_unique: 0, is_partial: 0, columns: 'project_id,day' },
  ],
  postgres: [
    { table: 'ledger_entries', is_unique: 0, is_partial: 1, columns: 'project_id,charge_id' },
    { table: 'usage_days', is_unique: 1, is_partial: 0, columns: 'project_id,day,operation' },
  ],
}

const sorted = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort()

test('both engines have the same tables', async () => {
  const found = await ask<{ name: string }>('sqlite', tables.sqlite)
  expect(found.length).toBeGreaterThan(10)
  expect(await ask('postgres', tables.postgres)).toEqual(found)
})

test('both engines have the same columns, with the same types and nullability', async () => {
  expect(await ask('postgres', columns.postgres)).toEqual(await ask('sqlite', columns.sqlite))
})

test('both engines have the same views', async () => {
  const found = await ask('sqlite', views.sqlite)
  expect(found.length).toBeGreaterThan(20)
  expect(await ask('postgres', views.postgres)).toEqual(found)
})

test('both engines have the same indexes, except those meant for one of them', async () => {
  const found = new Map<string, string[]>()
  for (const engine of engines) {
    const all = sorted((await ask(engine, indexes[engine])).filter((row) => !rowidKeys(row)))
    const own = sorted(indexesOfOneEngine[engine])
    expect(all).toEqual(expect.arrayContaining(own))
    found.set(
      engine,
      all.filter((index) => !own.includes(index)),
    )
  }
  expect(found.get('sqlite')!.length).toBeGreaterThan(20)
  expect(found.get('postgres')).toEqual(found.get('sqlite'))
})

test('PostgreSQL ends a charge with a HOT update: the page has space, and no index covers what changes', async () => {
  const indexed = await ask<{ column: string }>(
    'postgres',
    `SELECT DISTINCT a.attname AS "column" FROM pg_index i
      JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass
        AND d.objid = i.indexrelid AND d.refobjid = i.indrelid
      JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = d.refobjsubid
    WHERE i.indrelid = 'charges'::regclass ORDER BY 1`,
  )
  // The key changes only when it is freed.
  expect(indexed.map(({ column }) => column)).toEqual(['idempotency_digest', 'project_id'])
  const [options] = await ask(
    'postgres',
    "SELECT reloptions::text AS set FROM pg_class WHERE oid = 'charges'::regclass",
  )
  expect(options).toEqual({ set: '{fillfactor=50}' })
})

test('no SQLite table accepts a value of the wrong type', async () => {
  const loose = await ask(
    'sqlite',
    `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict = 0
    AND name NOT LIKE 'sqlite_%'`,
  )
  expect(loose).toEqual([])
})

test.each(engines)('text sorts by its bytes on %s', async (engine) => {
  const names = ['b', 'B', 'a', 'Z', '_', '0', 'é', 'A']
  await store(engine).write(async (tx) => {
    for (const name of names)
      await tx.run('INSERT INTO rate_windows (bucket, window_ends_at, used) VALUES ($1, 0, 0)', [name])
  })
  const rows = await ask<{ name: string }>(engine, 'SELECT bucket AS name FROM rate_windows ORDER BY bucket')
  expect(rows.map(({ name }) => name)).toEqual(['0', 'A', 'B', 'Z', '_', 'a', 'b', 'é'])
})

test('every text column of PostgreSQL sorts by bytes, whatever the locale of the server', async () => {
  const others = await ask(
    'postgres',
    `SELECT c.relname || '.' || a.attname AS name FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND c.relname <> 'schema_migrations'
      AND a.atttypid = 'text'::regtype AND a.attcollation <> 'pg_catalog."C"'::regcollation`,
  )
  expect(others).toEqual([])
})

test.each(engines)('a foreign key is enforced on %s', async (engine) => {
  const work = store(engine).write((tx) => tx.run("INSERT INTO balances (project_id) VALUES ('prj_unknown')"))
  await expect(work).rejects.toThrow(/foreign key/i)
})

const entry = (kind: string) =>
  `INSERT INTO ledger_entries (project_id, seq, kind, amount, available, reserved, entered_at)
  VALUES ('prj_none', 1, '${kind}', 1, 0, 0, 1)`

test.each(engines)("%s accepts the ledger's entry kinds and no other", async (engine) => {
  for (const kind of ['credit', 'reserve', 'settle', 'release', 'review', 'grant', 'withdraw']) {
    await expect(store(engine).write((tx) => tx.run(entry(kind)))).rejects.toThrow(/foreign key/i)
  }
  await expect(store(engine).write((tx) => tx.run(entry('gift')))).rejects.toThrow(/check constraint/i)
})
