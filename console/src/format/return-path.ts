/** The way to the sign-in page, remembering the page one was on; after signing out there is nothing to return to. */
export function signInPath(location: string, search: string, reason: string): string {
  const here = search ? `${location}?${search}` : location
  const isWorthReturning = here !== '/' && (reason === 'expired' || reason === 'none')
  return isWorthReturning ? `/sign-in?next=${encodeURIComponent(here)}` : '/sign-in'
}

/** Only ever a page of this console: the router puts its own base in front. */
export function afterSignIn(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? '/'
  return /^\/(?![/\\])/.test(next) ? next : '/'
}
