import { Button } from '@mantine/core'
import { type InfiniteData, type UseInfiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Page } from '../api/types.ts'
import { type Column, DataTable } from './data-table.tsx'
import { LoadingRows } from './loading-rows.tsx'
import styles from './paged-table.module.css'
import { Problem } from './problem.tsx'

type Key = readonly unknown[]
export type PagedQuery<Row> = UseInfiniteQueryOptions<Page<Row>, Error, InfiniteData<Page<Row>>, Key, string | null>

interface PagedTableProps<Row> {
  readonly query: PagedQuery<Row>
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rowKey: (row: Row) => string
  readonly empty: ReactNode
  /** Its own form of the rows, where a table would not do. */
  readonly children?: (rows: Row[]) => ReactNode
}

/** A list of the gateway, page by page, the newest first. */
export function PagedTable<Row>({ query, caption, columns, rowKey, empty, children }: PagedTableProps<Row>) {
  const { t } = useTranslation()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isFetchNextPageError } =
    useInfiniteQuery(query)
  if (!data) return error ? <Problem error={error} onRetry={() => void refetch()} /> : <LoadingRows />
  const rows = data.pages.flatMap(({ items }) => items)
  return (
    <>
      {rows.length === 0
        ? !hasNextPage && empty
        : (children?.(rows) ?? <DataTable caption={caption} columns={columns} rows={rows} rowKey={rowKey} />)}
      {error && <Problem error={error} onRetry={() => void (isFetchNextPageError ? fetchNextPage() : refetch())} />}
      {hasNextPage && (
        <div className={styles.more}>
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {/* With a filter a page may be empty although there is more behind it. */}
            {t(rows.length === 0 ? 'common.lookFurther' : 'common.loadMore')}
          </Button>
        </div>
      )}
    </>
  )
}
