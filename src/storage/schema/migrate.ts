import { delay } from '../../base/timers.ts'
import { type Engine, type Reader, StoreUnusable, type Writer } from '../engine.ts'
import type { Migration } from './migrations.ts'
import { type EngineKind, statementsFor } from './sql-dialects.ts'

/** A migration as the store has recorded it. */
interface MigrationRecord {
  readonly version: number
  readonly name: string
  readonly state: string
  /** Programs that know this version or a newer one can serve the store. */
  readonly compatibleFrom: number
}

interface SchemaComparison {
  readonly newest: MigrationRecord
  /** Migrations of the program that the store does not have. */
  readonly missing: readonly Migration[]
  /** Migrations of the store that the program does not know, but is compatible with. */
  readonly unknown: readonly MigrationRecord[]
}

/** What the program knows of the store's schema. Throws `StoreUnusable` if it cannot even migrate it. */
export function compareSchema(records: readonly MigrationRecord[], migrations: readonly Migration[]): SchemaComparison {
  for (const { version, name, state } of records) {
    const known = migrations.find((migration) => migration.version === version)
    if (state !== 'applied') {
      throw new StoreUnusable(
        `migration ${version} (${name}) is recorded as ${state}: it stopped half-way. Restore a backup, or finish it by hand and set its state to applied`,
      )
    }
    if (known && known.name !== name) {
      throw new StoreUnusable(
        `migration ${version} of the database is called ${name}, not ${known.name}: the database belongs to another program. Set DATABASE_URL to an empty database or to a store of this gateway`,
      )
    }
  }
  const unknown = records.filter(({ version }) => !migrations.some((migration) => migration.version === version))
  const breaking = unknown.find((record) => record.compatibleFrom > knownVersion(migrations))
  if (breaking) throw tooNew(breaking, knownVersion(migrations))
  const missing = migrations.filter(({ version }) => !records.some((record) => record.version === version))
  return { newest: records.at(-1)!, missing, unknown }
}

/** First migrations of the builds before 0.2.0. None was released, and 0.2.0 has another schema. */
const previews: readonly unknown[] = ['foundation', 'baseline', 'gateway-0.2']

/** Throws `StoreUnusable` if a store whose first migration has this name is one of a build before 0.2.0. */
export function refusePreview(firstMigration: string | undefined): void {
  if (!previews.includes(firstMigration)) return
  throw new StoreUnusable(
    `this store was set up by a build before 0.2.0 (its first migration is called ${firstMigration}), which this program cannot open: export it with the last build before 0.2.0, import the file into an empty store with 0.2.0, and open that store with this program. See docs/operations.md`,
  )
}

/** Throws `StoreUnusable` if the program cannot serve without a migration that the store does not have. */
export function refuseTooOld({ newest, missing }: SchemaComparison): void {
  const required = missing.findLast(({ isRequired }) => isRequired)
  if (!required) return
  throw new StoreUnusable(
    `the schema is at version ${newest.version} (${newest.name}), and this program needs version ${required.version} (${required.name}): run npm run gateway -- migrate`,
  )
}

/** The newest migration that a program knows, and the newest that it needs. */
export const knownVersion = (migrations: readonly Migration[]): number => migrations.at(-1)!.version
export const neededVersion = (migrations: readonly Migration[]): number =>
  migrations.findLast(({ isRequired }) => isRequired)!.version

export const tooNew = ({ version, name }: Pick<MigrationRecord, 'version' | 'name'>, known: number): StoreUnusable =>
  new StoreUnusable(
    `the database has migration ${version} (${name}), which is too new for this program: it knows version ${known}. Start the newer program; migrate cannot go back`,
  )

/** What differs between the engines when the schema changes. */
export interface Dialect {
  readonly engine: EngineKind
  /** Statements that lock out other migrating programs until the transaction ends. */
  readonly lock: readonly string[]
  /** Whether the store has recorded migrations: one row with `found`. */
  readonly findRecords: string
  /** The instances that hold a lease; null if the engine allows only one. */
  readonly selectLiveInstances: string | null
  /** Whether a statement waited too long for another session's lock. */
  readonly isLockTimeout: (error: unknown) => boolean
}

export interface LiveInstance {
  readonly instanceId: string
  readonly startedAt: number
  /** Host name and process id. */
  readonly process: string
  readonly knownVersion: number
  readonly neededVersion: number
}

interface MigrateOptions {
  readonly dialect: Dialect
  readonly migrations: readonly Migration[]
  readonly now: () => number
  readonly onApplied?: (migration: Migration) => void
  /** How long to wait before a table is tried again that was locked. */
  readonly lockPauseMs?: number
}

/** The migrations that the store has; none if it is empty. */
export const readRecords = (engine: Pick<Engine, 'read'>, dialect: Dialect): Promise<MigrationRecord[]> =>
  engine.read((tx) => recordsOf(tx, dialect))

/** Runs the missing migrations, each in its own transaction, and returns them. An empty store gets all of them in one. */
export async function migrate(engine: Engine, options: MigrateOptions): Promise<Migration[]> {
  const applied: Migration[] = []
  for (;;) {
    const steps = await retryWhileLocked(options, () => locked(engine, options.dialect, (tx) => runNext(tx, options)))
    if (steps.length === 0) return applied
    for (const step of steps) options.onApplied?.(step)
    applied.push(...steps)
  }
}

export const liveInstances = (engine: Pick<Engine, 'read'>, dialect: Dialect): Promise<LiveInstance[]> =>
  engine.read((tx) => liveInstancesOf(tx, dialect))

/** A step after which an instance could not serve is refused as long as that instance runs. */
export class MigrationRefused extends StoreUnusable {
  readonly step: Migration
  readonly instances: readonly LiveInstance[]

  constructor(step: Migration, instances: readonly LiveInstance[]) {
    const names = instances.map(
      ({ instanceId, process, knownVersion }) => `${instanceId} (${process}, knows version ${knownVersion})`,
    )
    super(
      `migration ${step.version} (${step.name}) needs every gateway to know version ${step.compatibleFrom}; still running: ${names.join(', ')}. Stop or upgrade them, then run migrate again`,
    )
    this.step = step
    this.instances = instances
  }
}

/** The instances that could not serve after a step. */
export const instancesBefore = (step: Migration, instances: readonly LiveInstance[]): LiveInstance[] =>
  instances.filter(({ knownVersion }) => knownVersion < step.compatibleFrom)

/** Runs what is due next. Reads everything again under the lock, because another program may have migrated before it. */
async function runNext(tx: Writer, { dialect, migrations, now }: MigrateOptions): Promise<readonly Migration[]> {
  const records = await recordsOf(tx, dialect)
  if (records.length === 0)
    for (const statement of statementsFor(dialect.engine, createRecords)) await tx.run(statement)
  const { missing } = compareSchema(records, migrations)
  const steps = records.length === 0 ? migrations : missing.slice(0, 1)
  for (const step of steps) {
    const unfit = records.length === 0 ? [] : instancesBefore(step, await liveInstancesOf(tx, dialect))
    if (unfit.length > 0) throw new MigrationRefused(step, unfit)
    for (const statement of step.statements(dialect.engine)) await tx.run(statement)
    await insertRecord(tx, step, now())
  }
  return steps
}

const insertRecord = (tx: Writer, { version, name, compatibleFrom }: Migration, at: number): Promise<number> =>
  tx.run(
    `INSERT INTO schema_migrations (version, name, applied_at, state, compatible_from) VALUES ($1, $2, $3, 'applied', $4)`,
    [version, name, at, compatibleFrom],
  )

async function recordsOf(tx: Reader, { findRecords }: Dialect): Promise<MigrationRecord[]> {
  const found = await tx.get<{ found: number }>(findRecords)
  if (found?.found !== 1) return []
  const first = await tx.get<{ name: string }>('SELECT name FROM schema_migrations WHERE version = 1')
  // First, because the oldest stores lack a column.
  refusePreview(first?.name)
  return tx.all<MigrationRecord>(
    'SELECT version, name, state, compatible_from AS "compatibleFrom" FROM schema_migrations ORDER BY version',
  )
}

const liveInstancesOf = async (tx: Reader, { selectLiveInstances }: Dialect): Promise<LiveInstance[]> =>
  selectLiveInstances === null ? [] : tx.all<LiveInstance>(selectLiveInstances)

const locked = <T>(engine: Engine, { lock }: Dialect, work: (tx: Writer) => Promise<T>): Promise<T> =>
  engine.write(async (tx) => {
    for (const statement of lock) await tx.get(statement)
    return work(tx)
  })

const maxLockWaits = 30

/** A statement that waits for a table holds up everyone behind it, so it waits briefly and tries again. */
async function retryWhileLocked<T>(options: MigrateOptions, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!options.dialect.isLockTimeout(error) || attempt === maxLockWaits) throw error
      await delay(options.lockPauseMs ?? 1000)
    }
  }
}

const createRecords = `CREATE TABLE IF NOT EXISTS schema_migrations (
  version INTEGER NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  applied_at BIGINT NOT NULL,
  state TEXT NOT NULL,
  compatible_from INTEGER NOT NULL
) STRICT`
