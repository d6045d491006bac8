import { translatePlaceholders } from '../../../src/storage/sql-text.ts'
import type { Connection } from '../../../src/storage/sqlite/connection.ts'
import { closingOf } from './translate.ts'

/** What of a table can be locked: its rows by their primary keys, and the values of its unique indexes. */
interface Keys {
  readonly primary: readonly string[]
  readonly unique: readonly {
    readonly name: string
    readonly columns: readonly string[]
    readonly where: string | null
  }[]
}

/** A statement, with what is needed to run it under row locks. */
export interface Shape {
  readonly kind: 'read' | 'lock' | 'insert' | 'update' | 'delete'
  readonly table: string
  /** What a locking read does about a row that is locked. */
  readonly whenLocked: 'wait' | 'skip' | 'fail'
  /** Names of the keys that each row returns in the columns `~0`, `~1` and so on; the first is the row itself. */
  readonly keyNames: readonly string[]
  /** Uncorrelated `IN (SELECT ...)`, which PostgreSQL evaluates once. */
  readonly subselects: readonly string[]
  /** Null if a subselect locks rows: then its results are passed as a list. */
  readonly sql: string | null
  /** With a list for each subselect, after the values of the statement. */
  readonly listed: string
  /** For a run after a wait: the last value lists the rows that the first run found. */
  readonly again: string
  /** Finds out which keys the new rows need; null for a delete. */
  readonly probe: string | null
  /** Whether the probe only reads. Otherwise it replaces the rows that are in the way, and is taken back. */
  readonly probeReads: boolean
  /** Selects the row with a key, for each of `keyNames`. */
  readonly ownersOfKeys: readonly string[]
  readonly doesNothing: boolean
  /** How many values it takes. */
  readonly parameters: number
}

const mainWords = new Set(['SELECT', 'INSERT', 'UPDATE', 'DELETE'])

/** The words of a statement outside of brackets and quotes. */
function outerWords(sql: string): { readonly word: string; readonly at: number }[] {
  const words: { word: string; at: number }[] = []
  const token = /'(?:[^']|'')*'|"[^"]*"|\(|\b[A-Z]+\b/g
  for (let match = token.exec(sql); match; match = token.exec(sql)) {
    if (match[0] === '(') token.lastIndex = closingOf(sql, match.index + 1) + 1
    else if (/^[A-Z]/.test(match[0])) words.push({ word: match[0], at: match.index })
  }
  return words
}

const lockClause = /\s+FOR UPDATE(?: OF (\w+))?(?: (SKIP LOCKED|NOWAIT))?\s*$/
const keyOf = (columns: readonly string[], prefix = '') =>
  `json_array(${columns.map((column) => prefix + column).join(', ')})`

/** How many values the placeholders of a statement need. */
export const parametersOf = (sql: string): number =>
  Math.max(0, ...[...sql.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)))

/** Knows the tables and the statements of a database. */
export class Shapes {
  readonly #keys = new Map<string, Keys>()
  readonly #shapes = new Map<string, Shape>()

  shapeOf(db: Connection, sql: string): Shape {
    let shape = this.#shapes.get(sql)
    if (!shape) {
      shape = this.#parse(db, sql)
      this.#shapes.set(sql, shape)
    }
    return shape
  }

  #parse(db: Connection, sql: string): Shape {
    const words = outerWords(sql)
    const main = words.find(({ word }) => mainWords.has(word))
    if (main?.word === 'SELECT') return lockClause.test(sql) ? this.#lockingRead(db, sql, words) : readOnly(sql)
    const find = (word: string, after = main?.at ?? 0) =>
      words.find((candidate) => candidate.word === word && candidate.at > after)?.at
    if (main?.word === 'INSERT') return this.#insert(db, sql, find)
    if (main?.word === 'UPDATE' || main?.word === 'DELETE') return this.#change(db, sql, main, find)
    return readOnly(sql)
  }

  #lockingRead(db: Connection, locking: string, words: ReturnType<typeof outerWords>): Shape {
    const [, of, how] = lockClause.exec(locking)!
    const sql = locking.replace(lockClause, '')
    const from = words.find(({ word }) => word === 'FROM')!.at
    const named = of ? new RegExp(`\\b(?:FROM|JOIN) (\\w+) ${of}\\b`) : /FROM (\w+)/
    const table = named.exec(sql.slice(from))![1]!
    const key = keyOf(this.keysOf(db, table).primary, `${of ?? table}.`)
    const listed = `${sql.slice(0, from).trimEnd()}, ${key} AS "~0" ${sql.slice(from)}`
    const skipped = `NOT is_locked('${table}:' || ${key})`
    const whenLocked = how === 'SKIP LOCKED' ? 'skip' : how === 'NOWAIT' ? 'fail' : 'wait'
    const first = whenLocked === 'skip' ? withCondition(listed, skipped) : listed
    return {
      ...readOnly(first),
      kind: 'lock',
      table,
      whenLocked,
      keyNames: [table],
      ownersOfKeys: [
        ownerOf(table, this.keysOf(db, table).primary, { columns: this.keysOf(db, table).primary, where: null }),
      ],
      again: withCondition(listed, inList(key, parametersOf(sql) + 1)),
    }
  }

  #insert(db: Connection, sql: string, find: (word: string) => number | undefined): Shape {
    const table = /INTO (\w+)/.exec(sql)![1]!
    const returned = this.#returning(db, sql, table, find('RETURNING'), () => true)
    const onConflict = find('CONFLICT')
    const end = find('RETURNING') ?? sql.length
    const plain = onConflict ? `${sql.slice(0, sql.lastIndexOf('ON', onConflict))} ${sql.slice(end)}` : sql
    const probe = this.#returning(
      db,
      plain,
      table,
      plain.length < sql.length ? undefined : find('RETURNING'),
      () => true,
    )
    const read = newKeys(db, plain, probe.extras)
    return {
      ...readOnly(returned.sql),
      kind: 'insert',
      table,
      keyNames: returned.keyNames,
      ownersOfKeys: returned.owners,
      again: returned.sql,
      probe:
        read ??
        (onConflict ? stripReturning(plain, probe.extras) : probe.sql).replace('INSERT INTO', 'INSERT OR REPLACE INTO'),
      probeReads: read !== null,
      doesNothing: onConflict !== undefined && /^CONFLICT\b.*?\bDO NOTHING/s.test(sql.slice(onConflict)),
    }
  }

  #change(
    db: Connection,
    sql: string,
    main: { readonly word: string; readonly at: number },
    find: (word: string, after?: number) => number | undefined,
  ): Shape {
    const kind = main.word === 'UPDATE' ? 'update' : 'delete'
    const target = /^(?:UPDATE|DELETE FROM) (\w+)(?: AS (\w+))?/.exec(sql.slice(main.at))!
    const table = target[1]!
    const keys = this.keysOf(db, table)
    const where = find('WHERE')
    const set = find('SET')
    const assigned = set ? sql.slice(set, where ?? sql.length) : ''
    const isTouched = (column: string) => kind === 'delete' || new RegExp(`\\b${column}\\s*=`).test(assigned)
    const returned = this.#returning(db, sql, table, find('RETURNING'), isTouched)
    const { subselects, text } = withLists(db, returned.sql)
    const key = keyOf(keys.primary, `${target[2] ?? table}.`)
    return {
      ...readOnly(returned.sql),
      kind,
      table,
      keyNames: returned.keyNames,
      ownersOfKeys: returned.owners,
      probe: kind === 'update' && subselects.length === 0 ? replacing(returned.sql, main.at) : null,
      subselects,
      sql: subselects.some((inner) => lockClause.test(inner)) ? null : returned.sql,
      listed: text,
      again: withCondition(text, inList(key, parametersOf(text) + 1)),
    }
  }

  /** Adds the keys of each row to what a statement returns. */
  #returning(
    db: Connection,
    sql: string,
    table: string,
    at: number | undefined,
    isTouched: (column: string) => boolean,
  ) {
    const { primary, unique } = this.keysOf(db, table)
    const touched = unique.filter(({ columns }) => columns.some(isTouched))
    const values = touched.map(({ columns, where }) => {
      const condition = [...columns.map((column) => `${column} IS NOT NULL`), ...(where ? [`(${where})`] : [])]
      return `CASE WHEN ${condition.join(' AND ')} THEN ${keyOf(columns)} END`
    })
    const extras = [keyOf(primary), ...values].map((value, index) => `${value} AS "~${index}"`).join(', ')
    const list = at === undefined ? `RETURNING ${extras}` : `${sql.slice(at)}, ${extras}`
    return {
      sql: `${sql.slice(0, at ?? sql.length).trimEnd()} ${list}`,
      extras,
      owners: [{ columns: primary, where: null }, ...touched].map((key) => ownerOf(table, primary, key)),
      keyNames: [table, ...touched.map(({ name }) => name)],
    }
  }

  keysOf(db: Connection, table: string): Keys {
    let keys = this.#keys.get(table)
    if (!keys) {
      keys = readKeys(db, table)
      this.#keys.set(table, keys)
    }
    return keys
  }
}

const readOnly = (sql: string): Shape => ({
  kind: 'read',
  table: '',
  whenLocked: 'wait',
  keyNames: [],
  subselects: [],
  sql,
  listed: sql,
  again: sql,
  probe: null,
  probeReads: false,
  ownersOfKeys: [],
  doesNothing: false,
  parameters: parametersOf(sql),
})

const inList = (key: string, placeholder: number) => `${key} IN (SELECT value FROM json_each($${placeholder}))`

/** Selects the row that has a key, whose values are the parameters. */
const ownerOf = (
  table: string,
  primary: readonly string[],
  key: { columns: readonly string[]; where: string | null },
) =>
  `SELECT ${keyOf(primary)} AS "~0" FROM ${table}
    WHERE ${key.columns.map((column, index) => `${column} = $${index + 1}`).join(' AND ')} AND ${key.where ?? 'true'}`

const replacing = (sql: string, at: number) =>
  `${sql.slice(0, at)}${sql.slice(at).replace('UPDATE', 'UPDATE OR REPLACE')}`

/** Selects the keys of the rows that an insert adds; null if they depend on columns that it leaves to their defaults. */
function newKeys(db: Connection, sql: string, keys: string): string | null {
  const parts = /^\s*INSERT INTO \w+ (\([^)]*\))(.*)$/s.exec(sql)
  if (!parts) return null
  const [, columns, source] = parts as unknown as [string, string, string]
  const end = outerWords(source).find(({ word }) => word === 'RETURNING')?.at ?? source.length
  // Materialized, so that a number from a sequence is taken once.
  const probe = `WITH made ${columns} AS MATERIALIZED (${source.slice(0, end)}) SELECT ${keys} FROM made`
  try {
    db.database.prepare(translatePlaceholders(probe).sql)
    return probe
  } catch {
    return null
  }
}

const stripReturning = (sql: string, extras: string) => {
  const at = outerWords(sql).find(({ word }) => word === 'RETURNING')?.at
  return `${sql.slice(0, at ?? sql.length).trimEnd()} RETURNING ${extras}`
}

/** Narrows a statement by one more condition. */
function withCondition(sql: string, condition: string): string {
  const words = outerWords(sql)
  const where = words.find(({ word }) => word === 'WHERE')?.at
  const end = words.find(({ word, at }) => endWords.has(word) && at > (where ?? 0))?.at ?? sql.length
  const before =
    where === undefined
      ? `${sql.slice(0, end)} WHERE `
      : `${sql.slice(0, where)}WHERE (${sql.slice(where + 5, end)}) AND `
  return `${before}${condition} ${sql.slice(end)}`
}

const endWords = new Set(['ORDER', 'LIMIT', 'GROUP', 'RETURNING'])

/** Replaces each uncorrelated subselect by a list that is passed instead. */
function withLists(db: Connection, sql: string): { subselects: string[]; text: string } {
  const subselects: string[] = []
  let text = sql
  let next = parametersOf(sql)
  for (let from = 0; ; ) {
    const at = text.indexOf('IN (SELECT ', from)
    if (at < 0) return { subselects, text }
    const start = at + 'IN ('.length
    const end = closingOf(text, start)
    const inner = text.slice(start, end)
    from = end
    if (inner.includes('json_each(') || isCorrelated(db, inner)) continue
    subselects.push(inner)
    next += 1
    const list = `SELECT value FROM json_each($${next})`
    text = `${text.slice(0, start)}${list}${text.slice(end)}`
    from = start + list.length
  }
}

/** Whether it needs a column of the statement around it. */
function isCorrelated(db: Connection, subselect: string): boolean {
  try {
    db.database.prepare(translatePlaceholders(subselect.replace(lockClause, '')).sql)
    return false
  } catch {
    return true
  }
}

function readKeys(db: Connection, table: string): Keys {
  const columns = db.all<{ name: string; pk: number }>('SELECT name, pk FROM pragma_table_info($1)', [table])
  const primary = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
  if (primary.length === 0) throw new Error(`the table ${table} has no primary key`)
  const indexes = db.all<{ name: string; origin: string; sql: string | null; columns: string }>(selectIndexes, [table])
  return {
    primary: primary.map(({ name }) => name),
    unique: indexes.map(({ name, sql, columns: list }) => ({
      name,
      columns: list.split(','),
      where: sql && (/\bWHERE\b(.*)$/s.exec(sql)?.[1]?.trim() ?? null),
    })),
  }
}

const selectIndexes = `SELECT i.name, i.origin, m.sql,
    (SELECT group_concat(name) FROM (SELECT name FROM pragma_index_info(i.name) ORDER BY seqno)) AS columns
  FROM pragma_index_list($1) i LEFT JOIN sqlite_master m ON m.name = i.name
  WHERE i."unique" = 1 AND i.origin <> 'pk' ORDER BY i.seq DESC`
