import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Row } from '../../src/storage/engine.ts'
import { ending } from '../../testkit/store/commands.ts'
import { engines, freshStore } from '../../testkit/store/engines.ts'
import { addCredits, admissionOf, createCustomer, createRig } from '../../testkit/store/rig.ts'

const foreignKeys = {
  sqlite: `SELECT t.name AS "table", f."from" AS "column", f."table" AS target
    FROM sqlite_master t JOIN pragma_foreign_key_list(t.name) f WHERE t.type = 'table'`,
  postgres: `SELECT t.relname AS "table", a.attname AS "column", f.relname AS target
    FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid JOIN pg_class f ON f.oid = c.confrelid
    JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = c.conkey[1] WHERE c.contype = 'f'`,
}

type Opened = Awaited<ReturnType<typeof freshStore>>
const opened = new Map<string, Opened>()

beforeAll(async () => {
  for (const engine of engines) {
    const fresh = await freshStore(engine)
    opened.set(engine, fresh)
    const rig = createRig(fresh.store)
    const customer = await createCustomer(rig)
    await addCredits(rig, customer.projectId, 100)
    const admission = admissionOf(rig, customer)
    await rig.ledger.admit(admission)
    await rig.ledger.end(ending({ chargeId: admission.chargeId, projectId: customer.projectId, at: rig.clock() }))
  }
})
afterAll(async () => {
  for (const fresh of opened.values()) await fresh.remove()
})

const ask = (engine: string, sql: string) => opened.get(engine)!.store.read((tx) => tx.all(sql))
const run = (engine: string, sql: string, params: (string | number | null)[] = []) =>
  opened.get(engine)!.store.write((tx) => tx.run(sql, params))

/** PostgreSQL enforces these by triggers; SQLite by foreign keys, like all others. */
const heldByTriggers = [
  { table: 'charges', column: 'project_id', target: 'projects' },
  { table: 'charges', column: 'key_id', target: 'api_keys' },
  { table: 'charge_responses', column: 'charge_id', target: 'charges' },
  { table: 'ledger_entries', column: 'project_id', target: 'projects' },
  { table: 'ledger_entries', column: 'charge_id', target: 'charges' },
  { table: 'ledger_entries', column: 'lot_id', target: 'credit_lots' },
]
const parents = { projects: 'project_id', api_keys: 'key_id', charges: 'charge_id', credit_lots: 'lot_id' }

test('both engines have the same references', async () => {
  const sorted = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort()
  const found = sorted(await ask('sqlite', foreignKeys.sqlite))
  expect(found.length).toBeGreaterThan(10)
  expect(sorted([...(await ask('postgres', foreignKeys.postgres)), ...heldByTriggers])).toEqual(found)
})

describe.each(engines)('on %s', (engine) => {
  let rows = 0
  /** A copy of an existing row with its own key. */
  async function another(table: string, changes: Row): Promise<Row> {
    rows += 1
    const [like] = await ask(engine, `SELECT * FROM ${table}`)
    const own = {
      charges: { charge_id: `chg_${rows}`, idempotency_digest: null },
      ledger_entries: { entry_id: 1_000_000 + rows, previous_id: 1, seq: 1000 + rows },
      charge_responses: {},
    }[table]
    return { ...like, ...own, ...changes }
  }
  const insert = (table: string, many: readonly Row[]) => {
    const columns = Object.keys(many[0]!)
    const tuples = many.map((_, at) => `(${columns.map((_, place) => `$${at * columns.length + place + 1}`)})`)
    return run(engine, `INSERT INTO ${table} (${columns}) VALUES ${tuples}`, many.flatMap(Object.values))
  }

  test.each(heldByTriggers)('$table.$column must refer to a row of $target', async ({ table, column }) => {
    const unknown = await another(table, { [column]: 'unknown' })
    await expect(insert(table, [unknown])).rejects.toThrow(/foreign key/i)
    await expect(run(engine, `UPDATE ${table} SET ${column} = 'unknown'`)).rejects.toThrow(/foreign key/i)
    if (table === 'charge_responses') return
    const known = await another(table, {})
    await expect(insert(table, [known, await another(table, { [column]: 'unknown' })])).rejects.toThrow(/foreign key/i)
    await insert(table, [known])
    if (table === 'ledger_entries') await insert(table, [await another(table, { charge_id: null, lot_id: null })])
  })

  test('a response can be stored for a charge that the same transaction reserved', async () => {
    const charge = await another('charges', {})
    await opened.get(engine)!.store.write(async (tx) => {
      const columns = Object.keys(charge)
      const places = columns.map((_, place) => `$${place + 1}`)
      await tx.run(`INSERT INTO charges (${columns}) VALUES (${places})`, Object.values(charge))
      await tx.run("INSERT INTO charge_responses (charge_id, status, body, stored_at) VALUES ($1, 200, '{}', 1)", [
        charge.charge_id!,
      ])
    })
    const deleted = await run(engine, 'DELETE FROM charge_responses WHERE charge_id = $1', [charge.charge_id!])
    expect(deleted).toBe(1)
  })

  test.each(Object.entries(parents))(
    'no row of %s that others refer to can be deleted or renamed',
    async (table, id) => {
      await expect(run(engine, `DELETE FROM ${table}`)).rejects.toThrow(/foreign key/i)
      await expect(run(engine, `UPDATE ${table} SET ${id} = ${id} || '?'`)).rejects.toThrow(/foreign key/i)
      await run(engine, `UPDATE ${table} SET ${id} = ${id}`)
    },
  )
})

test.each(Object.keys(parents))('%s cannot be truncated on PostgreSQL', async (table) => {
  await expect(run('postgres', `TRUNCATE ${table} CASCADE`)).rejects.toThrow(/foreign key/i)
})

test('on PostgreSQL a new row must belong to the project of the row it refers to', async () => {
  const { projectId } = await createCustomer(createRig(opened.get('postgres')!.store))
  const charge = `INSERT INTO charges (charge_id, project_id, key_id, operation, credits, pricing_version, state, fingerprint,
      isolation_version, leaves_process, instance_id, request_id, reserved_at)
    SELECT 'chg_stray', $1, key_id, operation, credits, pricing_version, 'reserved', fingerprint, isolation_version,
      leaves_process, instance_id, request_id, reserved_at FROM charges LIMIT 1`
  await expect(run('postgres', charge, [projectId])).rejects.toThrow(/foreign key/i)
  const entryOf = (
    column: string,
  ) => `INSERT INTO ledger_entries (previous_id, project_id, seq, kind, amount, available,
      reserved, ${column}, entered_at)
    SELECT 1, $1, 2, kind, amount, available, reserved, ${column}, entered_at FROM ledger_entries
    WHERE ${column} IS NOT NULL LIMIT 1`
  for (const column of ['charge_id', 'lot_id']) {
    await expect(run('postgres', entryOf(column), [projectId])).rejects.toThrow(/foreign key/i)
  }
})
