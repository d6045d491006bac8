import { databaseMs } from '../../../src/storage/sql-text.ts'

/** A statement of the gateway for PostgreSQL, as SQLite runs it. */
export interface Translated {
  readonly sql: string
  /** For rows or arrays that SQLite cannot unnest: the statement is run once for each. */
  readonly eachOf: 'rows' | 'arrays' | null
  /** Placeholders that are arrays: a list becomes JSON. */
  readonly arrays: ReadonlySet<number>
}

/** Columns of PostgreSQL's composite types, by their names. */
export type RowTypes = ReadonlyMap<string, readonly string[]>

/** Reads them from the statements of the schema. */
export function rowTypesIn(statements: readonly string[]): RowTypes {
  const found = statements.flatMap((sql) => {
    const type = /^CREATE TYPE (\w+) AS \(([^)]*)\)/.exec(sql)
    return type ? [[type[1]!, type[2]!.split(',').map((column) => column.trim().split(/\s+/)[0]!)] as const] : []
  })
  return new Map(found)
}

/** Only what the gateway uses; SQLite refuses anything else with an error that fails the world. */
export function translate(sql: string, types: RowTypes): Translated {
  const arrays = new Set([...sql.matchAll(/\$(\d+)::\w+\[\]/g)].map(([, number]) => Number(number)))
  const eachOf = /::\w+_row_v\d+\[\]/.test(sql) ? 'rows' : /WITH ORDINALITY/.test(sql) ? 'arrays' : null
  let text = sql.replaceAll(databaseMs.postgres, 'clock_ms()')
  if (eachOf === 'rows') text = eachRow(text, types)
  if (eachOf === 'arrays') text = eachElement(text)
  text = withoutLateral(text)
    .replace(/= ANY\(\$(\d+)::\w+\[\]\)/g, 'IN (SELECT value FROM json_each($$$1))')
    .replace(/<> ALL\(\$(\d+)::\w+\[\]\)/g, 'NOT IN (SELECT value FROM json_each($$$1))')
    .replace(
      unnested,
      (_, lists: string, name: string, columns: string, join: string | undefined) =>
        // In this order: SQLite might read the other table from end to end.
        `${listTable(lists, name, columns)}${join ? ' CROSS JOIN' : ''}`,
    )
    .replace(/::(?:text|bigint|integer|int)\b/g, '')
    .replaceAll(' COLLATE "C"', '')
    .replace(/^(\s*UPDATE \w+) (?!SET\b|AS\b)(\w+) SET\b/, '$1 AS $2 SET')
  return { sql: numberedEvents(text), eachOf, arrays }
}

const unnested = /unnest\(((?:\$\d+::\w+\[\](?:, )?)+)\)\s+AS (\w+) \(([^)]*)\)(\s+JOIN\b)?/g

/** Lists of equal length as a table, one column for each. */
function listTable(lists: string, name: string, columns: string): string {
  const numbers = [...lists.matchAll(/\$(\d+)/g)].map(([, number]) => number!)
  const names = columns.split(',').map((column) => column.trim())
  const from = numbers.map((number, index) => {
    const list = `json_each($${number}) l${index}`
    return index === 0 ? list : `JOIN ${list} ON l${index}.key = l0.key`
  })
  return `(SELECT ${names.map((column, index) => `l${index}.value AS ${column}`).join(', ')} FROM ${from.join(' ')}) AS ${name}`
}

/** `unnest($1::type[])` for one row, whose columns are the placeholders. */
function eachRow(sql: string, types: RowTypes): string {
  const type = /::(\w+_row_v\d+)\[\]/.exec(sql)![1]!
  const columns = types.get(type)
  if (!columns) throw new Error(`there is no type ${type}`)
  const placeholder = (column: string) => `$${columns.indexOf(column) + 1}`
  return sql
    .replace(/SELECT \* FROM unnest\(\$1::\w+\[\]\)/, `VALUES (${columns.map(placeholder).join(', ')})`)
    .replace(/\s+FROM unnest\(\$1::\w+\[\]\) AS v/, '')
    .replace(/\bv\.(\w+)/g, (_, column: string) => placeholder(column))
}

/** The same for arrays with an ordinal number. */
function eachElement(sql: string): string {
  const [whole, name, columns] = /unnest\([^)]*\)\s+WITH ORDINALITY\s+AS (\w+) \(([^)]*)\)/.exec(sql)!
  const names = columns!.split(',').map((column) => column.trim())
  return sql
    .replace(whole, '(SELECT 1) AS one')
    .replace('LEFT JOIN LATERAL', 'LEFT JOIN')
    .replace(new RegExp(`ORDER BY ${name}\\.${names.at(-1)}\\s*$`), '')
    .replace(new RegExp(`\\b${name}\\.(\\w+)`, 'g'), (_, column: string) => `$${names.indexOf(column) + 1}`)
}

/** A lookup of one row by its key is a join in SQLite, which needs no help from the writer of the query. */
function withoutLateral(sql: string): string {
  const found = /(CROSS|LEFT) JOIN LATERAL \(/.exec(sql)
  if (!found) return sql
  const start = found.index + found[0].length
  const end = closingOf(sql, start)
  const inner = /^SELECT (.+?) FROM (\w+)(?: (?!WHERE\b)(\w+))?\s+WHERE (.*) LIMIT 1$/s.exec(
    sql.slice(start, end).trim(),
  )
  const after = /^\) (\w+)(\s+ON\b)?/.exec(sql.slice(end))
  if (!inner || !after) throw new Error(`this LATERAL has no translation: ${sql.slice(found.index, end + 20)}`)
  const [, columns, table, alias = table, condition] = inner
  const [matched, name, on] = after
  const source = columns === '*' || columns === '1' ? table : `(SELECT ${columns} FROM ${table})`
  const joined = condition!.replace(new RegExp(`\\b${alias}\\.`, 'g'), `${name}.`)
  // The order of PostgreSQL: SQLite might read the other table from end to end.
  const join = `${found[1]} JOIN ${source} ${name} ON (${joined})${on ? ' AND' : ''}`
  return withoutLateral(`${sql.slice(0, found.index)}${join}${sql.slice(end + matched.length)}`)
}

/** The index of the bracket that closes the one before `from`. */
export function closingOf(sql: string, from: number): number {
  let depth = 1
  for (let at = from; at < sql.length; at += 1) {
    if (sql[at] === "'") at = sql.indexOf("'", at + 1)
    else if (sql[at] === '(') depth += 1
    else if (sql[at] === ')') depth -= 1
    if (depth === 0) return at
  }
  throw new Error(`a bracket is not closed: ${sql}`)
}

/** Events are numbered by a sequence, which no transaction waits for and no rollback takes back. */
function numberedEvents(sql: string): string {
  if (!/^\s*INSERT INTO events \((?!seq\b)/.test(sql)) return sql
  return sql
    .replace('INSERT INTO events (', 'INSERT INTO events (seq, ')
    .replace(/VALUES \(/, "VALUES (nextval('events'), ")
    .replaceAll('), ($', "), (nextval('events'), $")
}

/** The rows of PostgreSQL's binary format for an array of composites. */
export function decodeRows(bytes: Buffer): (string | number | null)[][] {
  let at = 12
  const int = () => {
    at += 4
    return bytes.readInt32BE(at - 4)
  }
  const count = int()
  at += 4
  return Array.from({ length: count }, () => {
    int()
    return Array.from({ length: int() }, () => {
      const type = int()
      const length = int()
      if (length < 0) return null
      at += length
      const start = at - length
      if (type === textType) return bytes.toString('utf8', start, at)
      return length === 4 ? bytes.readInt32BE(start) : Number(bytes.readBigInt64BE(start))
    })
  })
}

const textType = 25

/** `{a,b}` as a list; the gateway writes only ids in it. */
export const listOf = (literal: string): string[] => (literal === '{}' ? [] : literal.slice(1, -1).split(','))
