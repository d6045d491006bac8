import { randomBytes } from 'node:crypto'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, inject } from 'vitest'
import type { Engine } from '../../src/storage/engine.ts'
import { openStore } from '../../src/storage/open-store.ts'
import { silent } from './silent.ts'
import { sqliteFileName } from './templates.ts'

export { silent } from './silent.ts'

/** Tests of the store run on both: `describe.each(engines)('... on %s', (engine) => ...)`. */
export const engines = ['sqlite', 'postgres'] as const
export type EngineName = (typeof engines)[number]

/** `npm run test:matrix`: every test on both engines, and the random ones for longer. */
export const isFullMatrix = process.env.TEST_MATRIX === 'full'

/** Tests of what is above the store run on one engine; test/app runs the most important of it on PostgreSQL too. */
export const httpEngines: readonly EngineName[] = isFullMatrix ? engines : ['sqlite']

export interface Database {
  readonly databaseUrl: string
  readonly dataDir: string
  remove(): Promise<void>
}

/** An empty database of its own, and a data directory. */
export const freshDatabase = (engine: EngineName): Promise<Database> =>
  engine === 'sqlite' ? newSqliteDatabase() : newPostgresDatabase()

/** The same with the schema: a copy, which takes a fifth of the time that the migrations take. */
export async function migratedDatabase(engine: EngineName, parent?: string): Promise<Database> {
  const templates = process.env.VITEST ? inject('templates') : undefined
  if (engine === 'postgres') return newPostgresDatabase(templates?.postgres, parent)
  const database = await newSqliteDatabase(parent)
  if (templates) await copyFile(templates.sqlite, join(database.dataDir, sqliteFileName))
  return database
}

/** A copy. The original must be closed. */
export async function copyOf(engine: EngineName, { databaseUrl, dataDir }: Database): Promise<Database> {
  if (engine === 'postgres') return newPostgresDatabase(new URL(databaseUrl).pathname.slice(1))
  const copy = await newSqliteDatabase()
  await copyFile(join(dataDir, sqliteFileName), join(copy.dataDir, sqliteFileName))
  return copy
}

/** On a disk, where the directory for temporary files may be in memory. */
export const onDisk = '/var/tmp'

async function newSqliteDatabase(parent = tmpdir()): Promise<Database> {
  const dataDir = await mkdtemp(join(parent, 'gateway-test-'))
  return { databaseUrl: 'sqlite:', dataDir, remove: () => rm(dataDir, { recursive: true, force: true }) }
}

async function newPostgresDatabase(template = 'template1', parent?: string): Promise<Database> {
  const { dataDir, remove: removeDataDir } = await newSqliteDatabase(parent)
  const name = `test_${randomBytes(8).toString('hex')}`
  // The default strategy writes each page to the log, for seven times the processor time.
  await onServer(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`)
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${name}`
  return {
    databaseUrl: url.href,
    dataDir,
    remove: async () => {
      await onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      await removeDataDir()
    },
  }
}

export type Store = Awaited<ReturnType<typeof openStore>>

export const openDatabase = ({ databaseUrl, dataDir }: Database, { exclusive = true } = {}): Promise<Store> =>
  openStore({ databaseUrl, dataDir, exclusive, clock: () => 1_700_000_000_000, logger: silent })

/** A new migrated store; `remove` closes and deletes it. */
export async function freshStore(
  engine: EngineName,
  parent?: string,
): Promise<{ store: Store; database: Database; remove(): Promise<void> }> {
  const database = await migratedDatabase(engine, parent)
  const store = await openDatabase(database)
  return {
    store,
    database,
    remove: async () => {
      await store.close()
      await database.remove()
    },
  }
}

/** Waits until a store that was down is ready again. */
export async function becomesReady(store: Engine, options?: Parameters<Engine['check']>[0]): Promise<void> {
  const state = () =>
    store.check(options).then(
      () => 'ready',
      (error: Error) => error.name,
    )
  await expect.poll(state, { timeout: 20_000, interval: 20 }).toBe('ready')
}

let administrator: pg.Pool | undefined

/** On one connection for all files of this process: opening one costs as much as creating a database. */
async function onServer(sql: string): Promise<void> {
  administrator ??= new pg.Pool({ connectionString: inject('postgresUrl'), max: 1, allowExitOnIdle: true }).on(
    'error',
    () => {},
  )
  await administrator.query(sql)
}
