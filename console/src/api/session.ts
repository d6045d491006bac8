import { ask } from './ask.ts'
import { forgetEarlyReads } from './early-reads.ts'
import { gateway, token } from './gateway.ts'
import { createSessionStore, useStore } from './session-store.ts'
import type { Me } from './types.ts'

const hintName = 'console-signed-in-until'

const store = createSessionStore<Me>({
  channel: 'gateway-console',
  token,
  readMe: async () => {
    const me = await ask(() => gateway.GET('/me'))
    keepHint(me.session.expiresAt)
    return me
  },
  onOut: () => {
    forgetEarlyReads()
    keepHint(null)
  },
})

/** Lets the public pages (console/site/frame/frame.js) offer the console instead of the sign-in; it opens nothing. */
function keepHint(until: string | null): void {
  try {
    if (until === null) localStorage.removeItem(hintName)
    else localStorage.setItem(hintName, until)
  } catch {
    // Storage is blocked: the public pages offer the sign-in.
  }
}

export const session = {
  ...store,
  signOut: () => store.endWith(() => gateway.POST('/auth/logout', { body: {} }), 'signed-out'),
  signOutEverywhere: () => store.endWith(() => gateway.POST('/console/sessions/end-all', { body: {} }), 'everywhere'),
}

export const useSession = () => useStore(store)

/** The signed-in account; only for pages behind the sign-in. */
export function useMe(): Me {
  const current = useSession()
  if (current.phase !== 'in') throw new Error('no account is signed in')
  return current.me
}
