import type { Dialect } from '../schema/migrate.ts'

export const postgresDialect: Dialect = {
  engine: 'postgres',
  lock: [
    // Instances that start together wait for the one that migrates, longer than any other lock is waited for.
    "SET LOCAL lock_timeout = '60s'",
    // A step that rewrites a large table takes its time; how long, the transaction's own limit says.
    'SET LOCAL statement_timeout = 0',
    'SELECT pg_advisory_xact_lock(7235121437)',
  ],
  types: { bigint: 'BIGINT', tableOptions: '' },
}
