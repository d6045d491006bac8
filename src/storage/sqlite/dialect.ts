import type { Dialect } from '../schema/migrate.ts'

export const sqliteDialect: Dialect = {
  engine: 'sqlite',
  // A write transaction holds the only lock there is.
  lock: [],
  types: { bigint: 'INTEGER', tableOptions: 'STRICT' },
}
