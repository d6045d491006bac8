/** The token of a one-time sign-in link. It is removed from the address, so that it is neither kept in the history nor shown. */
export function takeLinkToken(): string | null {
  const token = tokenInAddress()
  if (token !== null) history.replaceState(history.state, '', location.pathname + location.search)
  return token
}

/** A link that is pasted where the sign-in page is open changes the fragment alone, which loads nothing. */
export function reloadForLinks(): void {
  addEventListener('hashchange', () => {
    if (tokenInAddress() !== null) location.reload()
  })
}

const tokenInAddress = (): string | null =>
  location.pathname === '/sign-in' ? new URLSearchParams(location.hash.slice(1)).get('token') : null
