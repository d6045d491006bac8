import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { latestEventsQuery, markEventsRead } from '../../api/queries.ts'

/** Marks the events as read while they are shown, and keeps the ids of those that were new. */
export function useNewEvents(): ReadonlySet<string> {
  const { data } = useQuery(latestEventsQuery)
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const unread = data?.unread ?? 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again without news, they are still the same events.
  useEffect(() => {
    if (unread === 0) return
    setIds((before) => new Set([...before, ...data!.items.slice(0, unread).map(({ id }) => id)]))
    // They stay unread where it fails, and the next visit marks them.
    markEventsRead().catch(() => {})
  }, [unread, data?.items[0]?.id])
  return ids
}
