import type { ReactNode } from 'react'
import styles from './data-table.module.css'

export interface Column<Row> {
  readonly key: string
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  /** Numbers stand right, so that their digits line up. */
  readonly isNumber?: boolean
  /** Heads the row where the table is too narrow for columns. */
  readonly isMain?: boolean
  /** Where the table is too narrow: beside the head of the row, without its title, or left out. Else a line of its own. */
  readonly narrow?: 'beside' | 'untitled' | 'omitted'
}

interface DataTableProps<Row> {
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
}

/** A ruled table; on a narrow screen each row becomes a small block of names and values. */
export function DataTable<Row>({ caption, columns, rows, rowKey }: DataTableProps<Row>) {
  return (
    <div className={styles.frame}>
      <table className={styles.table}>
        <caption className={styles.caption}>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ key, title, isNumber }) => (
              <th key={key} scope="col" data-number={isNumber || undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map(({ key, title, cell, isNumber, isMain, narrow }) => (
                <td
                  key={key}
                  data-number={isNumber || undefined}
                  data-main={isMain || undefined}
                  data-narrow={narrow}
                  data-title={title}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
