import { existsSync } from 'node:fs'
import { mkdir, realpath } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Logger } from './engine.ts'
import { StoreUnavailable } from './engine.ts'
import type { PostgresEngine } from './postgres/postgres-engine.ts'
import type { Migration } from './schema/migrations.ts'
import { type EmbeddedEngine, openSqlite } from './sqlite/sqlite-engine.ts'
import { createStoreFile, refuseEmptyFile } from './sqlite/store-files.ts'

export interface StoreOptions {
  /** `sqlite:`, `sqlite:PATH` or `postgres://...`; by default the embedded store in the data directory. */
  readonly databaseUrl: string | undefined
  readonly dataDir: string
  /** False for the command line, which may run alongside a gateway. */
  readonly exclusive: boolean
  /** Throws `StoreMissing` instead of creating an embedded store or a schema. */
  readonly mustExist?: boolean
  /** Nothing is written, so that a server that only reads will do: a standby, or one that is paused at its recovery target. */
  readonly readOnly?: boolean
  /** What the program knows of the schema; replaced in tests. */
  readonly migrations?: readonly Migration[]
  /** How long a transaction may take; longer for work that reads the whole store. */
  readonly transactionLimitMs?: number
  readonly clock: () => number
  readonly logger: Logger
}

export type OpenedEngine = EmbeddedEngine | PostgresEngine

/** Opens the store without looking at its schema. */
export function openEngine(options: StoreOptions): Promise<OpenedEngine> {
  const url = options.databaseUrl ?? 'sqlite:'
  return isServer(url) ? openPostgresAt(url, options) : openSqliteAt(url, options)
}

async function openPostgresAt(url: string, options: StoreOptions) {
  // Imported only here, so that an embedded store starts without loading the driver.
  const { openPostgres, openPostgresToRead } = await import('./postgres/postgres-engine.ts')
  if (options.readOnly) return openPostgresToRead({ url, logger: options.logger, ...limitsOf(options) })
  const memoryFile = { path: join(options.dataDir, 'postgres-servers.json'), createsDirectory: options.exclusive }
  return openPostgres({ url, logger: options.logger, memoryFile, ...limitsOf(options) })
}

async function openSqliteAt(url: string, options: StoreOptions) {
  const { dataDir, exclusive, logger, transactionLimitMs } = options
  const file = embeddedFile(url, dataDir)
  if (options.mustExist && !existsSync(file)) {
    throw new StoreMissing(`there is no store at ${file}; start the gateway once, or set DATABASE_URL to another one`)
  }
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  refuseEmptyFile(file)
  await createStoreFile(file).catch((error) => {
    throw new StoreUnavailable(`${file} cannot be created`, { cause: error })
  })
  // The real path, so that two names of one file share one lock.
  return openSqlite({
    file: await realpath(file),
    exclusive,
    logger,
    ...limitsOf(options),
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
