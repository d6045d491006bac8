import type { ScriptStatement, Value, Writer } from './engine.ts'

/** Replaces text in SQL, except in strings, quoted names and comments. */
function rewriteSql(sql: string, pattern: RegExp, replace: (match: string, ...groups: string[]) => string) {
  const skipOrMatch = new RegExp(`${protectedText.source}|${pattern.source}`, pattern.flags)
  return sql.replace(skipOrMatch, (match, ...rest: unknown[]) =>
    isProtected(match) ? match : replace(match, ...(rest.filter((part) => typeof part === 'string') as string[])),
  )
}

interface TranslatedSql {
  readonly sql: string
  readonly parameters: number
}

/** `$1` becomes `?1`: node:sqlite binds `$1` by name only, `?1` by position. */
export function translatePlaceholders(sql: string): TranslatedSql {
  let parameters = 0
  const translated = rewriteSql(sql, /\$(\d+)/g, (_match, number) => {
    parameters = Math.max(parameters, Number(number))
    return `?${number}`
  })
  return { sql: translated, parameters }
}

/** `$1, $2, $3` for a list of three values. */
export const placeholders = (values: readonly unknown[], first = 1): string =>
  values.map((_, index) => `$${first + index}`).join(', ')

type Placeholders<Name extends string> = { readonly [N in Name]: string }

/** A statement whose values have names. Its text is made once, with placeholders from `$first` on. */
export function namedStatement<Name extends string>(
  names: readonly Name[],
  text: (placeholders: Placeholders<Name>) => string,
  first = 1,
) {
  const numbered = Object.fromEntries(names.map((name, index) => [name, `$${first + index}`])) as Placeholders<Name>
  return {
    sql: text(numbered),
    values: (named: Readonly<Record<Name, Value>>): Value[] => names.map((name) => named[name]),
  }
}

/** What a list can be narrowed by: a condition for each name of `Filter`, given its placeholder. */
export function listFilter<Filter extends object>(
  conditions: {
    readonly [Name in keyof Filter]-?: (placeholder: string) => string
  },
) {
  const names = Object.keys(conditions) as (keyof Filter & string)[]
  return {
    names,
    condition: (placeholders: Placeholders<keyof Filter & string>): string =>
      names.map((name) => conditions[name](placeholders[name])).join(' AND '),
    values: (filter: Filter) =>
      Object.fromEntries(names.map((name) => [name, filter[name] ?? any])) as Record<keyof Filter & string, Value>,
  }
}

/** Stands for a value that a filter leaves out, so that a list has one text whatever it is narrowed by. */
const any = ''

/** A condition that holds for every row if the filter leaves its value out. */
export const ifGiven =
  (condition: (placeholder: string) => string) =>
  (placeholder: string): string =>
    `(${placeholder} = '${any}' OR ${condition(placeholder)})`

/** The same for a text that must be equal. */
export const equals = (column: string) => ifGiven((placeholder) => `${column} = ${placeholder}`)

/** The clock of the database in epoch milliseconds. */
export const databaseMs = {
  sqlite: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
  postgres: '(extract(epoch FROM clock_timestamp()) * 1000)::bigint',
} as const

/** True for a claim that has ended by the database's clock. One further away than its length is from a clock that was wrong. */
export const claimEnded = (kind: keyof typeof databaseMs, column: string, lengthMs: number): string =>
  `(${column} <= ${databaseMs[kind]} OR ${column} > ${databaseMs[kind]} + ${lengthMs})`

/** The rows of a page, and the key of its last row unless it is the last page. */
export interface PageOfRows<Row> {
  readonly rows: readonly Row[]
  readonly next: string | null
}

/** A page of rows that were read with one more than `limit`, so that it is known whether more follow. */
export const pageOf = <Row>(rows: readonly Row[], limit: number, keyOf: (row: Row) => string): PageOfRows<Row> => ({
  rows: rows.slice(0, limit),
  next: rows.length > limit ? keyOf(rows[limit - 1]!) : null,
})

/** Few enough for the parameters of a statement. */
const rowsOfInsert = 50

/** Statements that insert many rows; `sqlOf` gets the rows after VALUES. */
export function insertScript<T>(
  rows: readonly T[],
  sqlOf: (values: string) => string,
  valuesOf: (row: T) => Value[],
): ScriptStatement[] {
  const statements: ScriptStatement[] = []
  for (let from = 0; from < rows.length; from += rowsOfInsert) {
    const values = rows.slice(from, from + rowsOfInsert).map(valuesOf)
    let next = 0
    const groups = values.map((row) => `(${row.map(() => `$${++next}`).join(', ')})`)
    statements.push({ sql: sqlOf(groups.join(', ')), params: values.flat() })
  }
  return statements
}

/** Lists of this many values each; the last repeats its last value, so that every list has the same SQL text. */
export function fullPages<V>(values: readonly V[], size: number): V[][] {
  const pages: V[][] = []
  for (let start = 0; start < values.length; start += size) {
    const page = values.slice(start, start + size)
    pages.push([...page, ...Array(size - page.length).fill(page.at(-1))])
  }
  return pages
}

const protectedText = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\//

const isProtected = (text: string) => /^(?:'|"|--|\/\*)/.test(text)

export interface ExpiringTable {
  readonly table: string
  readonly key: string
  readonly expiresAt: string
  /** How long an expired row is kept. */
  readonly graceMs?: number
}

/** Removes at most `limit` expired rows, so that a purge never blocks calls for long. */
export const purgeExpired = (
  tx: Writer,
  { table, key, expiresAt, graceMs = 0 }: ExpiringTable,
  now: number,
  limit: number,
): Promise<number> =>
  tx.run(
    // Repeated outside: for a row renewed at the same time, PostgreSQL rechecks only the outer condition.
    `DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE ${expiresAt} <= $1 LIMIT $2)
      AND ${expiresAt} <= $1`,
    [now - graceMs, limit],
  )
