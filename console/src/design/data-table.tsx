import { type InfiniteData, type UseInfiniteQueryOptions, useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cutNotice, cutNoticeInChinese } from '../../../src/contract/paging.ts'
import { ask, type Reply } from '../api/ask.ts'
import type { Page } from '../api/types.ts'
import { Button } from './button.tsx'
import styles from './data-table.module.css'
import { Icons } from './icons.tsx'
import { LoadingRows, Notice, Problem } from './notice.tsx'

export interface Column<Row> {
  readonly key: string
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  /** Right-aligned, so that digits line up. */
  readonly isNumber?: boolean
  /** The heading of the row on narrow screens. */
  readonly isMain?: boolean
  /** May wrap, because it is a sentence. */
  readonly isText?: boolean
  /** On narrow screens: next to the row's heading, without its title, or omitted. By default on its own line. */
  readonly narrow?: 'inline' | 'untitled' | 'omitted'
  /** Makes the column sortable; only for tables that hold all their rows. */
  readonly sortBy?: (row: Row) => string | number
}

interface DataTableProps<Row> {
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
}

/** They fill a phone's screen. */
const firstRows = 6

/** A table; on narrow screens each row becomes a block of names and values. */
export function DataTable<Row>({ caption, columns, rows, rowKey }: DataTableProps<Row>) {
  const [sort, setSort] = useState<Sort | null>(null)
  const sorted = sortedBy(rows, columns.find(({ key }) => key === sort?.key)?.sortBy, sort?.isDescending)
  // The first rows at once; React renders the others in small slices, which do not block the page.
  const hasAll = useDeferredValue(true, false)
  const shown = hasAll ? sorted : sorted.slice(0, firstRows)
  return (
    <div className={styles.frame}>
      <table className={styles.table}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.key} column={column} sort={sort} onSort={setSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
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

/** Cycles through descending, ascending and the original order. */
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

type Key = readonly unknown[]
export type PagedQuery<Row> = UseInfiniteQueryOptions<Page<Row>, Error, InfiniteData<Page<Row>>, Key, string | null>

interface Table<Row> {
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rowKey: (row: Row) => string
  readonly children?: undefined
}

/** A custom rendering of the rows loaded so far. */
interface OwnForm<Row> {
  readonly children: (rows: Row[], isWhole: boolean) => ReactNode
}

type PagedTableProps<Row> = (Table<Row> | OwnForm<Row>) & {
  readonly query: PagedQuery<Row>
  readonly empty: ReactNode
}

/** A list that loads page by page, newest first. */
export function PagedTable<Row>(props: PagedTableProps<Row>) {
  const { query, empty } = props
  const { t } = useTranslation()
  const { error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isFetchNextPageError, ...read } =
    useInfiniteQuery(query)
  // Deferred, because React renders deferred rows in small slices: all at once they would block the page.
  const data = useDeferredValue(read.data)
  const rows = data?.pages.flatMap(({ items }) => items) ?? []
  const { frame, begin } = useFocusOnNewRows(rows.length, isFetchingNextPage || data !== read.data)
  if (!data) return error ? <Problem error={error} onRetry={() => void refetch()} /> : <LoadingRows rows={12} />

  function showOlder() {
    begin()
    void fetchNextPage()
  }
  return (
    <div ref={frame} className={styles.list} aria-busy={read.isPlaceholderData}>
      {rows.length > 0 ? (
        props.children ? (
          props.children(rows, !hasNextPage)
        ) : (
          <DataTable caption={props.caption} columns={props.columns} rows={rows} rowKey={props.rowKey} />
        )
      ) : (
        !hasNextPage && empty
      )}
      {error && <Problem error={error} onRetry={() => (isFetchNextPageError ? showOlder() : void refetch())} />}
      {hasNextPage && (
        <div className={styles.more}>
          <Button variant="default" loading={isFetchingNextPage} onClick={showOlder}>
            {/* With a filter, a page may be empty although older rows exist. */}
            {t(rows.length === 0 ? 'common.lookFurther' : 'common.loadMore')}
          </Button>
        </div>
      )}
    </div>
  )
}

/** The button is disabled while loading and may be gone afterwards, so the first new row takes the focus. */
function useFocusOnNewRows(rowCount: number, isFetching: boolean) {
  const frame = useRef<HTMLDivElement>(null)
  const countBefore = useRef<number | null>(null)
  useEffect(() => {
    if (isFetching || countBefore.current === null) return
    const row = frame.current?.querySelectorAll<HTMLElement>('tbody tr')[countBefore.current]
    if (!row && rowCount > countBefore.current) return
    countBefore.current = null
    const target = row?.querySelector<HTMLElement>('a, button') ?? frame.current?.querySelector('button:last-of-type')
    if (target instanceof HTMLElement) target.focus()
  }, [rowCount, isFetching])
  return {
    frame,
    begin: () => {
      countBefore.current = rowCount
    },
  }
}

interface CsvExport {
  /** The file name without extension. */
  readonly name: string
  readonly read: () => Reply<Blob>
}

/** Fetches the file first, so that a refusal is shown on the page instead of being saved. */
export function useExportCsv({ name, read }: CsvExport, inChinese = async (file: Blob) => file) {
  const { language } = useTranslation().i18n
  return useMutation({
    async mutationFn() {
      const csv = await ask(read)
      save(language === 'en' ? csv : await inChinese(csv), `${name}.csv`)
      return isCut(csv)
    },
  })
}

type Exporting = ReturnType<typeof useExportCsv>

export function ExportButton({ exporting, isDisabled }: { exporting: Exporting; isDisabled?: boolean }) {
  const { t } = useTranslation()
  return (
    <Button
      variant="default"
      icon={<Icons.download size={16} />}
      loading={exporting.isPending}
      disabled={isDisabled ?? false}
      onClick={() => exporting.mutate()}
    >
      {t('common.exportCsv')}
    </Button>
  )
}

export function ExportOutcome({ exporting: { error, data: isCut } }: { exporting: Exporting }) {
  const { t } = useTranslation()
  if (error) return <Problem error={error} />
  return isCut ? (
    <Notice tone="wait" isNews>
      {t('common.exportCut')}
    </Notice>
  ) : null
}

/** The file is streamed, so only its last line can say that it was cut. */
async function isCut(file: Blob): Promise<boolean> {
  const end = await file.slice(-200).text()
  return [cutNotice, cutNoticeInChinese].some((notice) => end.includes(`\n${notice} `))
}

export function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
