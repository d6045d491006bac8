import { type Engine, type Reader, StoreUnusable, type Writer } from '../engine.ts'
import type { EngineKind, Migration } from './migration.ts'

/** What differs between the engines when the schema changes. */
export interface Dialect {
  readonly engine: EngineKind
  /** Statements that lock out other migrating instances until the transaction ends. */
  readonly lock: readonly string[]
  /** The type of 64-bit integers, and the options after a table's columns. */
  readonly types: { readonly bigint: string; readonly tableOptions: string }
}

export interface MigrateOptions {
  readonly dialect: Dialect
  readonly migrations: readonly Migration[]
  readonly now: () => number
}

/** The migrations still to run. Throws `StoreUnusable` if the database has one that this program does not know. */
export function dueMigrations(engine: Engine, { dialect, migrations }: MigrateOptions): Promise<Migration[]> {
  return locked(engine, dialect, async (tx) => {
    await tx.run(migrationsTable(dialect))
    const records = await readRecords(tx)
    refuseUnknown(records, migrations)
    return migrations.filter((migration) => !records.some(({ version }) => version === migration.version))
  })
}

/** Runs the missing migrations, each in its own transaction, and returns them. */
export async function migrate(engine: Engine, options: MigrateOptions): Promise<Migration[]> {
  const { dialect, migrations, now } = options
  const applied: Migration[] = []
  for (const migration of await dueMigrations(engine, options)) {
    const wasApplied = await locked(engine, dialect, async (tx) => {
      // Read again under the lock, because another instance may have run it meanwhile.
      const records = await readRecords(tx)
      refuseUnknown(records, migrations)
      if (records.some(({ version }) => version === migration.version)) return false
      for (const statement of migration.statements(dialect.engine)) await tx.run(statement)
      await tx.run('INSERT INTO schema_migrations (version, name, applied_at, state) VALUES ($1, $2, $3, $4)', [
        migration.version,
        migration.name,
        now(),
        'applied',
      ])
      return true
    })
    if (wasApplied) applied.push(migration)
  }
  return applied
}

const locked = <T>(engine: Engine, { lock }: Dialect, work: (tx: Writer) => Promise<T>): Promise<T> =>
  engine.write(async (tx) => {
    for (const statement of lock) await tx.get(statement)
    return work(tx)
  })

interface MigrationRecord {
  readonly version: number
  readonly name: string
  readonly state: string
}

const migrationsTable = ({ types }: Dialect) => `CREATE TABLE IF NOT EXISTS schema_migrations (
  version INTEGER NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  applied_at ${types.bigint} NOT NULL,
  state TEXT NOT NULL
) ${types.tableOptions}`

const readRecords = (tx: Reader) =>
  tx.all<MigrationRecord>('SELECT version, name, state FROM schema_migrations ORDER BY version')

function refuseUnknown(records: readonly MigrationRecord[], migrations: readonly Migration[]) {
  for (const { version, name, state } of records) {
    const known = migrations.find((migration) => migration.version === version)
    if (state !== 'applied') {
      throw new StoreUnusable(
        `migration ${version} (${name}) is recorded as ${state}: it stopped half-way. Restore a backup, or finish it by hand and set its state to applied`,
      )
    }
    if (!known) {
      throw new StoreUnusable(
        `the database has migration ${version} (${name}), which is newer than this program. Start the newer program`,
      )
    }
    if (known.name !== name) {
      throw new StoreUnusable(
        `migration ${version} of the database is called ${name}, not ${known.name}: the database belongs to another program`,
      )
    }
  }
}
