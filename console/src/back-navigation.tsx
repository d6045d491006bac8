import type { MouseEvent } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import type { CallProps } from './design/tables.tsx'

interface BackState {
  readonly back: string
}

/** History state for a link to a details page, so that "back" returns to the same filtered list. */
export function useHere(): BackState {
  const [location] = useLocation()
  const search = useSearch()
  return { back: search === '' ? location : `${location}?${search}` }
}

/** The list this page was opened from, or `fallback`. */
export function useBackLink(fallback: string) {
  const state = useHistoryState<BackState | null>()
  const back = typeof state?.back === 'string' ? state.back : null
  return {
    href: back ?? fallback,
    onClick(event: MouseEvent) {
      if (back === null || event.metaKey || event.ctrlKey || event.shiftKey) return
      event.preventDefault()
      // Like the browser's back button: keeps loaded rows and the scroll position.
      history.back()
    },
  }
}

/** The page that linked here, also after further steps that pass its state on; null if there is none like `pages`. */
export function useCameFrom(pages: RegExp): string | null {
  const state = useHistoryState<BackState | null>()
  return typeof state?.back === 'string' && pages.test(state.back) ? state.back : null
}

/** Goes back to the page that linked here, or to `fallback` without adding to the history. */
export function useGoBack(fallback: string): () => void {
  const [, navigate] = useLocation()
  const state = useHistoryState<BackState | null>()
  return () => {
    if (typeof state?.back === 'string') history.back()
    else navigate(fallback, { replace: true })
  }
}

/** Links to the details of a call, with a way back to the same list. */
export function CallLink({ chargeId, className, children }: CallProps) {
  return (
    <Link href={`/usage/${chargeId}`} state={useHere()} {...(className && { className })}>
      {children}
    </Link>
  )
}
