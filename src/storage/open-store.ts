import { dialectOf, migrateBeside } from './migrate-store.ts'
import { type OpenedEngine, openEngine, StoreMissing, type StoreOptions } from './open-engine.ts'
import { compareSchema, knownVersion, migrate, readRecords, refuseTooOld } from './schema/migrate.ts'
import { migrations as allMigrations } from './schema/migrations.ts'

/** Creates the schema of an empty store, and refuses one that this program cannot serve. */
async function prepareSchema(engine: OpenedEngine, options: StoreOptions): Promise<void> {
  const { migrations = allMigrations, clock, logger, mustExist, exclusive } = options
  const dialect = dialectOf(engine)
  const records = await readRecords(engine, dialect)
  if (records.length === 0) {
    if (mustExist)
      throw new StoreMissing('the database is empty; start the gateway once, or run npm run gateway -- migrate')
    // Nobody serves an empty store yet, so the first start may set it up.
    await migrate(engine, { dialect, migrations, now: clock })
    return logger.info({ version: knownVersion(migrations) }, 'schema created')
  }
  const standing = compareSchema(records, migrations)
  const { newest, missing, unknown } = standing
  if (missing.length > 0 && engine.kind === 'sqlite' && exclusive) {
    logger.info({ migrations: missing.map(({ name }) => name) }, 'updating the schema; this may take a while')
    const { applied, backup } = await migrateBeside(options)
    return logger.info({ migrations: applied.map(({ name }) => name), backup }, 'schema updated')
  }
  refuseTooOld(standing)
  const versions = { version: newest.version, known: knownVersion(migrations) }
  if (missing.length > 0) logger.warn(versions, 'the schema is older than this program; run migrate')
  if (unknown.length > 0) logger.warn(versions, 'the schema is newer than this program, which can serve it')
}

export type { OpenedEngine } from './open-engine.ts'

/**
 * Opens the store, and creates the schema of an empty one. Only the start of a gateway on an embedded store migrates an older
 * schema; on PostgreSQL that is what the command `migrate` is for.
 */
export async function openStore(options: StoreOptions): Promise<OpenedEngine> {
  const engine = await openEngine(options)
  try {
    await prepareSchema(engine, options)
    return engine
  } catch (error) {
    await engine.close()
    throw error
  }
}

/** How to back up the store while it is in use: `copyTo`, or the tool that `instead` names. */
export type Backup = { readonly copyTo: (file: string) => Promise<void> } | { readonly instead: string }

export const backupOf = (engine: OpenedEngine): Backup =>
  engine.kind === 'sqlite'
    ? { copyTo: (file) => engine.backup(file) }
    : {
        instead: 'PostgreSQL makes its own backups: run pg_dump --format=custom --file=FILE with the same DATABASE_URL',
      }
