import { existsSync } from 'node:fs'
import { mkdir, open, realpath } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { StoreUnavailable } from './engine.ts'
import type { Logger } from './logger.ts'
import { migrations } from './migrations/index.ts'
import { migrate } from './migrations/migrate.ts'
import { postgresDialect } from './postgres/dialect.ts'
import type { PostgresEngine } from './postgres/postgres-engine.ts'
import { sqliteDialect } from './sqlite/dialect.ts'
import { openSqlite, type SqliteEngine } from './sqlite/sqlite-engine.ts'

export interface StoreOptions {
  /** `sqlite:`, `sqlite:PATH` or `postgres://...`; undefined means the embedded store in the data directory. */
  readonly databaseUrl: string | undefined
  readonly dataDir: string
  /** False for the command line, which works beside a running gateway. */
  readonly exclusive: boolean
  /** True where an empty store would be taken for the real one: an embedded store is then not created. */
  readonly mustExist?: boolean
  /** How long a transaction may take; longer for work that reads the whole store at one moment. */
  readonly transactionLimitMs?: number
  readonly clock: () => number
  readonly logger: Logger
}

/** Opens the store that the URL names and brings its schema up to date. */
export async function openStore(options: StoreOptions): Promise<SqliteEngine | PostgresEngine> {
  const url = options.databaseUrl ?? 'sqlite:'
  const engine = isServer(url) ? await openPostgresAt(url, options) : await openSqliteAt(url, options)
  try {
    const dialect = engine.kind === 'sqlite' ? sqliteDialect : postgresDialect
    const applied = await migrate(engine, { dialect, migrations, now: options.clock })
    if (applied.length > 0)
      options.logger.info({ migrations: applied.map(({ name }) => name) }, 'schema brought up to date')
    return engine
  } catch (error) {
    await engine.close()
    throw error
  }
}

async function openPostgresAt(url: string, options: StoreOptions) {
  // Its driver is loaded only where it is used: an embedded store starts without it.
  const { openPostgres } = await import('./postgres/postgres-engine.ts')
  return openPostgres({ url, logger: options.logger, ...limitsOf(options) })
}

async function openSqliteAt(url: string, options: StoreOptions) {
  const { dataDir, exclusive, logger } = options
  const file = embeddedFile(url, dataDir)
  if (options.mustExist && !existsSync(file)) {
    throw new StoreMissing(`there is no store at ${file}; start the gateway once, or name another one in DATABASE_URL`)
  }
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await createPrivately(file)
  // By its real path, so that two names of one file share one lock.
  return openSqlite({ file: await realpath(file), exclusive, logger, ...limitsOf(options) })
}

/** Where the store is kept; null when a server keeps it. */
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

/** An existing file is not even opened: closing it again would drop SQLite's locks on it in this process. */
async function createPrivately(file: string) {
  try {
    await (await open(file, 'wx', 0o600)).close()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw storeFault(error, file)
  }
}

const storeFault = (cause: unknown, file: string) => new StoreUnavailable(`${file} cannot be created`, { cause })
