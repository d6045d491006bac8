/** The token of a one-time sign-in link. It is removed from the address, so that it is neither kept in the history nor shown. */
export function takeLinkToken(): string | null {
  const token = new URLSearchParams(location.hash.slice(1)).get('token')
  if (token === null || location.pathname !== '/sign-in') return null
  history.replaceState(history.state, '', location.pathname + location.search)
  return token
}
