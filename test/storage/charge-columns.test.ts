import { describe, expect, test } from 'vitest'
import { chargeColumns, chargeMigration, chargeRowWrites, openCharge } from '../../src/storage/charge-columns.ts'
import { rowMapper, sqlOf } from '../../src/storage/row-mapper.ts'
import { equals, listFilter, namedStatement } from '../../src/storage/sql-text.ts'
import { engines, freshStore } from '../../testkit/store/engines.ts'

const columnsOf = {
  sqlite: (table: string) => `SELECT name FROM pragma_table_info('${table}')`,
  postgres: (table: string) => `SELECT column_name AS name FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name = '${table}'`,
}

describe.each(engines)('the list of columns on %s', (engine) => {
  test('the list of columns has every column of a charge, and looks up what a view of open charges lacks', async () => {
    const { store, remove } = await freshStore(engine)
    try {
      const names = async (table: string) =>
        (await store.read((tx) => tx.all<{ name: string }>(columnsOf[engine](table)))).map(({ name }) => name).sort()
      expect(await names('charges')).toEqual(Object.values(sqlOf(chargeColumns)).sort())
      const inView = Object.values(sqlOf(openCharge('c'))).flatMap((sql) => /^c\.(\w+)$/.exec(sql)?.[1] ?? [])
      for (const view of ['reviewable_charges', 'reserved_charges']) {
        expect(await names(view)).toEqual(inView.sort())
        expect(await store.read((tx) => rowMapper(`${view} c`, openCharge('c')).all(tx))).toEqual([])
      }
    } finally {
      await remove()
    }
  })
})

test('a column of a later version gets a migration, and a new version of each row type that has it', () => {
  const columns = { ...chargeColumns, note: { type: 'text', since: 99, end: () => null } } as const
  const fields = Object.entries(chargeRowWrites.charge_end.columns).map(([name, { type }]) => `${name} ${type}`)
  expect(chargeMigration(99, columns)).toBe(
    `ALTER TABLE charges ADD COLUMN note TEXT;\n\n-- @postgres\nCREATE TYPE charge_end_row_v99 AS (${fields.join(', ')}, note text)`,
  )
  expect(chargeMigration(98, columns)).toBe('')
})

test('a filter numbers its placeholders after the values of the statement, and passes an absent value as any', () => {
  const filter = listFilter<{ readonly kind?: string; readonly since: number }>({
    kind: equals('e.kind'),
    since: (at) => `e.at >= ${at}`,
  })
  const { sql, values } = namedStatement(
    ['limit', ...filter.names],
    ({ limit, ...given }) => `WHERE ${filter.condition(given)} LIMIT ${limit}`,
    4,
  )
  expect(sql).toBe("WHERE ($5 = '' OR e.kind = $5) AND e.at >= $6 LIMIT $4")
  expect(values({ limit: 10, ...filter.values({ since: 7 }) })).toEqual([10, '', 7])
  expect(values({ limit: 10, ...filter.values({ kind: 'grant', since: 7 }) })).toEqual([10, 'grant', 7])
})
