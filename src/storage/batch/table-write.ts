import type { Value } from '../engine.ts'

export type ColumnType = 'text' | 'bigint' | 'int'

export interface Column<Row> {
  readonly type: ColumnType
  readonly from: (row: Row) => Value
  /** For updates: SQL that combines the new and the stored value. By default the new value replaces it. */
  readonly merge?: (value: string, stored: string) => string
}

const columnOf =
  (type: ColumnType) =>
  <Row>(from: Column<Row>['from'], merge?: Column<Row>['merge']): Column<Row> => ({
    type,
    from,
    ...(merge && { merge }),
  })

export const text = columnOf('text')
export const bigint = columnOf('bigint')
export const int = columnOf('int')

/** How a batch writes the rows of a table. Both engines derive their statements and values from it. */
export interface TableWrite<Row> {
  readonly table: string
  readonly kind: 'insert' | 'update' | 'upsert'
  /** Columns that identify the row of an update or upsert. */
  readonly key: readonly string[]
  readonly columns: Readonly<Record<string, Column<Row>>>
  /** The version of PostgreSQL's type of these rows. Other columns need a new version of the type, in a migration. */
  readonly rowVersion: number
}

/** The `SET` list of an update. The callbacks name the new and the stored value of a column. */
export function assignments<Row>(
  { columns, key }: TableWrite<Row>,
  newValue: (column: string) => string,
  storedValue: (column: string) => string,
): string {
  return Object.entries(columns)
    .filter(([name]) => !key.includes(name))
    .map(([name, { merge }]) => `${name} = ${merge ? merge(newValue(name), storedValue(name)) : newValue(name)}`)
    .join(', ')
}

export const onConflict = <Row>(write: TableWrite<Row>): string =>
  write.kind === 'upsert'
    ? `ON CONFLICT (${write.key.join(', ')}) DO UPDATE SET ${assignments(
        write,
        (name) => `excluded.${name}`,
        (name) => `${write.table}.${name}`,
      )}`
    : ''

export const write = <Row>(
  kind: TableWrite<Row>['kind'],
  table: string,
  key: string,
  columns: TableWrite<Row>['columns'],
  rowVersion = 1,
): TableWrite<Row> => ({ kind, table, key: key.split(' '), columns, rowVersion })
