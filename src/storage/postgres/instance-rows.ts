import { type Reader, StoreUnavailable, type Writer } from '../engine.ts'
import { type Dialect, knownVersion, neededVersion, tooNew } from '../schema/migrate.ts'
import type { Migration } from '../schema/migrations.ts'
import { databaseMs } from '../sql-text.ts'
import { isLockTimeout } from './faults.ts'

/** The advisory lock of migrations: exclusive for a migration, shared for an instance that starts. */
export const migrationLock = 7235121437

/** How long an instance may be silent before others recover its charges. */
export const leaseLengthMs = 15_000

/** Timed by the clock of the database. */
export function instanceSql(kind: 'sqlite' | 'postgres') {
  const now = databaseMs[kind]
  return {
    selectLive: `SELECT instance_id AS "instanceId", started_at AS "startedAt", process,
        known_version AS "knownVersion", needed_version AS "neededVersion"
      FROM instances WHERE lease_until > ${now} ORDER BY started_at, instance_id`,
    /** An instance without a row counts as dead, so expired rows are not needed. */
    deleteOld: `DELETE FROM instances WHERE lease_until < ${now} - 86400000`,
    renew: `INSERT INTO instances (instance_id, started_at, lease_until, process, known_version, needed_version)
      VALUES ($1, ${now}, ${now} + $2, $3, $4, $5)
      ON CONFLICT (instance_id) DO UPDATE SET lease_until = excluded.lease_until, process = excluded.process,
        known_version = excluded.known_version, needed_version = excluded.needed_version`,
  }
}

export interface LeaseRow {
  readonly instanceId: string
  readonly leaseMs: number
  /** Host name and process id. */
  readonly process: string
  /** What the program knows of the schema. */
  readonly migrations: readonly Migration[]
}

/** Rejects if the schema has moved past what this program can serve. */
export async function renewLease(tx: Writer, row: LeaseRow, renew: string): Promise<void> {
  const { instanceId, leaseMs, process, migrations } = row
  const schema = (await tx.get<SchemaRow>(selectSchema))!
  const known = knownVersion(migrations)
  if (schema.compatibleFrom > known) throw tooNew(schema, known)
  await tx.run(renew, [instanceId, leaseMs, process, known, neededVersion(migrations)])
}

/** Keeps migrations out until the transaction ends. Rejects if one is running. */
export async function refuseDuringMigration(tx: Reader): Promise<void> {
  const lock = await tx.get<{ free: number }>(`SELECT pg_try_advisory_xact_lock_shared(${migrationLock}) AS free`)
  if (lock?.free !== 1) throw new MigrationRunning('a migration is running; start again when it is done')
}

export class MigrationRunning extends StoreUnavailable {}

interface SchemaRow {
  readonly version: number
  readonly name: string
  readonly compatibleFrom: number
}

/** The migration that asks most of a program. */
const selectSchema = `SELECT version, name, compatible_from AS "compatibleFrom"
  FROM schema_migrations ORDER BY compatible_from DESC, version DESC LIMIT 1`

export const postgresDialect: Dialect = {
  engine: 'postgres',
  lock: [
    // Programs that start together wait for the one that migrates, so this timeout is longer than usual.
    "SET LOCAL lock_timeout = '60s'",
    // A migration may rewrite a large table; the transaction limit still applies.
    'SET LOCAL statement_timeout = 0',
    `SELECT pg_advisory_xact_lock(${migrationLock})`,
    // Calls wait behind a migration that waits for a table; they give up after 5 seconds.
    "SET LOCAL lock_timeout = '2s'",
  ],
  findRecords: "SELECT to_regclass('schema_migrations') IS NOT NULL AS found",
  selectLiveInstances: instanceSql('postgres').selectLive,
  isLockTimeout,
}
