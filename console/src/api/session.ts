import { ask } from './ask.ts'
import { forgetEarlyReads } from './early-reads.ts'
import { gateway, token } from './gateway.ts'
import { createSessionStore, useStore } from './session-store.ts'
import type { Me } from './types.ts'

const store = createSessionStore<Me>({
  channel: 'gateway-console',
  token,
  readMe: () => ask(() => gateway.GET('/me')),
  onOut: forgetEarlyReads,
})

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
