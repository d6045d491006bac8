import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { LoadingRows } from '../../design/loading-rows.tsx'
import { Problem } from '../../design/problem.tsx'

interface LoadedProps<Data, Key extends readonly unknown[]> {
  readonly query: UseQueryOptions<Data, Error, Data, Key>
  readonly rows?: number
  readonly children: (data: Data) => ReactNode
}

/** What was read; until then its place, or what went wrong. */
export function Loaded<Data, Key extends readonly unknown[]>({ query, rows = 4, children }: LoadedProps<Data, Key>) {
  const { data, error, refetch } = useQuery(query)
  if (data !== undefined) return children(data)
  return error ? <Problem error={error} onRetry={() => void refetch()} /> : <LoadingRows rows={rows} />
}
