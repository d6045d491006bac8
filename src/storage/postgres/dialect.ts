import type { Dialect } from '../migrations/migrate.ts'
import { rewriteSql } from '../sql-text.ts'

export const postgresDialect: Dialect = {
  engine: 'postgres',
  lock: [
    // Instances that start together wait for the one that migrates, longer than any other lock is waited for.
    "SET LOCAL lock_timeout = '60s'",
    // A step that rewrites a large table takes its time; how long, the transaction's own limit says.
    'SET LOCAL statement_timeout = 0',
    'SELECT pg_advisory_xact_lock(7235121437)',
  ],
  /** Text sorts by its bytes, as in SQLite: a locale would order ids differently and change with the system's library. */
  ddl: (statement) =>
    /^\s*(CREATE|ALTER)\s+TABLE\b/i.test(statement)
      ? rewriteSql(statement, /\bTEXT\b/gi, () => 'TEXT COLLATE "C"')
      : statement,
}
