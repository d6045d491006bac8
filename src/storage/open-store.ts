import { existsSync } from 'node:fs'
import { mkdir, open, realpath } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { StoreUnavailable } from './engine.ts'
import type { Logger } from './logger.ts'
import { postgresDialect } from './postgres/dialect.ts'
import type { PostgresEngine } from './postgres/postgres-engine.ts'
import { dueMigrations, migrate } from './schema/migrate.ts'
import { migrations } from './schema/migrations.ts'
import { sqliteDialect } from './sqlite/dialect.ts'
import { openSqlite, type SqliteEngine } from './sqlite/sqlite-engine.ts'
import { refuseEmptyFileWithLog } from './sqlite/store-files.ts'

export interface StoreOptions {
  /** `sqlite:`, `sqlite:PATH` or `postgres://...`; by default the embedded store in the data directory. */
  readonly databaseUrl: string | undefined
  readonly dataDir: string
  /** False for the command line, which may run beside a gateway. */
  readonly exclusive: boolean
  /** Throws `StoreMissing` instead of creating an embedded store. */
  readonly mustExist?: boolean
  /** How long a transaction may take; longer for work that reads the whole store. */
  readonly transactionLimitMs?: number
  readonly clock: () => number
  readonly logger: Logger
}

export type OpenedEngine = SqliteEngine | PostgresEngine

/** Opens the store and runs the missing migrations. */
export async function openStore(options: StoreOptions): Promise<OpenedEngine> {
  const engine = await openEngine(options)
  try {
    await runMigrations(engine, options)
    return engine
  } catch (error) {
    await engine.close()
    throw error
  }
}

function openEngine(options: StoreOptions): Promise<OpenedEngine> {
  const url = options.databaseUrl ?? 'sqlite:'
  return isServer(url) ? openPostgresAt(url, options) : openSqliteAt(url, options)
}

/** A migration may rewrite whole tables, so it gets more time than other transactions. */
const upgradeLimitMs = 3_600_000

async function runMigrations(engine: OpenedEngine, options: StoreOptions): Promise<void> {
  const { clock, logger } = options
  const steps = { dialect: engine.kind === 'sqlite' ? sqliteDialect : postgresDialect, migrations, now: clock }
  const names = (await dueMigrations(engine, steps)).map(({ name }) => name)
  if (names.length === 0) return
  if (names.length === migrations.length) {
    await migrate(engine, steps)
  } else {
    logger.info({ migrations: names }, 'updating the schema; this may take a while')
    const patient = await openEngine({ ...options, exclusive: false, transactionLimitMs: upgradeLimitMs })
    await migrate(patient, steps).finally(() => patient.close())
  }
  logger.info({ migrations: names }, 'schema updated')
}

async function openPostgresAt(url: string, options: StoreOptions) {
  // Imported only here, so that an embedded store starts without loading the driver.
  const { openPostgres } = await import('./postgres/postgres-engine.ts')
  return openPostgres({ url, logger: options.logger, ...limitsOf(options) })
}

async function openSqliteAt(url: string, options: StoreOptions) {
  const { dataDir, exclusive, logger, transactionLimitMs } = options
  const file = embeddedFile(url, dataDir)
  if (options.mustExist && !existsSync(file)) {
    throw new StoreMissing(`there is no store at ${file}; start the gateway once, or set DATABASE_URL to another one`)
  }
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  refuseEmptyFileWithLog(file)
  await createPrivately(file)
  // The real path, so that two names of one file share one lock.
  return openSqlite({
    ...{ file: await realpath(file), exclusive, logger, ...limitsOf(options) },
    // A single statement may take as long as the transaction.
    ...(transactionLimitMs !== undefined && { responseLimitMs: transactionLimitMs + 30_000 }),
  })
}

/** The file of the embedded store; null for PostgreSQL. */
export const storeFile = ({ databaseUrl = 'sqlite:', dataDir }: Pick<StoreOptions, 'databaseUrl' | 'dataDir'>) =>
  isServer(databaseUrl) ? null : embeddedFile(databaseUrl, dataDir)

const isServer = (url: string) => /^postgres(ql)?:\/\//.test(url)

function embeddedFile(url: string, dataDir: string): string {
  const path = url.slice('sqlite:'.length)
  return path === '' ? join(dataDir, 'gateway.sqlite') : resolve(path)
}

const limitsOf = ({ transactionLimitMs }: StoreOptions) =>
  transactionLimitMs === undefined ? {} : { transactionLimitMs, statementLimitMs: transactionLimitMs }

export class StoreMissing extends StoreUnavailable {}

/** Does not open an existing file, because closing it would drop this process's SQLite locks. */
async function createPrivately(file: string) {
  try {
    await (await open(file, 'wx', 0o600)).close()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw storeFault(error, file)
  }
}

const storeFault = (cause: unknown, file: string) => new StoreUnavailable(`${file} cannot be created`, { cause })
