import { type InfiniteData, type UseInfiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Page } from '../api/types.ts'
import { Button } from './button.tsx'
import { type Column, DataTable } from './data-table.tsx'
import { LoadingRows } from './loading-rows.tsx'
import styles from './paged-table.module.css'
import { Problem } from './problem.tsx'

type Key = readonly unknown[]
export type PagedQuery<Row> = UseInfiniteQueryOptions<Page<Row>, Error, InfiniteData<Page<Row>>, Key, string | null>

interface Table<Row> {
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rowKey: (row: Row) => string
  readonly children?: undefined
}

/** Its own form of the rows that were read so far. */
interface OwnForm<Row> {
  readonly children: (rows: Row[], isWhole: boolean) => ReactNode
}

type PagedTableProps<Row> = (Table<Row> | OwnForm<Row>) & {
  readonly query: PagedQuery<Row>
  readonly empty: ReactNode
}

/** A list of the gateway, page by page, the newest first. */
export function PagedTable<Row>(props: PagedTableProps<Row>) {
  const { query, empty } = props
  const { t } = useTranslation()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isFetchNextPageError, ...read } =
    useInfiniteQuery(query)
  const rows = data?.pages.flatMap(({ items }) => items) ?? []
  const { frame, begin } = useFocusOnNewRows(rows.length, isFetchingNextPage)
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
            {/* With a filter a page may be empty although there is more behind it. */}
            {t(rows.length === 0 ? 'common.lookFurther' : 'common.loadMore')}
          </Button>
        </div>
      )}
    </div>
  )
}

/** The button loses the focus while it waits, and may be gone afterwards: then the first new row has it. */
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
