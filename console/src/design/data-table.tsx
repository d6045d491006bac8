import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './data-table.module.css'
import { Icons } from './icons.tsx'
import hidden from './visually-hidden.module.css'

export interface Column<Row> {
  readonly key: string
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  /** Numbers stand right, so that their digits line up. */
  readonly isNumber?: boolean
  /** Heads the row where the table is too narrow for columns. */
  readonly isMain?: boolean
  /** May be broken into lines, because it is a sentence. */
  readonly isText?: boolean
  /** Where the table is too narrow: beside the head of the row, without its title, or left out. Else a line of its own. */
  readonly narrow?: 'beside' | 'untitled' | 'omitted'
  /** Makes the column one to sort by; only for tables that have all their rows. */
  readonly sortBy?: (row: Row) => string | number
}

interface DataTableProps<Row> {
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
}

/** A ruled table; on a narrow screen each row becomes a small block of names and values. */
export function DataTable<Row>({ caption, columns, rows, rowKey }: DataTableProps<Row>) {
  const [sort, setSort] = useState<Sort | null>(null)
  const sorted = sortedBy(rows, columns.find(({ key }) => key === sort?.key)?.sortBy, sort?.isDescending)
  return (
    <div className={styles.frame}>
      <table className={styles.table}>
        <caption className={hidden.text}>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.key} column={column} sort={sort} onSort={setSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map(({ key, title, cell, isNumber, isMain, isText, narrow }) => (
                <td
                  key={key}
                  data-number={isNumber || undefined}
                  data-main={isMain || undefined}
                  data-text={isText || undefined}
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

interface Sort {
  readonly key: string
  readonly isDescending: boolean
}

interface HeadProps<Row> {
  readonly column: Column<Row>
  readonly sort: Sort | null
  readonly onSort: (sort: Sort | null) => void
}

/** Sorts by the largest first, then by the smallest, then as the table came. */
function Head<Row>({ column: { key, title, isNumber, sortBy }, sort, onSort }: HeadProps<Row>) {
  const { t } = useTranslation()
  const number = isNumber || undefined
  if (!sortBy) {
    return (
      <th scope="col" data-number={number}>
        {title}
      </th>
    )
  }
  const order = sort?.key !== key ? 'none' : sort.isDescending ? 'descending' : 'ascending'
  return (
    <th scope="col" data-number={number} aria-sort={order}>
      <button
        type="button"
        className={styles.sort}
        title={t('tables.sort')}
        onClick={() => onSort(order === 'ascending' ? null : { key, isDescending: order === 'none' })}
      >
        {title}
        <Icons.sort size={14} />
      </button>
    </th>
  )
}

function sortedBy<Row>(rows: readonly Row[], by?: (row: Row) => string | number, isDescending = false): readonly Row[] {
  if (!by) return rows
  const sign = isDescending ? -1 : 1
  return rows.toSorted((a, b) => {
    const [x, y] = [by(a), by(b)]
    return x === y ? 0 : x < y ? -sign : sign
  })
}
