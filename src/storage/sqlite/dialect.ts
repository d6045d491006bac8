import type { Dialect } from '../migrations/migrate.ts'
import { rewriteSql } from '../sql-text.ts'

/** Tables are written in PostgreSQL's words; SQLite's strict tables know INTEGER only, which holds 64 bits there. */
export const sqliteDialect: Dialect = {
  engine: 'sqlite',
  // A write transaction holds the only lock there is.
  lock: [],
  ddl(statement) {
    const typed = rewriteSql(statement, /\bBIGINT\b/gi, () => 'INTEGER')
    // SQLite fills a table of its own with such a list on every statement that checks it.
    const checked = rewriteSql(typed, /\b(?!NOT\b)(\w+) IN \(('\w+'(?:, '\w+')*)\)/g, (_match, column, list) => {
      const equals = list.split(', ').map((value) => `${column} = ${value}`)
      return `(${equals.join(' OR ')})`
    })
    const table = /^\s*CREATE\s+TABLE\s+(\w+)/i.exec(statement)?.[1]
    if (!table) return checked
    return `${checked} STRICT${inTheirKey.has(table) ? ', WITHOUT ROWID' : ''}`
  },
}

/** Tables whose few short rows change over and over: in the tree of their key there is one page to change instead of two. */
const inTheirKey = new Set(['balances', 'usage_days', 'rate_windows'])
