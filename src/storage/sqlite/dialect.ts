import type { Dialect } from '../schema/migrate.ts'

export const sqliteDialect: Dialect = {
  engine: 'sqlite',
  // A write transaction already excludes all others.
  lock: [],
  types: { bigint: 'INTEGER', tableOptions: 'STRICT' },
  findRecords: "SELECT count(*) AS found FROM sqlite_master WHERE type = 'table' AND name = 'schema_migrations'",
  // The instance lock allows only one gateway.
  selectLiveInstances: null,
  isLockTimeout: () => false,
}
