/**
 * What a link brings in its fragment, which reaches no server and no log. It is removed from the address, so that it is neither
 * shown nor kept in the history.
 */
export function takeFromFragment(name: string): string | null {
  const value = inFragment(name)
  if (value !== null) history.replaceState(history.state, '', location.pathname + location.search)
  return value
}

/** Pasting a link where its page is open only changes the fragment, so reload. Returns how to stop. */
export function reloadForLinks(name: string): () => void {
  const reload = () => {
    if (inFragment(name) !== null) location.reload()
  }
  addEventListener('hashchange', reload)
  return () => removeEventListener('hashchange', reload)
}

const inFragment = (name: string): string | null => new URLSearchParams(location.hash.slice(1)).get(name)
