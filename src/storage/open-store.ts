import { type OpenedEngine, openEngine, StoreMissing, type StoreOptions, storeFile } from './open-engine.ts'
import { postgresDialect } from './postgres/instance-rows.ts'
import type { Dialect, LiveInstance } from './schema/migrate.ts'
import {
  compareSchema,
  instancesBefore,
  knownVersion,
  liveInstances,
  MigrationRefused,
  migrate,
  readRecords,
  refuseTooOld,
} from './schema/migrate.ts'
import type { Migration } from './schema/migrations.ts'
import { migrations as allMigrations } from './schema/migrations.ts'
import { sqliteDialect } from './sqlite/faults.ts'

/** Creates the schema of an empty store, and refuses one that this program cannot serve. */
async function prepareSchema(engine: OpenedEngine, options: StoreOptions): Promise<void> {
  const { migrations = allMigrations, clock, logger, mustExist, exclusive } = options
  const dialect = dialectOf(engine)
  const records = await readRecords(engine, dialect)
  if (records.length === 0) {
    if (mustExist)
      throw new StoreMissing('the database is empty; start the gateway once, or run npm run gateway -- migrate')
    // No gateway serves an empty store, so the first start may set it up.
    await migrate(engine, { dialect, migrations, now: clock })
    return logger.info({ version: knownVersion(migrations) }, 'schema created')
  }
  const schema = compareSchema(records, migrations)
  const { newest, missing, unknown } = schema
  if (missing.length > 0 && engine.kind === 'sqlite' && exclusive) {
    logger.info({ migrations: missing.map(({ name }) => name) }, 'updating the schema; this may take a while')
    const { applied, backup } = await migrateOnSecondEngine(options)
    return logger.info({ migrations: applied.map(({ name }) => name), backup }, 'schema updated')
  }
  refuseTooOld(schema)
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
        instead:
          'PostgreSQL makes its own backups: archive its log and take base backups with pg_basebackup, as docs/recovery.md says',
      }

export const dialectOf = ({ kind }: OpenedEngine): Dialect => (kind === 'sqlite' ? sqliteDialect : postgresDialect)

type MigrateStoreOptions = Omit<StoreOptions, 'exclusive' | 'mustExist' | 'transactionLimitMs'>

/** The steps to run, and the instances that prevent them. */
export interface MigrationPlan {
  /** The newest migration of the store; null if it is empty. */
  readonly at: { readonly version: number; readonly name: string } | null
  readonly due: readonly Migration[]
  readonly instances: readonly LiveInstance[]
  /** The first step that running instances could not serve after. */
  readonly refusal: MigrationRefused | null
}

interface MigrationResult {
  readonly applied: readonly Migration[]
  /** The copy of an embedded store from before; null if there is none. */
  readonly backup: string | null
}

/** Opens a store alone, to plan and run its migrations. */
export async function openMigrator(options: MigrateStoreOptions) {
  const { migrations = allMigrations } = options
  const patient = { ...options, exclusive: true, transactionLimitMs: upgradeLimitMs }
  const engine = await openEngine(patient)
  return {
    plan: async (): Promise<MigrationPlan> => {
      const dialect = dialectOf(engine)
      const records = await readRecords(engine, dialect)
      if (records.length === 0) return { at: null, due: migrations, instances: [], refusal: null }
      const { newest, missing } = compareSchema(records, migrations)
      const instances = await liveInstances(engine, dialect)
      const refused = missing.find((step) => instancesBefore(step, instances).length > 0)
      const refusal = refused ? new MigrationRefused(refused, instancesBefore(refused, instances)) : null
      return { at: { version: newest.version, name: newest.name }, due: missing, instances, refusal }
    },
    run: (onApplied: (migration: Migration) => void) => migrateOpened(engine, patient, onApplied),
    close: () => engine.close(),
  }
}

export type Migrator = Awaited<ReturnType<typeof openMigrator>>

/** Migrates on a second engine, because the one opened for calls limits a transaction's time. */
async function migrateOnSecondEngine(options: StoreOptions): Promise<MigrationResult> {
  const patient = { ...options, exclusive: false, transactionLimitMs: upgradeLimitMs }
  const engine = await openEngine(patient)
  return migrateOpened(engine, patient).finally(() => engine.close())
}

/** A migration may rewrite whole tables, so it gets more time than other transactions. */
const upgradeLimitMs = 3_600_000

async function migrateOpened(
  engine: OpenedEngine,
  options: StoreOptions,
  onApplied?: (migration: Migration) => void,
): Promise<MigrationResult> {
  const { migrations = allMigrations, clock } = options
  const dialect = dialectOf(engine)
  const backup = await backUp(engine, options)
  const applied = await migrate(engine, { dialect, migrations, now: clock, ...(onApplied && { onApplied }) })
  return { applied, backup }
}

/** An embedded store has no standby and no archive: the way back is a copy in the same folder. */
async function backUp(engine: OpenedEngine, options: StoreOptions): Promise<string | null> {
  if (engine.kind !== 'sqlite') return null
  const records = await readRecords(engine, dialectOf(engine))
  if (records.length === 0) return null
  const { migrations = allMigrations, clock } = options
  const { newest, missing } = compareSchema(records, migrations)
  if (missing.length === 0) return null
  const time = new Date(clock()).toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const copy = `${storeFile(options)}.schema-${newest.version}.${time}`
  await engine.backup(copy)
  return copy
}
