import type { Period } from './calendar.ts'

/** The sign-in path with the page to return to; after signing out there is none. */
export function signInPath(location: string, search: string, reason: string): string {
  const here = search ? `${location}?${search}` : location
  const isWorthReturning = here !== '/' && (reason === 'expired' || reason === 'none')
  return isWorthReturning ? `/sign-in?next=${encodeURIComponent(here)}` : '/sign-in'
}

/** Always a page of this console: the router prefixes its base. */
export function afterSignIn(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? '/'
  return /^\/(?![/\\])/.test(next) ? next : '/'
}

export const dayPattern = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/

export const periodIn = (params: URLSearchParams): Period =>
  present({ from: matching(params, 'from', dayPattern), to: matching(params, 'to', dayPattern) })

/** A value from the query string; invalid ones, for instance from a mistyped link, are ignored. */
export function matching(params: URLSearchParams, name: string, pattern: RegExp): string | undefined {
  const value = params.get(name)
  return value && pattern.test(value) ? value : undefined
}

/** Without the fields that have no value. */
export function present<T extends Record<string, string | undefined>>(
  fields: T,
): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value)) as ReturnType<typeof present<T>>
}
