import { dayMs } from '../../../src/base/time.ts'
import { reconcile } from '../../../src/features/records/reconcile/reconcile.ts'
import type { Reader } from '../../../src/storage/engine.ts'
import type { Migration } from '../../../src/storage/schema/migrations.ts'
import { Connection } from '../../../src/storage/sqlite/connection.ts'

/**
 * Takes the remaining steps on a copy of the store as it is now, with whatever is open in it. Each must keep every row, and after
 * the last one the books must balance. Returns what is wrong.
 */
export async function findStepFault(
  store: Uint8Array,
  remaining: readonly Migration[],
  now: number,
): Promise<string | null> {
  const db = new Connection(':memory:', { busyTimeoutMs: 0, readOnly: false })
  try {
    db.database.deserialize(store)
    const before = readTables(db)
    for (const step of remaining) {
      const damage = takeStep(db, step) ?? findDamage(db, before)
      if (damage !== null) return `migration ${step.version} (${step.name}) ${damage}`
    }
    // Older responses may be pruned.
    const reader: Reader = {
      all: async (sql, params) => db.all(sql, params),
      get: async (sql, params) => db.get(sql, params),
    }
    const { differences } = await reconcile({ read: (work) => work(reader) }, { resultsKeptSince: now - 30 * dayMs })
    return differences.length === 0 ? null : `reconcile after all migrations: ${JSON.stringify(differences[0])}`
  } finally {
    db.close()
  }
}

function takeStep(db: Connection, { statements }: Migration): string | null {
  try {
    for (const statement of ['BEGIN', ...statements('sqlite'), 'COMMIT']) db.exec(statement)
    return null
  } catch (error) {
    return `failed: ${error}`
  }
}

/** The rows of each table, in the columns that it had. */
type Tables = ReadonlyMap<string, { readonly columns: string; readonly rows: string }>

function readTables(db: Connection): Tables {
  const names = db.all<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
  )
  return new Map(
    names.map(({ name }) => {
      const columns = db
        .all<{ name: string }>(`SELECT name FROM pragma_table_info('${name}') ORDER BY cid`)
        .map((column) => column.name)
        .join(', ')
      return [name, { columns, rows: readRows(db, name, columns) }]
    }),
  )
}

const readRows = (db: Connection, table: string, columns: string): string =>
  JSON.stringify(db.all(`SELECT ${columns} FROM ${table} ORDER BY ${columns}`))

function findDamage(db: Connection, before: Tables): string | null {
  for (const [name, { columns, rows }] of before)
    if (readRows(db, name, columns) !== rows) return `changed rows of ${name}`
  const [orphan] = db.all<{ table: string }>('PRAGMA foreign_key_check')
  if (orphan) return `left a row of ${orphan.table} without the one it refers to`
  const { integrity_check: verdict } = db.get<{ integrity_check: string }>('PRAGMA integrity_check')!
  return verdict === 'ok' ? null : `left a damaged store: ${verdict}`
}
