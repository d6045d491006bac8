import type { MouseEvent } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import type { CallProps } from './design/tables.tsx'

interface WayBack {
  readonly back: string
}

/** What a link to a page of its own carries along, so that the way back leads to the same list with the same filters. */
export function useHere(): WayBack {
  const [location] = useLocation()
  const search = useSearch()
  return { back: search === '' ? location : `${location}?${search}` }
}

/** Where this page was opened from, or else the list that it belongs to. */
export function useWayBack(fallback: string) {
  const state = useHistoryState<WayBack | null>()
  const back = typeof state?.back === 'string' ? state.back : null
  return {
    href: back ?? fallback,
    onClick(event: MouseEvent) {
      if (back === null || event.metaKey || event.ctrlKey || event.shiftKey) return
      event.preventDefault()
      // As the browser's own button: what was loaded and how far it was scrolled stays.
      history.back()
    },
  }
}

/** Leads to the details of a call, from where there is a way back to the same list. */
export function CallLink({ chargeId, className, children }: CallProps) {
  return (
    <Link href={`/usage/${chargeId}`} state={useHere()} {...(className && { className })}>
      {children}
    </Link>
  )
}
