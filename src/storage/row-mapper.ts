import type { Reader, Value, Writer } from './engine.ts'

/** One field of a row: the SQL that it is read from, and how it is stored. */
export interface MappedColumn<T> {
  /** By default the field's name in snake case. Any expression, if the field is only read. */
  readonly sql?: string
  readonly encode?: (value: T) => Value
  readonly decode?: (stored: never) => T
}

/** Its types are `unknown`, because `text()` would take its own from them. */
interface AnyColumn {
  readonly sql?: string
  readonly encode?: unknown
  readonly decode?: unknown
}

export type Columns = Readonly<Record<string, AnyColumn>>

export type RowOf<C extends Columns> = {
  readonly [Field in keyof C]: C[Field] extends MappedColumn<infer T> ? T : never
}

const named = (sql: string | undefined) => (sql === undefined ? {} : { sql })

export const text = <T extends string = string>(sql?: string): MappedColumn<T> => named(sql)

export const integer = <T extends number = number>(sql?: string): MappedColumn<T> => named(sql)

/** Stored as 0 or 1. */
export const flag = (sql?: string): MappedColumn<boolean> => ({
  ...named(sql),
  encode: Number,
  decode: (stored: number) => stored === 1,
})

/** Stored with spaces between the words. */
export const words = <T extends string = string>(sql?: string): MappedColumn<readonly T[]> => ({
  ...named(sql),
  encode: (value) => value.join(' '),
  decode: (stored: string) => stored.split(' ') as T[],
})

export const orNull = <T>({ encode, decode, ...column }: MappedColumn<T>): MappedColumn<T | null> => ({
  ...column,
  ...(encode && { encode: (value: T | null) => (value === null ? null : encode(value)) }),
  ...(decode && { decode: (stored: never) => (stored === null ? null : decode(stored)) }),
})

/** Some of the columns, in this order. */
export const pick = <C extends Columns, F extends keyof C & string>(columns: C, ...fields: F[]): Pick<C, F> =>
  Object.fromEntries(fields.map((field) => [field, columns[field]])) as Pick<C, F>

/** The SQL of each column, for conditions. */
export const sqlOf = <C extends Columns>(columns: C): { readonly [Field in keyof C]: string } =>
  Object.fromEntries(Object.entries(columns).map(([field, column]) => [field, columnOf(field, column)])) as {
    readonly [Field in keyof C]: string
  }

/** The columns of one table of a join. */
export const from = <C extends Columns>(alias: string, columns: C): C =>
  Object.fromEntries(
    Object.entries(columns).map(([field, column]) => [
      field,
      { ...column, sql: `${alias}.${columnOf(field, column)}` },
    ]),
  ) as C

const columnOf = (field: string, { sql }: AnyColumn) =>
  sql ?? field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/**
 * Reads and writes the rows of a table, or of a join if they are only read. In an update, the condition's placeholders are
 * `$1` and up.
 */
export function rowMapper<C extends Columns>(table: string, columns: C) {
  const fields = Object.entries(columns).map(([field, column]) => ({
    ...(column as MappedColumn<unknown>),
    field,
    sql: columnOf(field, column),
  }))
  const list = fields.map(({ field, sql }) => (sql === field ? sql : `${sql} AS "${field}"`)).join(', ')
  const decoders = fields.flatMap(({ field, decode }) => (decode ? [{ field, decode }] : []))

  /** A row that was selected with `list`. */
  const decode = (stored: object): RowOf<C> =>
    Object.assign(
      stored,
      ...decoders.map((d) => ({ [d.field]: d.decode((stored as Record<string, never>)[d.field]!) })),
    )

  /** The columns that `row` has, a placeholder for each, and their values. */
  const parts = (row: Partial<RowOf<C>>, first = 1) => {
    const given = fields.filter(({ field }) => row[field] !== undefined)
    return {
      columns: given.map(({ sql }) => sql),
      placeholders: given.map((_, index) => `$${first + index}`),
      values: given.map(({ field, encode }) => (encode ? encode(row[field]) : (row[field] as Value))),
    }
  }

  const insertAll = (tx: Writer, rows: readonly Partial<RowOf<C>>[], rest = ''): Promise<number> => {
    const { names, tuples, values } = tuplesOf(rows, parts)
    return tx.run(`INSERT INTO ${table} (${names}) VALUES ${tuples} ${rest}`.trimEnd(), values)
  }

  return {
    columns,
    list,
    decode,
    parts,
    all: async (tx: Reader, rest = '', params: readonly Value[] = []): Promise<RowOf<C>[]> =>
      (await tx.all(`SELECT ${list} FROM ${table} ${rest}`.trimEnd(), params)).map(decode),
    get: async (tx: Reader, rest: string, params: readonly Value[] = []): Promise<RowOf<C> | undefined> => {
      const stored = await tx.get(`SELECT ${list} FROM ${table} ${rest}`, params)
      return stored && decode(stored)
    },
    insert: (tx: Writer, row: Partial<RowOf<C>>, rest?: string) => insertAll(tx, [row], rest),
    /** The rows must have the same fields. */
    insertAll,
    /** Replaces the other fields of a row that has the same `key`. */
    upsert: (tx: Writer, row: Partial<RowOf<C>>, key: readonly (keyof C & string)[]) => {
      const keyColumns = key.map((field) => columnOf(field, columns[field]!))
      const changed = parts(row).columns.filter((column) => !keyColumns.includes(column))
      const set = changed.map((column) => `${column} = excluded.${column}`).join(', ')
      return insertAll(tx, [row], `ON CONFLICT (${keyColumns.join(', ')}) DO UPDATE SET ${set}`)
    },
    /** Returns how many rows it changed. */
    update: (tx: Writer, changes: Partial<RowOf<C>>, condition: string, params: readonly Value[]) => {
      const { columns, placeholders, values } = parts(changes, params.length + 1)
      const set = columns.map((column, index) => `${column} = ${placeholders[index]}`).join(', ')
      return tx.run(`UPDATE ${table} SET ${set} WHERE ${condition}`, [...params, ...values])
    },
  }
}

interface StatementParts {
  readonly columns: readonly string[]
  readonly placeholders: readonly string[]
  readonly values: readonly Value[]
}

/** The names of the rows' columns, their placeholders in parentheses, and all their values. */
function tuplesOf<Row>(rows: readonly Row[], parts: (row: Row, first?: number) => StatementParts) {
  const values: Value[] = []
  const tuples = rows.map((row) => {
    const part = parts(row, values.length + 1)
    values.push(...part.values)
    return `(${part.placeholders.join(', ')})`
  })
  return { names: parts(rows[0]!).columns.join(', '), tuples: tuples.join(', '), values }
}
