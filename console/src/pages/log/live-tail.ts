import { type InfiniteData, useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useState } from 'react'
import { ask } from '../../api/ask.ts'
import { gateway } from '../../api/gateway.ts'
import { queryClient, type UsageFilters, usageQuery } from '../../api/queries.ts'
import type { Charge, Page } from '../../api/types.ts'

const everyMs = 2000
const atOnce = 50
/** Beyond this the list starts anew with the newest calls; older ones can be loaded again. */
const maxRows = 400

/**
 * Adds new calls to the list while it is on. Pauses while the tab is hidden or the list is scrolled down.
 * Returns whether it pauses.
 */
export function useLiveTail(filters: UsageFilters, isOn: boolean, frame: RefObject<HTMLElement | null>): boolean {
  const isAway = useAway(frame, isOn)
  useQuery({
    queryKey: ['usage-tail', filters],
    async queryFn() {
      const newest = await ask(() =>
        gateway.GET('/console/usage', { params: { query: { ...filters, limit: atOnce } } }),
      )
      const { queryKey } = usageQuery(filters)
      const known = queryClient.getQueryData(queryKey)
      const merged = known && withNewest(known, newest)
      if (merged && merged !== known) queryClient.setQueryData(queryKey, merged)
      return newest.items.length
    },
    enabled: isOn && !isAway,
    refetchInterval: everyMs,
    staleTime: 0,
    gcTime: 0,
  })
  return isOn && isAway
}

type Pages = InfiniteData<Page<Charge>, unknown>

/** The list with its newest calls as they are now. */
export function withNewest(known: Pages, newest: Page<Charge>): Pages {
  const [first, ...others] = known.pages
  const rows = first?.items ?? []
  const overlaps = newest.items.some(({ chargeId }) => rows.some((row) => row.chargeId === chargeId))
  const isEmpty = rows.length === 0 && newest.items.length < atOnce
  if ((!overlaps && !isEmpty) || rows.length > maxRows) {
    return newest.items.length === 0 ? known : { pages: [newest], pageParams: [null] }
  }
  const fresh = new Set(newest.items.map(({ chargeId }) => chargeId))
  const items = [...newest.items, ...rows.filter(({ chargeId }) => !fresh.has(chargeId))]
  if (sameRows(items, rows)) return known
  return { ...known, pages: [{ items, nextAfter: first?.nextAfter ?? newest.nextAfter }, ...others] }
}

const sameRows = (a: readonly Charge[], b: readonly Charge[]) =>
  a.length === b.length && a.every((row, place) => row.chargeId === b[place]!.chargeId && row.state === b[place]!.state)

/** Whether the tab is hidden, or the list was scrolled away from its newest call. */
function useAway(frame: RefObject<HTMLElement | null>, isOn: boolean): boolean {
  const [isAway, setAway] = useState(false)
  useEffect(() => {
    if (!isOn) return setAway(false)
    const look = () => {
      const isScrolled = (frame.current?.getBoundingClientRect().top ?? 0) < -nearTopPx
      setAway(document.hidden || isScrolled)
    }
    look()
    document.addEventListener('visibilitychange', look)
    document.addEventListener('scroll', look, { passive: true })
    return () => {
      document.removeEventListener('visibilitychange', look)
      document.removeEventListener('scroll', look)
    }
  }, [frame, isOn])
  return isAway
}

const nearTopPx = 40
