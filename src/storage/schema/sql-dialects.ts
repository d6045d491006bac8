export type EngineKind = 'sqlite' | 'postgres'

/**
 * The statements of a schema text for one engine. The text is written once, with the types of PostgreSQL and the table options of
 * SQLite:
 *
 * - `TEXT` sorts by bytes on both. On PostgreSQL a locale would order ids differently, and may change with the C library.
 * - `BIGINT` is SQLite's `INTEGER`, which has 64 bits.
 * - `STRICT` and `WITHOUT ROWID` are left out for PostgreSQL.
 * - `CHECK (a IN ('x', 'y'))` becomes `a = 'x' OR a = 'y'` on SQLite, which fills a temporary table for each `IN` list.
 * - `{sqlite: ...}` and `{postgres: ...}` belong to one engine, and so does a statement below `-- @sqlite` or `-- @postgres`.
 *
 * A semicolon and a blank line end a statement, because functions contain semicolons.
 */
export const statementsFor = (engine: EngineKind, text: string): string[] =>
  `${text.trimEnd()}\n`
    .split(/;\n(?:\n|$)/)
    .filter((statement) => (/^-- @(\w+)$/m.exec(statement)?.[1] ?? engine) === engine)
    .map((statement) => render[engine](ownParts(engine, statement.replace(/^--.*\n?/gm, ''))).trim())
    .filter((statement) => statement !== '')

const ownParts = (engine: EngineKind, sql: string) =>
  sql.replace(/\{(sqlite|postgres):([^{}]*)\}/g, (_, only: string, part: string) => (only === engine ? part : ''))

const render: Readonly<Record<EngineKind, (sql: string) => string>> = {
  sqlite: (sql) =>
    sql
      .replace(/\bBIGINT\b/g, 'INTEGER')
      .replace(/CHECK \((\w+) IN \(([^)]*)\)\)/g, (_, column: string, values: string) => {
        const terms = values.split(', ').map((value) => `${column} = ${value}`)
        return `CHECK (${terms.join(' OR ')})`
      }),
  postgres: (sql) =>
    sql.replace(/(?<=\w )TEXT\b/g, 'TEXT COLLATE "C"').replace(/ STRICT(, WITHOUT ROWID)?(?=;?\s*$)/, ''),
}
