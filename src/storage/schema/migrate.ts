import { type Engine, type Reader, StoreUnusable, type Writer } from '../engine.ts'
import type { EngineKind, Migration } from './migration.ts'

/** What an engine does in its own way when the schema changes. */
export interface Dialect {
  readonly engine: EngineKind
  /** Statements that let one migrating instance at a time through; held until the transaction ends. */
  readonly lock: readonly string[]
  /** Integers of 64 bits, and what follows the columns of a table. */
  readonly types: { readonly bigint: string; readonly tableOptions: string }
}

export interface MigrateOptions {
  readonly dialect: Dialect
  readonly migrations: readonly Migration[]
  readonly now: () => number
}

/** The steps that the database lacks; refuses one that this program does not understand. */
export function dueMigrations(engine: Engine, { dialect, migrations }: MigrateOptions): Promise<Migration[]> {
  return locked(engine, dialect, async (tx) => {
    await tx.run(recordTable(dialect))
    const records = await recorded(tx)
    refuseForeign(records, migrations)
    return migrations.filter((migration) => !records.some(({ version }) => version === migration.version))
  })
}

/** Brings the schema up to date, one transaction a step, and answers what was left to do. */
export async function migrate(engine: Engine, options: MigrateOptions): Promise<Migration[]> {
  const { dialect, migrations, now } = options
  const applied: Migration[] = []
  for (const migration of await dueMigrations(engine, options)) {
    const wasApplied = await locked(engine, dialect, async (tx) => {
      // Read again under the lock: another instance may have done it meanwhile.
      const records = await recorded(tx)
      refuseForeign(records, migrations)
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

interface Recorded {
  readonly version: number
  readonly name: string
  readonly state: string
}

const recordTable = ({ types }: Dialect) => `CREATE TABLE IF NOT EXISTS schema_migrations (
  version INTEGER NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  applied_at ${types.bigint} NOT NULL,
  state TEXT NOT NULL
) ${types.tableOptions}`

const recorded = (tx: Reader) => tx.all<Recorded>('SELECT version, name, state FROM schema_migrations ORDER BY version')

function refuseForeign(records: readonly Recorded[], migrations: readonly Migration[]) {
  for (const { version, name, state } of records) {
    const known = migrations.find((migration) => migration.version === version)
    if (state !== 'applied') {
      throw new StoreUnusable(
        `migration ${version} (${name}) of the database is recorded as ${state}: it ended half-way. Restore a backup, or finish it by hand and set its state to applied`,
      )
    }
    if (!known) {
      throw new StoreUnusable(
        `the database has migration ${version} (${name}), which this program does not know: it is newer. Start the newer program`,
      )
    }
    if (known.name !== name) {
      throw new StoreUnusable(
        `migration ${version} of the database is called ${name}, not ${known.name}: it belongs to another program`,
      )
    }
  }
}
