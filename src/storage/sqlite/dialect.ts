import type { Dialect } from '../schema/migrate.ts'

export const sqliteDialect: Dialect = {
  engine: 'sqlite',
  // A write transaction already excludes all others.
  lock: [],
  types: { bigint: 'INTEGER', tableOptions: 'STRICT' },
}
