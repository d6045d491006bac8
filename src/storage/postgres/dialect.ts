import type { Dialect } from '../schema/migrate.ts'
import { isLockTimeout } from './faults.ts'
import { migrationLock, selectLiveInstances } from './instance-rows.ts'

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
  types: { bigint: 'BIGINT', tableOptions: '' },
  findRecords: "SELECT to_regclass('schema_migrations') IS NOT NULL AS found",
  selectLiveInstances,
  isLockTimeout,
}
