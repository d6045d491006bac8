import type { Dialect } from '../migrations/migrate.ts'
import { rewriteSql } from '../sql-text.ts'

/** Tables are written in PostgreSQL's words; SQLite's strict tables know INTEGER only, which holds 64 bits there. */
export const sqliteDialect: Dialect = {
  // A write transaction holds the only lock there is.
  lock: [],
  ddl(statement) {
    const typed = rewriteSql(statement, /\bBIGINT\b/gi, () => 'INTEGER')
    return /^\s*CREATE\s+TABLE\b/i.test(statement) ? `${typed} STRICT` : typed
  },
}
