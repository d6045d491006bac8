import type { Dialect } from '../schema/migrate.ts'

export const postgresDialect: Dialect = {
  engine: 'postgres',
  lock: [
    // Instances that start together wait for the one that migrates, so this timeout is longer than usual.
    "SET LOCAL lock_timeout = '60s'",
    // A migration may rewrite a large table; the transaction limit still applies.
    'SET LOCAL statement_timeout = 0',
    'SELECT pg_advisory_xact_lock(7235121437)',
  ],
  types: { bigint: 'BIGINT', tableOptions: '' },
}
